// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks a GlobalIndexMap against a layout whose owners are found by counting.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"
#include "layouts.hpp"

namespace daptor::test {

/// Collective. Expects that `call` throws on all ranks by the rule (any rule if empty), with the
/// same text. Returns the rank that the error names, or -2 if the expectation failed.
template <class F>
int expect_rule(const Comm& comm, const std::string& rule, F&& call) {
  std::string told = "nothing thrown";
  int named = -2;
  try {
    call();
  } catch (const Error& error) {
    told = error.what();
    named = error.rank();
    if (!rule.empty()) {
      EXPECT_EQ(error.rule(), rule) << told;
    }
  } catch (const std::exception& error) {
    told = error.what();
  }
  EXPECT_NE(named, -2) << told;
  std::array<char, 1024> first{};
  std::strncpy(first.data(), told.c_str(), first.size() - 1);
  comm->broadcast(first.data(), first.size(), 0);
  EXPECT_EQ(told, first.data());
  return named;
}

inline void check_axis_queries(const GlobalDimensionMap& map, const Axis& axis) {
  const bool cyclic = map.local().dimension().dist_type() == 'c';
  std::vector<OwnerAlong> owners(static_cast<std::size_t>(axis.size));
  Index before = 0;
  for (Index g = 0; g < axis.processes; ++g) {
    const auto& owned = axis.owned[static_cast<std::size_t>(g)];
    const auto count = static_cast<Index>(owned.size());
    for (Index i = 0; i < count; ++i)
      owners[static_cast<std::size_t>(owned[static_cast<std::size_t>(i)])] = {g, i};
    ASSERT_EQ(map.owned_count(g), count);
    ASSERT_EQ(map.owned_before(g), before);
    if (!cyclic) {
      ASSERT_EQ(map.owned_range(g), (IndexRange{before, before + count}));
    }
    before += count;
  }
  for (Index global = -2; global < axis.size + 2; ++global) {
    const auto owner = map.owner_of(global);
    ASSERT_EQ(owner.has_value(), 0 <= global && global < axis.size) << global;
    if (owner) {
      ASSERT_TRUE(*owner == owners[static_cast<std::size_t>(global)]) << global;
    }
  }
}

/// Collective.
inline void check_directory(const GlobalIndexMap& map, int d, const Axis& axis, int rank) {
  std::vector<Index> asked;
  for (Index i = 0; i < axis.size + 3; ++i) asked.push_back((i * 7 + rank) % (axis.size + 3) - 1);
  asked.insert(asked.end(), asked.begin(), asked.begin() + 2);  // twice
  if (rank % 3 == 1) asked.clear();
  const auto owners = map.owners_of_unstructured(d, asked);
  ASSERT_EQ(owners.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::optional<OwnerAlong> expected;
    for (Index g = axis.processes; g-- > 0;) {
      const auto& owned = axis.owned[static_cast<std::size_t>(g)];
      const auto at = std::find(owned.begin(), owned.end(), asked[i]);
      if (at != owned.end()) expected = OwnerAlong{g, at - owned.begin()};
    }
    ASSERT_EQ(owners[i].has_value(), expected.has_value()) << asked[i];
    ASSERT_TRUE(owners[i] == expected) << asked[i];
  }
}

inline void check_neighbours(const GlobalIndexMap& map, const Layout& layout, int rank) {
  const std::vector<Index> here = layout.coordinates(rank);
  for (std::size_t d = 0; d < layout.axes.size(); ++d) {
    const Axis& axis = layout.axes[d];
    for (const int direction : {-1, 1}) {
      std::vector<Index> there = here;
      there[d] += direction;
      const bool external = there[d] < 0 || there[d] == axis.processes;
      there[d] = (there[d] + axis.processes) % axis.processes;
      Index seat = 0;
      for (std::size_t e = 0; e < there.size(); ++e)
        seat = seat * layout.axes[e].processes + there[e];
      const auto found = map.neighbour(static_cast<int>(d), direction);
      ASSERT_EQ(found.has_value(), !external || axis.periodic);
      if (found) {
        ASSERT_EQ(*found, layout.rank_at(seat));
      }
    }
  }
}

/// Collective: the ranks at all coordinates, and the owners of all elements.
inline void check_ranks(const GlobalIndexMap& map, const Layout& layout, int rank) {
  const Index processes = layout.processes();
  std::vector<std::vector<Index>> all;
  for (Index i = 0; i < processes; ++i)
    all.push_back(grid_coordinates(layout.grid(), (i + rank) % processes));
  if (rank % 4 == 3) all.clear();
  const auto ranks = map.ranks_at(all);
  ASSERT_EQ(ranks.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int expected = layout.rank_at((static_cast<Index>(i) + rank) % processes);
    ASSERT_EQ(ranks[i], expected);
    if (map.row_major()) {
      ASSERT_EQ(map.rank_at(all[i]), expected);
    }
  }
}

inline void check_owners(const GlobalIndexMap& map, const Layout& layout) {
  for (int rank = 0; rank < layout.processes(); ++rank) {
    const std::vector<Index> at = layout.coordinates(rank);
    if (layout.owned_count(rank) == 0) continue;
    // The first and the last element of each section represent all, since whole axes have been
    // checked.
    for (const bool last : {false, true}) {
      std::vector<Index> global, owned_index;
      for (std::size_t d = 0; d < at.size(); ++d) {
        const auto& owned = layout.axes[d].owned[static_cast<std::size_t>(at[d])];
        owned_index.push_back(last ? static_cast<Index>(owned.size()) - 1 : 0);
        global.push_back(owned[static_cast<std::size_t>(owned_index.back())]);
      }
      const auto owner = map.owner_of(global);
      ASSERT_TRUE(owner.has_value());
      ASSERT_EQ(owner->rank, rank);
      ASSERT_EQ(owner->owned_index, owned_index);
    }
  }
}

/// Collective. Checks every query of the map against the layout.
inline void check_map(const GlobalIndexMap& map, const Layout& layout, int rank) {
  ASSERT_EQ(map.ndim(), static_cast<int>(layout.axes.size()));
  ASSERT_EQ(map.coordinates(), layout.coordinates(rank));
  ASSERT_EQ(map.grid(), layout.grid());
  bool row_major = true;
  for (int r = 0; r < layout.processes(); ++r) row_major = row_major && layout.seat(r) == r;
  ASSERT_EQ(map.row_major(), row_major);
  bool unstructured = false;
  for (int d = 0; d < map.ndim(); ++d) {
    const Axis& axis = layout.axes[static_cast<std::size_t>(d)];
    if (map.dimension(d).local().dimension().dist_type() == 'u') {
      unstructured = true;
      check_directory(map, d, axis, rank);
    } else {
      check_axis_queries(map.dimension(d), axis);
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  check_neighbours(map, layout, rank);
  check_ranks(map, layout, rank);
  if (row_major && !unstructured) check_owners(map, layout);
  ASSERT_EQ(map.knows_contiguous_offsets(), row_major && !unstructured);
  Index offset = 0;
  for (int r = 0; r < layout.processes(); offset += layout.owned_count(r++)) {
    if (r == rank) {
      ASSERT_EQ(map.contiguous_offset(), offset);
    }
    if (map.knows_contiguous_offsets()) {
      ASSERT_EQ(map.contiguous_offset_at(layout.coordinates(r)), offset);
    }
  }
}

/// Collective. Every element of the section has the contiguous number that its owner gives it.
/// Elements with the same natural number are the same, so those of the layout must be different.
inline void check_contiguous(const GlobalIndexMap& map, const Layout& layout) {
  for (const Order order : {Order::c, Order::fortran}) {
    std::map<Index, Index> number_of;
    for (int r = 0; r < layout.processes(); ++r)
      for (const Index natural : layout.owned_numbers(r, order))
        number_of.emplace(natural, static_cast<Index>(number_of.size()));
    std::vector<Index> expected;
    for (const Index natural : map.local().local_natural(order))
      expected.push_back(number_of.at(natural));
    EXPECT_EQ(map.local_contiguous(order), expected);
  }
}

/// Collective. Makes the map of the layout and checks it.
inline void check_layout(const Comm& comm, const Layout& layout) {
  ASSERT_EQ(layout.processes(), comm.size());
  const GlobalIndexMap map(layout.array(comm.rank()).on(comm));
  check_map(map, layout, comm.rank());
}

}  // namespace daptor::test
