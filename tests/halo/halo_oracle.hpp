// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What an exchange must leave behind, by counting.

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

/// In how many dimensions a local element lies beyond the owned ones.
inline int beyond(const PaddedModel& model, int rank, const std::vector<Index>& local) {
  int count = 0;
  for (std::size_t d = 0; d < local.size(); ++d)
    if (!model.ranks[static_cast<std::size_t>(rank)][d].owns(local[d])) ++count;
  return count;
}

inline bool exchanged(int beyond_in, Stencil stencil) {
  return stencil == Stencil::star ? beyond_in == 1 : beyond_in > 0;
}

/// Owned elements hold their number (and `add`), all others nothing yet.
inline void fill_owned(const PaddedModel& model, int rank, Section<Element>& section, Element add) {
  for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
    section(local) = beyond(model, rank, local) == 0 ? natural(model, rank, local) + add : unset;
  });
}

/// Every copy holds what its owner does, and nothing else was written.
inline void expect_updated(const PaddedModel& model, int rank, Stencil stencil,
                           Section<Element>& section, Element add) {
  int wrong = 0;
  for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
    const int outside = beyond(model, rank, local);
    const bool known = outside == 0 || exchanged(outside, stencil);
    if (section(local) != (known ? natural(model, rank, local) + add : unset)) ++wrong;
  });
  EXPECT_EQ(wrong, 0) << model.text() << (stencil == Stencil::star ? " star" : " box");
  EXPECT_TRUE(section.untouched()) << model.text();
}

inline void check_update(const PaddedModel& model, int rank, Stencil stencil, MPI_Comm comm) {
  Section<Element> section(model, rank, canary);
  HaloExchange halo(section.array(), comm, {stencil});
  for (Element round = 0; round < 2; ++round) {
    fill_owned(model, rank, section, 1000 * round);
    halo.update();
    expect_updated(model, rank, stencil, section, 1000 * round);
  }
}

/// What a rank has at a local element before an accumulation; other for each.
inline Element contribution(int rank, const std::vector<Index>& local) {
  Element value = rank + 1;
  for (const Index i : local) value = (value * 31 + i + 7) % 10007;
  return value;
}

/// The owner's index is in its process's boundary padding.
inline bool in_boundary(const PaddedModel& model, int rank, const std::vector<Index>& local) {
  for (std::size_t d = 0; d < local.size(); ++d) {
    const Index global =
        model.ranks[static_cast<std::size_t>(rank)][d].global(local[d], model.sizes[d]);
    for (const auto& parts : model.ranks)
      if (parts[d].owned.contains(global) && parts[d].in_boundary(global)) return true;
  }
  return false;
}

/// Sums of what all ranks contribute, by natural number.
inline std::map<Element, Element> serial_sums(const PaddedModel& model, Stencil stencil) {
  std::map<Element, Element> sums;
  for (int rank = 0; rank < static_cast<int>(model.ranks.size()); ++rank)
    for_each_index(extents(model, rank), [&](const std::vector<Index>& local) {
      if (exchanged(beyond(model, rank, local), stencil) && !in_boundary(model, rank, local))
        sums[natural(model, rank, local)] += contribution(rank, local);
    });
  return sums;
}

inline void check_accumulate(const PaddedModel& model, int rank, Stencil stencil, MPI_Comm comm) {
  Section<Element> section(model, rank, canary);
  HaloExchange halo(section.array(), comm, {stencil});
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
