// SPDX-License-Identifier: BSD-3-Clause
// require_consistent, on simulated ranks.

#include <gtest/gtest.h>

#include <new>

#include "daptor/consistent.hpp"
#include "daptor/simulated.hpp"
#include "everywhere.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

const DataType float64 = DataType::of<double>();

/// One rank's description, also in the other version of the protocol.
Section describe_as(Version version, const DataType& type, std::vector<Dimension> dimensions) {
  const Section array = describe(type, nullptr, dimensions);
  return Section(version, array.buffer(), std::move(dimensions));
}

/// The finding of a rule, the same on all ranks; its rule is null if nothing is found.
Finding refused_by(const Comm& comm, const std::string& rule, const Section& array) {
  Finding finding;
  expect_rule(comm, "", [&] {
    try {
      require_consistent(array.on(comm));
    } catch (const Malformed& error) {
      for (const Finding& each : error.report().findings()) {
        if (each.rule == rule && finding.rule.empty()) finding = each;
      }
      throw;
    }
  });
  EXPECT_EQ(finding.rule, rule);
  return finding;
}

/// The rank at fault has `odd`, the others `normal`: the rule refuses them, and names the rank that
/// differs from rank 0. Every rank is at fault in turn. The error of a GlobalIndexMap has the same
/// rank, and the rule, or `first`, which is judged before it.
void expect_difference(const std::string& rule, const std::string& found,
                       const std::function<Section(Index rank)>& normal,
                       const std::function<Section(Index rank)>& odd, int dimension,
                       const std::string& first = "") {
  constexpr int ranks = 4;
  for (int culprit = 0; culprit < ranks; ++culprit) {
    SCOPED_TRACE(rule + ", rank " + std::to_string(culprit));
    run_simulated(ranks, [&](const Comm& comm) {
      const int rank = comm.rank();
      const Section array = rank == culprit ? odd(rank) : normal(rank);
      const Finding finding = refused_by(comm, rule, array);
      const int named = expect_rule(comm, first.empty() ? rule : first,
                                    [&] { GlobalIndexMap map(array.on(comm)); });
      EXPECT_EQ(named, first.empty() && culprit == 0 ? 1 : culprit);
      EXPECT_EQ(finding.rank(), culprit == 0 ? 1 : culprit);
      EXPECT_EQ(finding.rank_count, culprit == 0 ? ranks - 1 : 1);
      EXPECT_EQ(finding.dimension, dimension);
      if (culprit > 0) {
        EXPECT_NE(finding.found.str().find(found), std::string::npos) << finding.found;
      }
    });
  }
}

void expect_difference_in_one(const std::string& rule, const std::string& found,
                              const std::function<Dimension(GridPosition)>& normal,
                              const std::function<Dimension(GridPosition)>& odd,
                              const std::string& first = "") {
  const auto array = [](const std::function<Dimension(GridPosition)>& make) {
    return [make](Index rank) {
      return describe(float64, nullptr, {undistributed(3), make({4, rank})});
    };
  };
  expect_difference(rule, found, array(normal), array(odd), 1, first);
}

TEST(Consistency, EveryKeyOfADimension) {
  const auto even = [](GridPosition grid) { return block(12, grid); };
  expect_difference_in_one("D05", "dist_type 'c'", even,
                           [](GridPosition grid) { return cyclic(12, grid, 3); });
  expect_difference_in_one("D10", "size 13", even,
                           [](GridPosition grid) { return block(13, grid); });
  expect_difference_in_one(
      "D15", "proc_grid_size 5", even,
      [](GridPosition grid) {
        return block(12, {5, grid.rank});
      },
      "D14");
  expect_difference_in_one("D25", "periodic true", even, [](GridPosition grid) {
    return Dimension(12, block(12, grid).distribution(), true);
  });
  expect_difference_in_one("P06", "a padding key", even,
                           [](GridPosition grid) { return block(12, grid, BlockPadding{}); });
  expect_difference_in_one(
      "C06", "block_size 3", [](GridPosition grid) { return cyclic(12, grid, 2); },
      [](GridPosition grid) { return cyclic(12, grid, 3); });
  expect_difference_in_one(
      "U10", "one_to_one true",
      [](GridPosition grid) { return unstructured(4, grid, IndexList({grid.rank})); },
      [](GridPosition grid) { return unstructured(4, grid, IndexList({grid.rank}), true); });
}

TEST(Consistency, EveryKeyOfTheArray) {
  const auto make = [](Version version, const DataType& type, int more) {
    return [=](Index rank) {
      std::vector<Dimension> dimensions{block(12, {4, rank})};
      dimensions.insert(dimensions.end(), static_cast<std::size_t>(more), undistributed(1));
      return describe_as(version, type, dimensions);
    };
  };
  const auto normal = make(protocol_0_9, float64, 1);
  expect_difference("T08", "0.10", normal, make(protocol_0_10, float64, 1), -1);
  expect_difference("T14", "3 dimensions", normal, make(protocol_0_9, float64, 2), -1);
  expect_difference("T14", "302 dimensions", normal, make(protocol_0_9, float64, 301), -1);
  expect_difference("T14", "1 dimensions", normal, make(protocol_0_9, float64, 0), -1);
  expect_difference("T16", "float32", normal, make(protocol_0_9, DataType::of<float>(), 1), -1);
  expect_difference("T16", "int64", normal, make(protocol_0_9, DataType::of<long>(), 1), -1);
  expect_difference("T16", "big-endian", normal,
                    make(protocol_0_9, DataType(Kind::floating, 8, ByteOrder::big), 1), -1);
}

TEST(Consistency, ADifferenceInTheLastOfVeryManyDimensions) {
  const auto make = [](Index last) {
    return [last](Index rank) {
      std::vector<Dimension> dimensions{block(12, {4, rank})};
      dimensions.insert(dimensions.end(), 199, undistributed(1));
      dimensions.push_back(undistributed(last));
      return describe(float64, nullptr, dimensions);
    };
  };
  expect_difference("D10", "size 2", make(1), make(2), 200);
}

TEST(Consistency, EveryDifferenceIsNamed) {
  run_simulated(4, [](const Comm& comm) {
    const Index rank = comm.rank();
    // Rank 1 has another size, rank 3 another distribution in the same dimension.
    const Dimension mine = rank == 3   ? cyclic(12, {4, rank}, 3)
                           : rank == 1 ? block(11, {4, rank})
                                       : block(12, {4, rank});
    const Section array = describe(float64, nullptr, {mine});
    EXPECT_EQ(refused_by(comm, "D05", array).rank(), 3);
    EXPECT_EQ(refused_by(comm, "D10", array).rank(), 1);
  });
}

TEST(Consistency, WhatMayDifferMay) {
  run_simulated(3, [](const Comm& comm) {
    const Index rank = comm.rank();
    // These may differ between ranks: patch versions, padding widths, section sizes, the byte order
    // of single bytes, strides, and whether the memory is read-only.
    require_consistent(
        describe_as({0, 9, static_cast<int>(rank)}, float64, {block(9, {3, rank})}).on(comm));
    require_consistent(
        describe(float64, nullptr, {block(9, {3, rank}, BlockPadding{{rank, 2 - rank}, {}, true})})
            .on(comm));
    const IndexRange owned[] = {{0, 5}, {5, 5}, {5, 6}};
    require_consistent(describe(float64, nullptr, {block(6, {3, rank}, owned[rank])}).on(comm));
    const ByteOrder order = rank == 1 ? ByteOrder::big : ByteOrder::little;
    require_consistent(
        describe(DataType(Kind::boolean, 1, order), nullptr, {block(9, {3, rank})}).on(comm));
    require_consistent(
        describe(float64, nullptr, {block(9, {3, rank})}, Order::c, rank == 2).on(comm));
    // Under 0.10 a dictionary without a padding key has no padding, whatever the other processes
    // say.
    const Dimension padded =
        rank == 0 ? block(9, {3, rank}) : block(9, {3, rank}, BlockPadding{{0, 0}, {}, false});
    require_consistent(describe_as(protocol_0_10, float64, {padded}).on(comm));
  });
}

TEST(Consistency, AsManyProcessesAsTheCommunicatorHas) {
  // One rank alone has another grid.
  for (int culprit = 1; culprit < 4; ++culprit) {
    run_simulated(4, [&](const Comm& comm) {
      const int rank = comm.rank();
      const DistArray array =
          describe(float64, nullptr, {block(8, {rank == culprit ? 5 : 4, rank})}).on(comm);
      EXPECT_EQ(expect_rule(comm, "D14", [&] { require_consistent(array); }), culprit);
      EXPECT_EQ(expect_rule(comm, "D14", [&] { GlobalIndexMap map(array); }), culprit);
    });
  }
  for (const int ranks : {1, 2, 5}) {
    run_simulated(ranks, [&](const Comm& comm) {
      const DistArray more =
          describe(float64, nullptr, {block(12, {ranks + 1, comm.rank()})}).on(comm);
      expect_rule(comm, "D14", [&] { require_consistent(more); });
      if (ranks == 1) return;
      const DistArray none = describe(float64, nullptr, {undistributed(3)}).on(comm);
      expect_rule(comm, "D14", [&] { require_consistent(none); });
    });
  }
  run_simulated(1, [](const Comm& comm) {
    require_consistent(describe(float64, nullptr, {undistributed(3)}).on(comm));
    require_consistent(describe(float64, nullptr, std::vector<Dimension>{}).on(comm));
  });
}

TEST(Consistency, ListsNeedNotAddUpToTheSize) {
  run_simulated(3, [](const Comm& comm) {
    const std::vector<Index> lists[] = {{1, 2, 3}, {}, {3, -7}};
    require_consistent(describe(float64, nullptr,
                                {unstructured(4, {3, comm.rank()}, IndexList(lists[comm.rank()]))})
                           .on(comm));
  });
}

TEST(Consistency, ArraysBeyond64Bits) {
  const Index huge = Index{1} << 32;
  // 2^64 elements on 4 ranks in uneven blocks, without a gap and with one.
  for (const Index missing : {0, 1}) {
    run_simulated(4, [&](const Comm& comm) {
      const Index i = comm.rank() / 2;
      const IndexRange owned{i == 0 ? 0 : huge / 2 + 1 + missing, i == 0 ? huge / 2 + 1 : huge};
      const Section array =
          describe(DataType::of<unsigned char>(), nullptr,
                   {block(huge, {2, i}, owned), block(huge, {2, comm.rank() % 2})});
      if (missing == 0) {
        require_consistent(array.on(comm));
      } else {
        EXPECT_EQ(refused_by(comm, "B09", array).dimension, 0);
      }
    });
  }
}

TEST(Consistency, AHundredRanks) {
  run_simulated(100, [](const Comm& comm) {
    const Index rank = comm.rank();
    const auto array = [&](Index block_size) {
      return describe(float64, nullptr, {cyclic(1000, {100, rank}, block_size)});
    };
    require_consistent(array(3).on(comm));
    EXPECT_EQ(
        expect_rule(comm, "C06", [&] { require_consistent(array(rank < 50 ? 3 : 4).on(comm)); }),
        50);
  });
}

int failing_rank = -1;

// The points that are passed while the failure is reported fail too.
TEST(Consistency, AFaultAtEveryPointOfOneRankIsEverybodysError) {
  const FaultHookGuard guard([](const char*) {
    if (daptor::detail::simulated_rank() == failing_rank) throw std::bad_alloc();
  });
  for (failing_rank = 0; failing_rank < 5; ++failing_rank) {
    run_simulated(5, [](const Comm& comm) {
      const DistArray array = describe(float64, nullptr, {block(9, {5, comm.rank()})}).on(comm);
      EXPECT_EQ(expect_rule(comm, "library.c++", [&] { require_consistent(array); }), failing_rank);
    });
  }
}

}  // namespace
