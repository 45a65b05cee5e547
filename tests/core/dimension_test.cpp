// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/dimension.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "text.hpp"

namespace daptor {
namespace {

using test::text;

/// The ids of the findings in order, errors marked with '!': "B06 P17", "!B04".
std::string findings(const Dimension& dimension, Version version = protocol_0_9) {
  std::string text;
  for (const Finding& finding : check_dimension(dimension, 3, version)) {
    EXPECT_EQ(finding.dimension, 3);
    EXPECT_FALSE(finding.found.empty());
    EXPECT_FALSE(finding.expected.empty());
    text += (text.empty() ? "" : " ") +
            std::string(finding.severity == Severity::error ? "!" : "") + finding.rule;
  }
  return text;
}

Dimension block_of(Index size, GridPosition grid, Index start, Index stop) {
  return {size, Block{grid, {start, stop}, {}, {}, false}};
}

Dimension padded_block(GridPosition grid, IndexRange owned, Padding boundary, Padding communication,
                       bool periodic = false, bool padded = true, Index size = 10) {
  return {size, Block{grid, owned, boundary, communication, padded}, periodic};
}

Dimension cyclic_of(Index size, GridPosition grid, Index start, Index block_size = 1) {
  return {size, Cyclic{grid, start, block_size}};
}

TEST(CheckDimension, SizeAndGrid) {
  EXPECT_EQ(findings(Dimension(0, Undistributed{})), "");
  EXPECT_EQ(findings(Dimension(-1, Undistributed{})), "!D08");
  EXPECT_EQ(findings(Dimension(INT64_MIN, Undistributed{})), "!D08");
  EXPECT_EQ(findings(Dimension(INT64_MAX, Undistributed{})), "");
  EXPECT_EQ(findings(block_of(10, {0, 0}, 0, 10)), "!D13");
  EXPECT_EQ(findings(block_of(10, {-4, 0}, 0, 10)), "!D13");
  EXPECT_EQ(findings(block_of(10, {2, 2}, 5, 10)), "!D18");
  EXPECT_EQ(findings(block_of(10, {2, -1}, 0, 5)), "!D18");
  EXPECT_EQ(findings(block_of(-10, {0, 0}, 5, 1)), "!D08 !D13") << "what follows is not echoed";
  EXPECT_EQ(findings(cyclic_of(10, {0, 0}, 0, 0)), "!D13");
  EXPECT_EQ(findings(Dimension(3, Unstructured{{2, 5}, {}, false})), "!D18");
}

/// The remedy of the first finding.
std::string remedy(const Dimension& dimension) {
  const auto found = check_dimension(dimension, 0);
  return found.empty() ? "" : found.front().remedy.str();
}

TEST(CheckDimension, SaysWhichSlipARangeLooksLike) {
  const auto about = [](GridPosition grid, Index start, Index stop, const char* words) {
    const std::string text = remedy(block_of(10, grid, start, stop));
    EXPECT_NE(text.find(words), std::string::npos) << start << ", " << stop << ": " << text;
    EXPECT_EQ(text.find("proc_grid_rank"), std::string::npos);
  };
  about({2, 1}, 5, 9, "one past the last index");  // inclusive stops
  about({1, 0}, 0, 9, "one past the last index");
  about({3, 2}, 8, 2, "not as start and length");  // counts
  about({3, 2}, 6, 4, "not as start and length");
  about({2, 1}, 4, 6, "not as start and length");
  about({2, 0}, 1, 5, "count from 0");  // counted from 1
  about({2, 1}, 6, 11, "Subtract 1 from a start");
  about({1, 0}, 1, 11, "Subtract 1 from a start");
  about({2, 1}, 0, 5, "those of the whole dimension");  // of the section
  about({3, 0}, 4, 7, "order of the processes");        // rotated
  about({3, 2}, 4, 7, "order of the processes");
  about({2, 1}, 12, 22, "that of the whole array");
  EXPECT_EQ(remedy(Dimension(10, Block{{2, 0}, {1, 5}, {1, 0}, {}, true})),
            "Count global indices from 0, including boundary padding.");
}

TEST(CheckDimension, SaysWhichSlipDealtBlocksLookLike) {
  const auto about = [](const Dimension& dimension, const char* words) {
    const std::string text = remedy(dimension);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  about(cyclic_of(64, {2, 1}, 8), "with blocks of 8 the start is right");
  about(cyclic_of(64, {2, 1}, 24, 8), "that of process 3");
}

TEST(CheckDimension, RangesOfBlocks) {
  EXPECT_EQ(findings(block_of(10, {2, 0}, 0, 5)), "");
  EXPECT_EQ(findings(block_of(10, {2, 1}, 5, 10)), "");
  EXPECT_EQ(findings(block_of(10, {3, 1}, -2, 5)), "!B02");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 5, 11)), "!B08");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 5, 4)), "!B04");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 10, 9)), "!E03");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 10, 11)), "!B08 !E03");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 12, 5)), "!B04");
  EXPECT_EQ(findings(block_of(10, {3, 1}, -3, -3)), "!B02 B06");
  EXPECT_EQ(findings(block_of(10, {3, 0}, 1, 5)), "!B10");
  EXPECT_EQ(findings(block_of(10, {3, 2}, 5, 9)), "!B11");
  EXPECT_EQ(findings(block_of(10, {1, 0}, 1, 9)), "!B10 !B11");
  EXPECT_EQ(findings(block_of(INT64_MAX, {1, 0}, INT64_MIN, INT64_MAX)), "!B02");
  EXPECT_EQ(findings(block_of(0, {1, 0}, INT64_MAX, INT64_MIN)), "!B04");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 6, INT64_MIN)), "!B04");
}

TEST(CheckDimension, EmptyBlocks) {
  EXPECT_EQ(findings(block_of(10, {3, 2}, 10, 10)), "");
  EXPECT_EQ(findings(block_of(0, {3, 0}, 0, 0)), "");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 4, 4)), "B06");
  EXPECT_EQ(findings(block_of(10, {3, 1}, 4, 4), protocol_0_10), "");
  EXPECT_EQ(findings(block_of(10, {3, 0}, 0, 0)), "B06");
  EXPECT_EQ(findings(block_of(10, {3, 0}, 10, 10)), "!B10") << "rank 0 starts at 0";
  EXPECT_EQ(findings(block_of(10, {1, 0}, 10, 10)), "!B10") << "nobody would own anything";
}

TEST(CheckDimension, PaddingOnItsEdges) {
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {}, {1, 2})), "");
  EXPECT_EQ(findings(padded_block({3, 0}, {0, 3}, {1, 0}, {0, 2})), "");
  EXPECT_EQ(findings(padded_block({3, 2}, {6, 10}, {0, 1}, {1, 0})), "");
  EXPECT_EQ(findings(padded_block({1, 0}, {0, 10}, {1, 2}, {})), "");
  EXPECT_EQ(findings(padded_block({1, 0}, {0, 10}, {}, {1, 2}, true)), "");
  EXPECT_EQ(findings(padded_block({1, 0}, {0, 10}, {1, 2}, {}, true)), "") << "as 0.10.x has it";
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {1, 0}, {0, 1})), "!P08");
  EXPECT_EQ(findings(padded_block({3, 0}, {0, 3}, {0, 1}, {})), "!P08");
  EXPECT_EQ(findings(padded_block({3, 0}, {0, 3}, {}, {1, 1})), "!P09");
  EXPECT_EQ(findings(padded_block({3, 2}, {6, 10}, {}, {1, 1})), "!P09");
  EXPECT_EQ(findings(padded_block({3, 0}, {0, 3}, {1, 0}, {1, 1}, true)), "!P08")
      << "two kinds on one edge";
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {}, {1, 2}, false, false)), "!P05");
}

TEST(CheckDimension, WidthsOfPadding) {
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {}, {-1, 0})), "!P03");
  EXPECT_EQ(findings(padded_block({3, 0}, {0, 3}, {-1, 0}, {0, -1})), "!P03 !P03");
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {}, {INT64_MAX, 1})), "!P13");
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {}, {INT64_MAX, 0})), "!P13");
  EXPECT_EQ(findings(padded_block({3, 1}, {3, 6}, {}, {INT64_MIN, INT64_MIN})), "!P03");
  EXPECT_EQ(findings(padded_block({3, 0}, {0, 3}, {4, 0}, {})), "P17");
  EXPECT_EQ(findings(padded_block({1, 0}, {0, 10}, {5, 5}, {})), "");
  EXPECT_EQ(findings(padded_block({1, 0}, {0, 10}, {6, 5}, {})), "P17");
  EXPECT_EQ(findings(padded_block({1, 0}, {0, 10}, {INT64_MAX, INT64_MAX}, {})), "P17");
  EXPECT_EQ(findings(padded_block({3, 2}, {10, 10}, {}, {1, 0})), "A12");
  EXPECT_EQ(findings(padded_block({3, 2}, {10, 10}, {0, 1}, {})), "A12");
  // An undistributed dimension is a block over one process.
  const Dimension nothing(0, Undistributed{{}, {1, 1}, true}, true);
  EXPECT_EQ(findings(nothing), "A12");
  EXPECT_EQ(nothing.local_extent(), 0);
}

TEST(CheckDimension, PaddingOfAnUndistributedDimension) {
  EXPECT_EQ(findings(Dimension(10, Undistributed{{1, 2}, {}, true})), "");
  EXPECT_EQ(findings(Dimension(10, Undistributed{{}, {1, 2}, true}, true)), "");
  EXPECT_EQ(findings(Dimension(10, Undistributed{{}, {1, 2}, true})), "!P09");
  EXPECT_EQ(findings(Dimension(10, Undistributed{{-1, 2}, {}, true})), "!P03");
  EXPECT_EQ(findings(Dimension(10, Undistributed{{}, {INT64_MAX, 0}, true}, true)), "!P13");
  EXPECT_EQ(findings(Dimension(2, Undistributed{{1, 2}, {}, true})), "P17");
  EXPECT_EQ(findings(Dimension(10, Undistributed{{1, 2}, {}, false})), "!P05");
}

TEST(CheckDimension, StartsOfCyclicDimensions) {
  EXPECT_EQ(findings(cyclic_of(10, {3, 0}, 0)), "");
  EXPECT_EQ(findings(cyclic_of(10, {3, 2}, 2)), "");
  EXPECT_EQ(findings(cyclic_of(10, {3, 1}, 4, 4)), "");
  EXPECT_EQ(findings(cyclic_of(10, {3, 1}, 0)), "C10");
  EXPECT_EQ(findings(cyclic_of(10, {3, 1}, -1)), "!C02");
  EXPECT_EQ(findings(cyclic_of(10, {3, 1}, 11)), "!C03");
  EXPECT_EQ(findings(cyclic_of(3, {5, 4}, 4)), "C03") << "what a surplus process would start at";
  EXPECT_EQ(findings(cyclic_of(3, {5, 4}, 3)), "") << "clipped to size";
  EXPECT_EQ(findings(cyclic_of(3, {5, 3}, 4)), "!C03");
  EXPECT_EQ(findings(cyclic_of(10, {3, 0}, 0, 0)), "!C05");
  EXPECT_EQ(findings(cyclic_of(10, {3, 0}, 0, -3)), "!C05");
  EXPECT_EQ(findings(cyclic_of(10, {3, 1}, 3, 2)), "!C09");
  EXPECT_EQ(findings(cyclic_of(10, {3, 1}, 3, 1)), "!C11") << "no process starts with block 3";
  EXPECT_EQ(findings(cyclic_of(10, {1, 0}, 0, INT64_MAX)), "");
  EXPECT_EQ(findings(cyclic_of(INT64_MAX, {INT64_MAX, INT64_MAX - 1}, 0, INT64_MAX)), "C10")
      << "rank times block size beyond 64 bits";
  EXPECT_EQ(findings(cyclic_of(0, {3, 1}, 0)), "");
  EXPECT_EQ(findings(cyclic_of(0, {3, 1}, 1)), "C03");
}

// --- counts

/// The number of owned indices of the process whose first index is `start`, found by dealing one
/// block after another.
Index dealt_to(Index size, Index block_size, Index processes, Index start) {
  if (start >= size) return 0;
  const Index first_block = start / block_size;
  Index count = 0;
  for (Index i = 0; i < size; ++i)
    if (i / block_size % processes == first_block) ++count;
  return count;
}

TEST(Dimension, CyclicCountsAsBlocksAreDealt) {
  for (Index size = 0; size <= 40; ++size) {
    for (Index processes = 1; processes <= 7; ++processes) {
      for (Index block_size = 1; block_size <= 41; ++block_size) {
        Index total = 0;
        for (Index position = 0; position < processes; ++position) {
          const Index start = std::min(position * block_size, size);
          const Index expected = dealt_to(size, block_size, processes, start);
          ASSERT_EQ(cyclic_owned_count(size, block_size, processes, position), expected)
              << size << ' ' << processes << ' ' << block_size << ' ' << position;
          const Dimension d = cyclic_of(size, {processes, position}, start, block_size);
          ASSERT_EQ(d.owned_count(), expected);
          ASSERT_EQ(d.local_extent(), expected);
          total += expected;
        }
        ASSERT_EQ(total, size);
      }
    }
  }
}

TEST(Dimension, CyclicCountsOfTheChecklist) {
  const auto counts = [](Index size, Index block_size, Index processes) {
    std::vector<Index> result;
    for (Index p = 0; p < processes; ++p)
      result.push_back(cyclic_owned_count(size, block_size, processes, p));
    return result;
  };
  EXPECT_EQ(counts(7, 2, 2), (std::vector<Index>{4, 3}));
  EXPECT_EQ(counts(5, 2, 3), (std::vector<Index>{2, 2, 1}));
  EXPECT_EQ(counts(10, 3, 2), (std::vector<Index>{6, 4}));
}

TEST(Dimension, CyclicCountsBeyondThirtyTwoBits) {
  const Index size = (Index{1} << 33) + 5;
  EXPECT_EQ(cyclic_owned_count(size, 1, 2, 0), (Index{1} << 32) + 3);
  EXPECT_EQ(cyclic_owned_count(INT64_MAX, 1, 1, 0), INT64_MAX);
  EXPECT_EQ(cyclic_owned_count(INT64_MAX, INT64_MAX, 3, 0), INT64_MAX);
  EXPECT_EQ(cyclic_owned_count(INT64_MAX, INT64_MAX, 3, 1), 0);
  EXPECT_EQ(cyclic_owned_count(INT64_MAX, INT64_MAX - 1, 2, 1), 1);
}

TEST(Dimension, EvenBlocksTileWithTheRemainderInFront) {
  for (Index size = 0; size <= 40; ++size) {
    for (Index processes = 1; processes <= 9; ++processes) {
      Index next = 0;
      Index previous = INT64_MAX;
      for (Index rank = 0; rank < processes; ++rank) {
        const IndexRange range = even_block(size, {processes, rank});
        ASSERT_EQ(range.start, next);
        ASSERT_LE(range.size(), previous) << "larger blocks first";
        ASSERT_GE(range.size(), size / processes);
        ASSERT_LE(range.size(), size / processes + 1);
        next = range.stop;
        previous = range.size();
      }
      ASSERT_EQ(next, size);
    }
  }
  EXPECT_EQ(even_block(INT64_MAX, {INT64_MAX, INT64_MAX - 1}).stop, INT64_MAX);
  EXPECT_EQ(even_block(INT64_MAX, {2, 1}), (IndexRange{Index{1} << 62, INT64_MAX}));
}

TEST(Dimension, CountsRefuseGridsWithoutProcesses) {
  EXPECT_THROW(even_block(10, {0, 0}), InvalidArgument);
  EXPECT_THROW(even_block(10, {-1, 0}), InvalidArgument);
  EXPECT_THROW(cyclic_owned_count(10, 0, 2, 0), InvalidArgument);
  EXPECT_THROW(cyclic_owned_count(10, 1, 0, 0), InvalidArgument);
  EXPECT_THROW(static_cast<void>(cyclic_of(10, {2, 0}, 0, 0).owned_count()), InvalidArgument)
      << "not a division by zero";
}

TEST(Dimension, ExtentIsOwnedAndCommunicationPadding) {
  const Dimension first = padded_block({2, 0}, {0, 9}, {1, 0}, {0, 1}, false, true, 18);
  EXPECT_EQ(first.owned_count(), 9);
  EXPECT_EQ(first.local_extent(), 10);
  EXPECT_EQ(first.boundary_padding(), (Padding{1, 0}));
  EXPECT_EQ(first.communication_padding(), (Padding{0, 1}));
  const Dimension wrapped(10, Undistributed{{}, {2, 3}, true}, true);
  EXPECT_EQ(wrapped.owned_count(), 10);
  EXPECT_EQ(wrapped.local_extent(), 15);
  const Dimension bounded(10, Undistributed{{2, 3}, {}, true});
  EXPECT_EQ(bounded.local_extent(), 10);
  const Dimension list(30, Unstructured{{3, 1}, IndexList({6, 13, 3}), false});
  EXPECT_EQ(list.owned_count(), 3);
  EXPECT_EQ(list.local_extent(), 3);
  EXPECT_EQ(list.communication_padding(), Padding{});
}

TEST(Dimension, AnEmptySectionHasNoPadding) {
  const Dimension empty = padded_block({3, 2}, {10, 10}, {0, 2}, {1, 0});
  EXPECT_EQ(empty.communication_padding(), Padding{});
  EXPECT_EQ(empty.boundary_padding(), Padding{});
  EXPECT_EQ(empty.local_extent(), 0);
  const Dimension in_between = padded_block({3, 1}, {4, 4}, {}, {1, 1});
  EXPECT_EQ(in_between.local_extent(), 2) << "its neighbours' indices are there";
}

TEST(Dimension, KnowsItsTypeAndGrid) {
  EXPECT_EQ(Dimension(3, Undistributed{}).dist_type(), 'n');
  EXPECT_EQ(Dimension(3, Undistributed{}).grid(), (GridPosition{1, 0}));
  EXPECT_EQ(block_of(10, {2, 1}, 5, 10).dist_type(), 'b');
  EXPECT_EQ(block_of(10, {2, 1}, 5, 10).grid(), (GridPosition{2, 1}));
  EXPECT_EQ(cyclic_of(10, {2, 1}, 1).dist_type(), 'c');
  EXPECT_EQ(Dimension(3, Unstructured{{2, 1}, {}, false}).dist_type(), 'u');
  EXPECT_NE(block_of(10, {2, 1}, 5, 10).as<Block>(), nullptr);
  EXPECT_EQ(block_of(10, {2, 1}, 5, 10).as<Cyclic>(), nullptr);
}

TEST(Dimension, EqualityCoversEveryField) {
  const std::vector<Dimension> different = {
      Dimension(10, Undistributed{}),
      Dimension(11, Undistributed{}),
      Dimension(10, Undistributed{}, true),
      Dimension(10, Undistributed{{}, {}, true}),
      Dimension(10, Undistributed{{1, 0}, {}, true}),
      Dimension(10, Undistributed{{}, {1, 0}, true}, true),
      block_of(10, {1, 0}, 0, 10),
      block_of(10, {2, 0}, 0, 10),
      block_of(10, {2, 1}, 0, 10),
      block_of(10, {2, 1}, 5, 10),
      padded_block({2, 1}, {5, 10}, {}, {}),
      padded_block({2, 1}, {5, 10}, {0, 1}, {}),
      padded_block({2, 1}, {5, 10}, {}, {1, 0}),
      cyclic_of(10, {2, 1}, 1),
      cyclic_of(10, {3, 1}, 1),
      cyclic_of(10, {2, 1}, 0),
      cyclic_of(10, {2, 1}, 1, 2),
      Dimension(10, Unstructured{{2, 1}, IndexList({1, 2}), false}),
      Dimension(10, Unstructured{{2, 0}, IndexList({1, 2}), false}),
      Dimension(10, Unstructured{{2, 1}, IndexList({2, 1}), false}),
      Dimension(10, Unstructured{{2, 1}, IndexList({1, 2}), true})};
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t j = 0; j < different.size(); ++j)
      EXPECT_EQ(different[i] == different[j], i == j) << different[i] << " and " << different[j];
  }
}

TEST(Dimension, IsPrintedForPeople) {
  EXPECT_EQ(text(Dimension(10, Undistributed{})), "undistributed, of 10");
  EXPECT_EQ(text(block_of(10, {2, 1}, 5, 10)), "block [5, 10), process 1 of 2, of 10");
  EXPECT_EQ(text(padded_block({2, 0}, {0, 9}, {1, 0}, {0, 1}, false, true, 18)),
            "block [0, 9), process 0 of 2, communication padding (0, 1), boundary padding (1, 0), "
            "of 18");
  EXPECT_EQ(text(cyclic_of(10, {3, 1}, 1)), "cyclic from 1, process 1 of 3, of 10");
  EXPECT_EQ(text(cyclic_of(10, {3, 1}, 2, 2)),
            "cyclic from 2 in blocks of 2, process 1 of 3, of 10");
  EXPECT_EQ(text(Dimension(30, Unstructured{{3, 1}, IndexList({6, 13, 3}), true})),
            "unstructured, 3 indices, process 1 of 3, one to one, of 30");
  EXPECT_EQ(text(Dimension(10, Undistributed{{}, {1, 1}, true}, true)),
            "undistributed, communication padding (1, 1), periodic, of 10");
}

// --- index lists

TEST(IndexList, CopiesShareTheList) {
  const IndexList list({5, -3, 7});
  const IndexList copy = list;
  EXPECT_EQ(copy.data(), list.data());
  EXPECT_EQ(copy, list);
  EXPECT_EQ(std::vector<Index>(copy.begin(), copy.end()), (std::vector<Index>{5, -3, 7}));
  EXPECT_EQ(copy[1], -3);
  EXPECT_EQ(IndexList({5, -3, 7}), list) << "equal by what they hold";
  EXPECT_NE(IndexList({5, -3}), list);
  EXPECT_NE(IndexList({5, -3, 8}), list);
}

TEST(IndexList, RefersToForeignMemory) {
  auto memory = std::make_shared<std::vector<Index>>(std::vector<Index>{4, 2});
  const std::weak_ptr<std::vector<Index>> alive = memory;
  {
    const Index* const data = memory->data();
    const IndexList list(std::move(memory), data, 2);
    EXPECT_EQ(list.data(), data);
    EXPECT_FALSE(alive.expired());
  }
  EXPECT_TRUE(alive.expired());
}

TEST(IndexList, MayBeEmpty) {
  EXPECT_TRUE(IndexList().empty());
  EXPECT_EQ(IndexList(), IndexList(std::vector<Index>()));
  EXPECT_EQ(IndexList(nullptr, nullptr, 0).size(), 0);
  EXPECT_THROW(IndexList(nullptr, nullptr, 1).defect().raise(), InvalidArgument);
  EXPECT_TRUE(IndexList(nullptr, nullptr, 1).empty());
  const Index index = 0;
  EXPECT_THROW(IndexList(nullptr, &index, -1).defect().raise(), InvalidArgument);
}

TEST(IndexRange, IsHalfOpen) {
  const IndexRange range{3, 7};
  EXPECT_EQ(range.size(), 4);
  EXPECT_TRUE(range.contains(3));
  EXPECT_TRUE(range.contains(6));
  EXPECT_FALSE(range.contains(7));
  EXPECT_FALSE(range.contains(2));
  EXPECT_TRUE((IndexRange{3, 3}).empty());
  EXPECT_EQ(intersect({0, 5}, {3, 9}), (IndexRange{3, 5}));
  EXPECT_TRUE(intersect({0, 3}, {3, 9}).empty());
  EXPECT_EQ(intersect({0, 2}, {5, 9}).size(), 0) << "never of negative size";
  std::ostringstream out;
  out << range << ' ' << Padding{1, 2};
  EXPECT_EQ(out.str(), "[3, 7) (1, 2)");
}

TEST(CheckedArithmetic, SaysWhereSixtyFourBitsEnd) {
  EXPECT_EQ(checked_multiply(Index{1} << 31, Index{1} << 31), Index{1} << 62);
  EXPECT_FALSE(checked_multiply(Index{1} << 32, Index{1} << 31));
  EXPECT_FALSE(checked_multiply(INT64_MIN, -1));
  EXPECT_EQ(checked_add(INT64_MAX, INT64_MIN), -1);
  EXPECT_FALSE(checked_add(INT64_MAX, 1));
  EXPECT_FALSE(checked_add(INT64_MIN, -1));
}

}  // namespace
}  // namespace daptor
