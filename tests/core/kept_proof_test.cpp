// SPDX-License-Identifier: BSD-3-Clause
// A consistent array is not proven again, on simulated ranks: which objects keep the proof, and
// when it does not count.

#include <gtest/gtest.h>

#include <memory>

#include "counting_communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/simulated.hpp"
#include "daptor/validate.hpp"
#include "global_map_checks.hpp"
#include "simulated_faults.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

const Layout uneven{{block_axis({3, 0, 4, 1, 2}, {{1, 1}, {}, true})}, {}};
const Layout permuted{{block_axis({3, 0, 4, 1, 2}), undistributed_axis(2)}, {2, 0, 4, 1, 3}};

/// The number of communicator calls that `body` makes.
template <class F>
int calls_of(const CountingCommunicator& comm, F&& body) {
  const int before = comm.traffic.calls();
  body();
  return comm.traffic.calls() - before;
}

TEST(KeptProof, ASecondCallAsksOnce) {
  for (const Layout& layout : {uneven, permuted}) {
    run_simulated(5, [&](const Comm& ranks) {
      const CountingCommunicator comm(ranks);
      const DistArray array = layout.array(comm.rank()).on(comm);
      EXPECT_GT(calls_of(comm, [&] { require_consistent(array); }), 1);
      EXPECT_EQ(calls_of(comm, [&] { require_consistent(array); }), 1);
      // Copies have the proof, and so does the same description on other memory.
      const DistArray copy = array;
      std::vector<double> memory(static_cast<std::size_t>(array.local_count()));
      for (const DistArray& same : {copy, array.with_memory(memory.data()), array.as_readonly()})
        EXPECT_EQ(calls_of(comm, [&] { require_consistent(same); }), 1);
      // A map uses the proof, and its answers are right.
      const GlobalIndexMap map(copy);
      check_map(map, layout, comm.rank());
      // A new description of the same sections is another array.
      const DistArray again = layout.array(comm.rank()).on(comm);
      EXPECT_GT(calls_of(comm, [&] { require_consistent(again); }), 1);
    });
  }
}

TEST(KeptProof, AMapAndAValidationLeaveOneToo) {
  run_simulated(5, [](const Comm& ranks) {
    const CountingCommunicator comm(ranks);
    const DistArray mapped = uneven.array(comm.rank()).on(comm);
    const GlobalIndexMap map(mapped);
    EXPECT_EQ(calls_of(comm, [&] { require_consistent(mapped); }), 1);
    const DistArray validated = uneven.array(comm.rank()).on(comm);
    EXPECT_TRUE(validate(validated));
    EXPECT_EQ(calls_of(comm, [&] { require_consistent(validated); }), 1);
    // A warning (D20) does not prevent it. A validation always checks again, and reports its
    // warnings again.
    const DistArray warned = permuted.array(comm.rank()).on(comm);
    EXPECT_TRUE(validate(warned).has("D20"));
    EXPECT_EQ(calls_of(comm, [&] { require_consistent(warned); }), 1);
    EXPECT_TRUE(validate(warned).has("D20"));
  });
}

TEST(KeptProof, OneRankWithoutItMakesAllWalk) {
  for (int odd = 0; odd < 5; ++odd) {
    run_simulated(5, [&](const Comm& ranks) {
      const CountingCommunicator comm(ranks);
      const DistArray array = uneven.array(comm.rank()).on(comm);
      require_consistent(array);
      const DistArray fresh = uneven.array(comm.rank()).on(comm);
      const DistArray& mine = comm.rank() == odd ? fresh : array;
      EXPECT_GT(calls_of(comm, [&] { require_consistent(mine); }), 1);
      EXPECT_EQ(calls_of(comm, [&] { require_consistent(mine); }), 1);
      // The other ranks now keep a later proof than this rank has for `array`.
      EXPECT_GT(calls_of(comm, [&] { require_consistent(array); }), 1);
    });
  }
}

TEST(KeptProof, SectionsOfTwoProvenArraysAreNoProvenArray) {
  for (int odd = 0; odd < 4; ++odd) {
    run_simulated(4, [&](const Comm& comm) {
      const Layout one{{block_axis({3, 3, 3, 1})}, {}};
      const Layout other{{block_axis({1, 2, 3, 4})}, {}};
      const DistArray a = one.array(comm.rank()).on(comm);
      const DistArray b = other.array(comm.rank()).on(comm);
      require_consistent(a);
      require_consistent(b);
      const DistArray& mine = comm.rank() == odd ? a : b;
      expect_rule(comm, "B09", [&] { require_consistent(mine); });
      expect_rule(comm, "B09", [&] { GlobalIndexMap map(mine); });
      require_consistent(a);
      require_consistent(b);
    });
  }
}

TEST(KeptProof, AnotherCommunicatorIsAnotherQuestion) {
  run_simulated(5, [](const Comm& ranks) {
    const Section array = uneven.array(ranks.rank());
    auto one = std::make_unique<CountingCommunicator>(ranks);
    require_consistent(array.on(*one));
    EXPECT_EQ(calls_of(*one, [&] { require_consistent(array.on(*one)); }), 1);
    // Also if the new communicator is made at the same address.
    for (int i = 0; i < 3; ++i) {
      one.reset();
      one = std::make_unique<CountingCommunicator>(ranks);
      EXPECT_GT(calls_of(*one, [&] { require_consistent(array.on(*one)); }), 1);
    }
    // The array keeps the last proof only, which does not count if some ranks call over one
    // communicator and some over the other.
    const CountingCommunicator two(ranks);
    require_consistent(array.on(two));
    const CountingCommunicator& mixed = ranks.rank() % 2 == 0 ? *one : two;
    EXPECT_GT(calls_of(mixed, [&] { require_consistent(array.on(mixed)); }), 1);
  });
}

TEST(KeptProof, ABrokenArrayIsBrokenEachTime) {
  run_simulated(4, [](const Comm& comm) {
    const Index rank = comm.rank();
    const IndexRange owned{3 * rank + (rank == 2 ? 1 : 0), 3 * rank + 3};
    const DistArray array =
        describe(DataType::of<double>(), nullptr, {block(12, {4, rank}, owned)}).on(comm);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(expect_rule(comm, "B09", [&] { require_consistent(array); }), 2);
      EXPECT_EQ(expect_rule(comm, "B09", [&] { GlobalIndexMap map(array); }), 2);
    }
  });
}

TEST(KeptProof, AFaultOnOneRankIsEverybodysErrorAndPasses) {
  SimulatedFaults::expect_agreed(5, [](const Comm& comm) {
    const DistArray array = permuted.array(comm.rank()).on(comm);
    require_consistent(array);
    return FaultyCall{[array] { GlobalIndexMap map(array); },
                      [array, &comm] { check_map(GlobalIndexMap(array), permuted, comm.rank()); }};
  });
}

}  // namespace
