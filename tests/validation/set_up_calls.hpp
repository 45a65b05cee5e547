// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Number of collective calls that a set-up makes on Daptor's duplicate of the caller's
// communicator: the table of docs/costs.md. PETSc's calls on its own communicators are not
// counted.

#include <gtest/gtest.h>
#include <mpi.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "../conformance/sequence.hpp"
#include "daptor/daptor.hpp"
#include "everywhere.hpp"

namespace daptor::test {

/// Counts of one rank.
struct SetUp {
  int collectives = 0;  ///< reductions, broadcasts and exchanges
  int messages = 0;     ///< between neighbours; those of exchanges are not counted
};

inline std::ostream& operator<<(std::ostream& out, const SetUp& each) {
  return out << each.collectives << " collective calls and " << each.messages << " messages";
}

/// The name that a watch gives the duplicate of MPI_COMM_WORLD.
inline std::string duplicate_of_world() {
  const Comm world(MPI_COMM_WORLD);
  const Stretch one = watch([&] {
    std::int64_t word = 0;
    world->allreduce(&word, 1, Reduction::min);
  });
  return one.calls.back().communicator;
}

inline SetUp count_set_up(const std::function<void()>& call) {
  const std::string duplicate = duplicate_of_world();
  const Stretch stretch = watch(call);
  EXPECT_EQ(stretch.error, "");
  SetUp counted;
  for (const conformance::MpiCall& each : stretch.calls) {
    if (each.communicator != duplicate) continue;
    if (each.kind == conformance::MpiKind::collective) ++counted.collectives;
    if (each.function == "MPI_Sendrecv") ++counted.messages;
  }
  return counted;
}

/// An array of the table, and the costs of its set-up: for the first time, and for the same array
/// again.
struct Row {
  std::string name;
  Section array;
  SetUp first, again;
};

inline void expect_set_up(const SetUp& counted, const SetUp& expected, const std::string& what) {
  EXPECT_EQ(counted.collectives, expected.collectives) << what << ": " << counted;
  EXPECT_EQ(counted.messages, expected.messages) << what << ": " << counted;
}

inline void expect_rows(const std::string& what, const std::vector<Row>& rows,
                        const std::function<void(const Section&)>& call) {
  for (const Row& row : rows) {
    const std::string name = what + ", " + row.name;
    expect_set_up(count_set_up([&] { call(row.array); }), row.first, name);
    expect_set_up(count_set_up([&] { call(row.array); }), row.again, name + ", again");
  }
}

/// The arrays of the table, for three ranks or more.
template <class T>
struct Arrays {
  Index ranks = world_size();
  GridPosition grid{ranks, world_rank()};
  GridPosition backwards{ranks, ranks - 1 - world_rank()};
  BlockPadding ring{{1, 1}, {}, true};

  static IndexRange uneven_range(GridPosition at) {
    const Index start = 5 * at.rank + (at.first() ? 0 : 1);
    return {start, at.last() ? 5 * at.size : 5 * at.rank + 6};
  }
  Section even() const { return allocate<T>({block(5 * ranks, grid)}); }
  Section padded() const { return allocate<T>({block(5 * ranks, grid, ring)}); }
  Section uneven() const { return allocate<T>({block(5 * ranks, grid, uneven_range(grid), ring)}); }
  Section any_order() const {
    return allocate<T>({block(5 * ranks, backwards, uneven_range(backwards), ring)});
  }
  Section cyclic_from_rank_1() const { return allocate<T>({cyclic(5 * ranks, grid, 2, 1)}); }
  Section listed() const {
    std::vector<Index> mine;
    for (Index i = grid.rank; i < 5 * ranks; i += ranks) mine.push_back(i);
    return allocate<T>({unstructured(5 * ranks, grid, IndexList(mine), true)});
  }
};

/// Number of messages that gather the bounds of irregular blocks along a line of all ranks.
inline int steps_along_line() {
  int steps = 0;
  for (int known = 1; known < world_size(); known *= 2) ++steps;
  return steps;
}

/// The same if ranks are not in row-major order: each step first asks for the rank twice as far
/// away.
inline int steps_in_any_order() {
  return 3 * steps_along_line() - 2;
}

}  // namespace daptor::test
