// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The values that an exchange must leave in each section, found by counting.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "daptor/halo_exchange.hpp"
#include "padded_model.hpp"

namespace daptor::test {

using Element = std::int64_t;
constexpr Element unset = -1;
constexpr Element canary = -77;

inline Element natural(const PaddedModel& model, int rank, const std::vector<Index>& local) {
  Element number = 0;
  for (std::size_t d = 0; d < local.size(); ++d)
    number = number * model.sizes[d] +
             model.ranks[static_cast<std::size_t>(rank)][d].global(local[d], model.sizes[d]);
  return number;
}

/// The number of dimensions in which a local element lies outside of the owned ones.
inline int beyond(const PaddedModel& model, int rank, const std::vector<Index>& local) {
  int count = 0;
  for (std::size_t d = 0; d < local.size(); ++d)
    if (!model.ranks[static_cast<std::size_t>(rank)][d].owns(local[d])) ++count;
  return count;
}

inline bool exchanged(int beyond_in, Stencil stencil) {
  return stencil == Stencil::star ? beyond_in == 1 : beyond_in > 0;
}

/// Sets the owned elements to their natural number plus `add`, all others to `unset`.
inline void fill_owned(const PaddedModel& model, int rank, PaddedSection<Element>& section,
                       Element add) {
  for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
    section(local) = beyond(model, rank, local) == 0 ? natural(model, rank, local) + add : unset;
  });
}

/// Every copy has its owner's value, and nothing else was written.
inline void expect_updated(const PaddedModel& model, int rank, Stencil stencil,
                           PaddedSection<Element>& section, Element add) {
  int wrong = 0;
  for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
    const int outside = beyond(model, rank, local);
    const bool known = outside == 0 || exchanged(outside, stencil);
    if (section(local) != (known ? natural(model, rank, local) + add : unset)) ++wrong;
  });
  EXPECT_EQ(wrong, 0) << model.text() << (stencil == Stencil::star ? " star" : " box");
  EXPECT_TRUE(section.untouched()) << model.text();
}

inline void check_update(const PaddedModel& model, Stencil stencil, const Comm& comm) {
  const int rank = comm.rank();
  PaddedSection<Element> section(model, comm, canary);
  HaloExchange halo(section.array(), {stencil});
  for (Element round = 0; round < 2; ++round) {
    fill_owned(model, rank, section, 1000 * round);
    halo.update();
    expect_updated(model, rank, stencil, section, 1000 * round);
  }
}

/// A rank's value at a local element before an accumulation, different for each rank and element.
inline Element contribution(int rank, const std::vector<Index>& local) {
  Element value = rank + 1;
  for (const Index i : local) value = (value * 31 + i + 7) % 10007;
  return value;
}

/// Whether the owner has the index in its boundary padding.
inline bool in_boundary(const PaddedModel& model, int rank, const std::vector<Index>& local) {
  for (std::size_t d = 0; d < local.size(); ++d) {
    const Index global =
        model.ranks[static_cast<std::size_t>(rank)][d].global(local[d], model.sizes[d]);
    for (const auto& parts : model.ranks)
      if (parts[d].owned.contains(global) && parts[d].in_boundary(global)) return true;
  }
  return false;
}

/// The sums of the contributions of all ranks, by natural number.
inline std::map<Element, Element> serial_sums(const PaddedModel& model, Stencil stencil) {
  std::map<Element, Element> sums;
  for (int rank = 0; rank < static_cast<int>(model.ranks.size()); ++rank)
    for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
      if (exchanged(beyond(model, rank, local), stencil) && !in_boundary(model, rank, local))
        sums[natural(model, rank, local)] += contribution(rank, local);
    });
  return sums;
}

inline void check_accumulate(const PaddedModel& model, Stencil stencil, const Comm& comm) {
  const int rank = comm.rank();
  PaddedSection<Element> section(model, comm, canary);
  HaloExchange halo(section.array(), {stencil});
  for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
    section(local) = contribution(rank, local);
  });
  halo.accumulate(Combine::sum);
  const auto sums = serial_sums(model, stencil);
  int wrong = 0;
  for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
    Element expected = contribution(rank, local);
    if (beyond(model, rank, local) == 0) {
      const auto sum = sums.find(natural(model, rank, local));
      if (sum != sums.end()) expected += sum->second;
    }
    if (section(local) != expected) ++wrong;
  });
  EXPECT_EQ(wrong, 0) << model.text() << (stencil == Stencil::star ? " star" : " box");
  EXPECT_TRUE(section.untouched()) << model.text();
}

}  // namespace daptor::test
