// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/section.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "text.hpp"

namespace daptor {
namespace {

using test::text;

const DataType doubles = DataType::of<double>();

Buffer shaped(std::vector<Index> shape, void* data = nullptr) {
  auto strides = contiguous_strides(shape, 8, Order::c);
  return Buffer(doubles, std::move(shape), std::move(strides), data);
}

Section array_of(std::vector<Index> shape, std::vector<Dimension> dimensions,
                 Version version = protocol_0_9) {
  return Section(version, shaped(std::move(shape)), std::move(dimensions));
}

/// The rule ids of all findings that the constructor throws, in order; "none" if it throws nothing.
std::string refusal(std::vector<Index> shape, std::vector<Dimension> dimensions,
                    Version version = protocol_0_9) {
  try {
    array_of(std::move(shape), std::move(dimensions), version);
  } catch (const Malformed& error) {
    std::string rules;
    for (const Finding& finding : error.report().findings())
      rules += (rules.empty() ? "" : " ") + finding.rule;
    return rules;
  }
  return "none";
}

std::string warnings(const Section& array) {
  std::string rules;
  for (const Finding& finding : array.warnings().findings())
    rules += (rules.empty() ? "" : " ") + finding.rule;
  return rules;
}

Dimension broken_block() {
  return {10, Block{{2, 0}, {5, 3}, {}, {}, false}};
}

TEST(Section, KnowsItsShapes) {
  // The specification's second example with an undistributed dimension.
  const Dimension padded = block(18, {2, 1}, BlockPadding{{1, 1}, {1, 1}});
  const Section array = array_of({10, 4}, {padded, undistributed(4)});
  EXPECT_EQ(array.ndim(), 2);
  EXPECT_EQ(array.global_shape(), (std::vector<Index>{18, 4}));
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{10, 4}));
  EXPECT_EQ(array.owned_shape(), (std::vector<Index>{9, 4}));
  EXPECT_EQ(array.owned_offset(), (std::vector<Index>{1, 0}));
  EXPECT_EQ(array.byte_strides(), (std::vector<Index>{32, 8}));
  EXPECT_EQ(array.local_count(), 40);
  EXPECT_EQ(array.owned_count(), 36);
  EXPECT_EQ(array.grid_count(), 2);
  EXPECT_EQ(array.version(), protocol_0_9);
  EXPECT_EQ(array.type(), doubles);
  EXPECT_EQ(array.dimension(0), padded);
  EXPECT_EQ(warnings(array), "");
}

TEST(Section, OfNoDimensionIsOneElement) {
  double value = 3.5;
  const Section array(protocol_0_9, shaped({}, &value), {});
  EXPECT_EQ(array.ndim(), 0);
  EXPECT_EQ(array.local_count(), 1);
  EXPECT_EQ(array.owned_count(), 1);
  EXPECT_EQ(array.grid_count(), 1);
  EXPECT_TRUE(array.global_shape().empty());
  EXPECT_EQ(array.owned_data(), &value);
  EXPECT_EQ(text(array), "distributed array (DAP 0.9.0), section float64 scalar");
}

TEST(Section, OfFiveDimensions) {
  std::vector<double> memory(2 * 3 * 4 * 2 * 4);
  const std::vector<Dimension> dimensions = {block(4, {2, 1}), undistributed(3), cyclic(8, {2, 0}),
                                             unstructured(5, {2, 1}, IndexList({4, 0})),
                                             block(6, {3, 1}, BlockPadding{{1, 1}, {}})};
  const Section array = describe(memory.data(), dimensions);
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{2, 3, 4, 2, 4}));
  EXPECT_EQ(array.owned_shape(), (std::vector<Index>{2, 3, 4, 2, 2}));
  EXPECT_EQ(array.owned_count(), 96);
  EXPECT_EQ(array.grid_count(), 24);
  EXPECT_EQ(array.owned_data(), memory.data() + 1);
}

TEST(Section, OwnedDataLiesPastTheLowerCommunicationPadding) {
  std::vector<double> memory(6 * 7);
  const std::vector<Dimension> dimensions = {block(9, {3, 1}, BlockPadding{{1, 2}, {}}),
                                             block(6, {2, 1}, BlockPadding{{4, 0}, {}})};
  const Section c = describe(memory.data(), dimensions);
  EXPECT_EQ(c.owned_data(), memory.data() + 1 * 7 + 4);
  const Section fortran = describe(memory.data(), dimensions, Order::fortran);
  EXPECT_EQ(fortran.owned_data(), memory.data() + 1 + 4 * 6);
  double* const last = memory.data() + memory.size() - 1;
  const Section reversed = describe(last, dimensions, std::vector<Index>{-7 * 8, -8});
  EXPECT_EQ(reversed.owned_data(), last - 1 * 7 - 4);
  EXPECT_EQ(describe(doubles, nullptr, dimensions).owned_data(), nullptr);
}

TEST(Section, OwnedDataOfAnEmptySectionIsItsPointer) {
  double value = 0;
  const Dimension in_between(10, Block{{3, 1}, {4, 4}, {}, {2, 1}, true});
  const Section array = describe(&value, {in_between});
  EXPECT_EQ(array.local_count(), 3);
  EXPECT_EQ(array.owned_count(), 0);
  EXPECT_EQ(array.owned_data(), &value);
}

TEST(Section, SaysWhichSlipAnExtentLooksLike) {
  const auto about = [](Index extent, const Dimension& dimension, const char* words) {
    try {
      array_of({extent}, {dimension}, protocol_0_9);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Malformed& error) {
      EXPECT_NE(error.finding().remedy.str().find(words), std::string::npos) << error.what();
    }
  };
  about(4, cyclic(10, {2, 0}), "The block size is 1");
  about(6, cyclic(10, {3, 0}, 2), "the number of processes along the dimension");
  about(1, block(10, {2, 1}, {10, 10}), "stop is one past the last index");
}

TEST(Section, RefusesWhatBreaksALocalClause) {
  EXPECT_EQ(refusal({5}, {broken_block()}), "B04");
  EXPECT_EQ(refusal({5, 3}, {broken_block(), Dimension(-3, Undistributed{})}), "B04 D08")
      << "all of them, in the order of the dimensions";
  EXPECT_EQ(refusal({0}, {Dimension(10, Cyclic{{2, 0}, 0, 0})}), "C05");
  EXPECT_EQ(refusal({4}, {block(10, {2, 0})}), "P13");
  EXPECT_EQ(refusal({4}, {undistributed(5)}), "N04");
  EXPECT_EQ(refusal({4}, {cyclic(10, {2, 0})}), "C12");
  EXPECT_EQ(refusal({4}, {unstructured(10, {2, 0}, IndexList({1, 2, 3}))}), "U06");
  EXPECT_EQ(refusal({1}, {unstructured(10, {2, 0}, IndexList())}), "E04");
  EXPECT_EQ(refusal({1}, {block(10, {2, 1}, {10, 10})}), "E02");
  EXPECT_EQ(refusal({1}, {cyclic(1, {2, 1})}), "E02");
  EXPECT_EQ(refusal({4, 4}, {block(10, {2, 0}), undistributed(5)}), "P13 N04");
}

TEST(Section, RefusesVersionsWithoutRules) {
  try {
    array_of({5}, {undistributed(5)}, Version{1, 0, 0});
    ADD_FAILURE() << "what padding means is not known";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.rule(), "T07");
    EXPECT_EQ(error.finding().found, "1.0.0");
  }
}

TEST(Section, RefusesCountsBeyondSixtyFourBits) {
  const Index large = Index{1} << 32;
  const Index root = Index{1} << 31;
  const auto wide = [](Index size) { return undistributed(size); };
  EXPECT_EQ(refusal({0}, {wide(large), wide(large)}), "T10") << "2^64 wraps to 0";
  EXPECT_EQ(refusal({0}, {wide(root), wide(root), wide(4)}), "T10");
  EXPECT_EQ(refusal({0}, {block(0, {large, 0}), block(0, {large, 1})}), "D14");
  EXPECT_EQ(array_of({root}, {wide(root)}).local_count(), root) << "descriptions need no memory";
  EXPECT_EQ(array_of({large + 1}, {wide(large + 1)}).owned_count(), large + 1);
}

TEST(Section, EmptySectionsOfHugeArrays) {
  const Index huge = INT64_MAX;
  const Section array = array_of(
      {huge, 0, huge}, {undistributed(huge), block(7, {2, 1}, {7, 7}), undistributed(huge)});
  EXPECT_EQ(array.local_count(), 0);
  EXPECT_EQ(array.owned_count(), 0) << "not the overflow of the other extents";
  EXPECT_EQ(array.owned_shape(), (std::vector<Index>{huge, 0, huge}));
}

TEST(Section, TakesAFlatBufferWhereItCannotBeMistaken) {
  // The specification's first example: a 1 x 10 section described as ten elements.
  std::vector<double> row(10);
  const std::vector<Dimension> dimensions = {block(2, {2, 0}), undistributed(10)};
  const Section array(protocol_0_9, shaped({10}, row.data()), dimensions);
  EXPECT_EQ(warnings(array), "A03");
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{1, 10}));
  EXPECT_EQ(array.byte_strides(), (std::vector<Index>{80, 8}));
  EXPECT_EQ(array.buffer().ndim(), 1U) << "the buffer stays as it came";

  EXPECT_EQ(refusal({10}, dimensions, protocol_0_10), "T15");
  EXPECT_EQ(refusal({9}, dimensions), "T10");
  EXPECT_EQ(refusal({20}, {undistributed(2), undistributed(10)}), "T15") << "order not known";
  EXPECT_EQ(refusal({5, 2, 1}, {undistributed(1), undistributed(10)}), "T13");
  EXPECT_EQ(refusal({1, 10}, {undistributed(10)}), "T13") << "a dictionary too few";
  EXPECT_EQ(refusal({}, {undistributed(1)}), "T15");
  EXPECT_EQ(warnings(array_of({1}, {})), "A03");
  EXPECT_EQ(warnings(array_of({1}, {undistributed(1), undistributed(1)})), "A03");
  EXPECT_EQ(warnings(array_of({0}, {undistributed(5), undistributed(0)})), "A03");
  const Buffer gaps(doubles, {10}, {16}, nullptr);
  EXPECT_THROW(Section(protocol_0_9, gaps, dimensions), Malformed) << "flat but not contiguous";
  const Buffer reversed(doubles, {10}, {-8}, nullptr);
  EXPECT_THROW(Section(protocol_0_9, reversed, dimensions), Malformed);
}

TEST(Section, WarnsOfOtherExtentsBesideAnEmptyOne) {
  const std::vector<Dimension> dimensions = {block(2, {2, 1}, {2, 2}), undistributed(10)};
  EXPECT_EQ(warnings(array_of({0, 10}, dimensions)), "");
  const Section array = array_of({0, 7}, dimensions);
  EXPECT_EQ(warnings(array), "E06");
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{0, 10}));
  EXPECT_EQ(warnings(array_of({3, 0}, dimensions)), "E06 E06");
  EXPECT_EQ(refusal({1, 10}, dimensions), "E02");
}

TEST(Section, KeepsWhatWasAcceptedBefore) {
  Finding earlier = error_finding("A08", 0, "padding", "a list", "a tuple");
  earlier.severity = Severity::warning;
  const Section array(protocol_0_9, shaped({0}), {block(10, {3, 1}, {4, 4})}, Report({earlier}));
  EXPECT_EQ(warnings(array), "A08 B06");
  earlier.severity = Severity::error;
  EXPECT_THROW(Section(protocol_0_9, shaped({5}), {undistributed(5)}, Report({earlier})),
               Malformed);
}

TEST(Section, DimensionsOutsideAreRefused) {
  const Section array = array_of({5}, {undistributed(5)});
  EXPECT_THROW(static_cast<void>(array.dimension(1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(array.dimension(-1)), InvalidArgument);
}

TEST(Section, CopiesShareDescriptionAndMemory) {
  std::vector<double> memory(5);
  const Section array = describe(memory.data(), {undistributed(5)});
  const Section copy = array;
  EXPECT_EQ(copy.data(), array.data());
  EXPECT_EQ(copy.buffer().state(), array.buffer().state());
  EXPECT_EQ(&copy.dimensions(), &array.dimensions());
  EXPECT_EQ(copy, array);
}

TEST(Section, TheSameLayoutOnOtherMemory) {
  std::vector<double> first(5);
  auto second = std::make_shared<std::vector<double>>(5);
  const std::weak_ptr<std::vector<double>> alive = second;
  const Section array = describe(first.data(), {undistributed(5)});
  double* const data = second->data();
  {
    const Section other = array.with_memory(data, std::move(second));
    EXPECT_EQ(other.data(), data);
    EXPECT_EQ(other.mutable_data(), data);
    EXPECT_TRUE(other.same_layout(array));
    EXPECT_NE(other, array);
    EXPECT_NE(other.buffer().state(), array.buffer().state());
    EXPECT_FALSE(alive.expired());
  }
  EXPECT_TRUE(alive.expired());
  EXPECT_EQ(array.data(), first.data());
  EXPECT_EQ(array.with_memory(nullptr).data(), nullptr);
  EXPECT_EQ(array.with_memory(nullptr, nullptr).data(), nullptr);
}

TEST(Section, OnConstMemoryIsReadOnly) {
  const std::vector<double> memory(4);
  const Section array = allocate<double>({undistributed(4)}).with_memory(memory.data());
  EXPECT_EQ(array.data(), memory.data());
  EXPECT_TRUE(array.readonly());
  EXPECT_THROW(array.mutable_data(), InvalidArgument);
}

TEST(Section, LayoutsDifferInDescriptionOrForm) {
  const Section array = array_of({5}, {block(10, {2, 0})});
  EXPECT_TRUE(array.same_layout(array_of({5}, {block(10, {2, 0})})));
  EXPECT_FALSE(array.same_layout(array_of({5}, {block(10, {2, 1})})));
  EXPECT_FALSE(array.same_layout(array_of({5}, {block(10, {2, 0})}, protocol_0_10)));
  EXPECT_FALSE(array.same_layout(array_of({5, 1}, {block(10, {2, 0}), undistributed(1)})));
  const Section strided(protocol_0_9, Buffer(doubles, {5}, {16}, nullptr), {block(10, {2, 0})});
  EXPECT_FALSE(array.same_layout(strided));
}

TEST(Section, ReadOnlyMemoryIsNotGivenForWriting) {
  const std::vector<double> memory(5);
  const Section constant = describe(memory.data(), {undistributed(5)});
  EXPECT_TRUE(constant.readonly());
  EXPECT_EQ(constant.data(), memory.data());
  EXPECT_THROW(static_cast<void>(constant.mutable_data()), InvalidArgument);
  std::vector<double> writable(5);
  const Section array = describe(writable.data(), {undistributed(5)});
  const Section readonly = array.as_readonly();
  EXPECT_TRUE(readonly.readonly());
  EXPECT_TRUE(readonly.same_layout(array));
  EXPECT_NE(readonly, array);
  EXPECT_EQ(array.mutable_data(), writable.data());
}

TEST(Section, ModifiedReachesTheViewsOfEveryCopy) {
  class View final : public NativeView {
   public:
    void modified() override { ++told; }
    int told = 0;
  };
  std::vector<double> memory(5);
  const Section array = describe(memory.data(), {undistributed(5)});
  const Section copy = array.as_readonly();
  View view;
  view.watch(array.buffer().state());
  copy.modified();
  EXPECT_EQ(view.told, 1);
  array.with_memory(memory.data()).modified();
  EXPECT_EQ(view.told, 1) << "memory that is described anew is another state";
}

TEST(Section, IsPrintedForPeople) {
  std::vector<double> memory(10);
  const Section example(protocol_0_9, shaped({1, 10}, memory.data()),
                        {block(2, {2, 0}), undistributed(10)});
  EXPECT_EQ(text(example),
            "distributed array (DAP 0.9.0), section float64 [1 x 10] C order\n"
            "  dimension 0: block [0, 1), process 0 of 2, of 2\n"
            "  dimension 1: undistributed, of 10");
  const Section padded = describe(memory.data(), {block(18, {2, 0}, BlockPadding{{1, 1}, {1, 1}})});
  EXPECT_EQ(text(padded),
            "distributed array (DAP 0.9.0), section float64 [10] C order\n"
            "  dimension 0: block [0, 9), process 0 of 2, communication padding (0, 1), boundary "
            "padding (1, 0), of 18");
  EXPECT_EQ(text(array_of({3}, {cyclic(10, {3, 1})}, protocol_0_10)),
            "distributed array (DAP 0.10.0), section float64 [3] C order, no memory\n"
            "  dimension 0: cyclic from 1, process 1 of 3, of 10");
}

}  // namespace
}  // namespace daptor
