// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdint>

#include "counting_communicator.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/daptor.hpp"
#include "everywhere.hpp"
#include "world_comm.hpp"

namespace daptor {
namespace {

using test::expect_refused_everywhere;
using test::world;
using test::world_rank;
using test::world_size;
using Words = std::array<std::int64_t, 2>;

DistArray even() {
  return allocate<double>({block(3 * world_size(), {world_size(), world_rank()})});
}

/// Blocks of three indices. Rank `at_fault` says that its own begins one index too late.
DistArray with_a_gap(int at_fault) {
  const Index start = 3 * world_rank();
  const IndexRange owned{start + (world_rank() == at_fault ? 1 : 0), start + 3};
  return allocate<double>({block(3 * world_size(), {world_size(), world_rank()}, owned)});
}

Words mine() {
  return {world_rank(), -world_rank()};
}

Words fails() {
  throw InvalidArgument("array", "a failure of the body", "none");
}

TEST(ConsistentMinima, TakeOneAllReduceWithTheProof) {
  const test::CountingCommunicator counted(world());
  EXPECT_EQ(consistent_minima<2>(even(), counted, mine), (Words{0, 1 - world_size()}));
  EXPECT_EQ(counted.traffic.allreduces, 1);
  EXPECT_EQ(counted.traffic.collectives(), 1);
}

TEST(ConsistentMinima, AreThoseOfAPaddedArrayToo) {
  const BlockPadding ring({1, 1}, {}, true);
  const DistArray padded =
      allocate<double>({block(3 * world_size(), {world_size(), world_rank()}, ring)});
  for (int times = 0; times < 2; ++times)  // the first time to prove it, then with the proof kept
    EXPECT_EQ(consistent_minima<2>(padded, world(), mine), (Words{0, 1 - world_size()}));
}

TEST(ConsistentMinima, AFailureOnOneRankIsEverybodys) {
  const DistArray array = even();
  for (int victim = 0; victim < world_size(); ++victim)
    expect_refused_everywhere("argument", [&] {
      consistent_minima<2>(array, world(), world_rank() == victim ? fails : mine);
    });
}

TEST(ConsistentMinima, WhatIsWrongWithTheArrayComesFirst) {
  for (int victim = 1; victim < world_size(); ++victim) {
    const DistArray gap = with_a_gap(victim);
    for (int other = 0; other < world_size(); ++other)
      expect_refused_everywhere(
          "B09", [&] { consistent_minima<2>(gap, world(), world_rank() == other ? fails : mine); });
  }
}

TEST(ConsistentMinima, AnArrayThatOneRankLacksIsEverybodysError) {
  for (int victim = 0; victim < world_size(); ++victim) {
    const DistArray array = world_rank() == victim ? DistArray() : even();
    expect_refused_everywhere("array.empty", [&] {
      consistent_minima<2>(array, world(), [&] { return Words{array.local_count(), 0}; });
    });
  }
}

TEST(CodeOf, TellsValuesTheirOrderAndTheirNumber) {
  EXPECT_EQ(adapter::code_of({3, -1}), adapter::code_of({3, -1}));
  EXPECT_NE(adapter::code_of({3, -1}), adapter::code_of({-1, 3}));
  EXPECT_NE(adapter::code_of({3, 0}), adapter::code_of({3}));
  EXPECT_GE(adapter::code_of({INT64_MIN, INT64_MAX}), 0);
}

}  // namespace
}  // namespace daptor
