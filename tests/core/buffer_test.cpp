// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/error.hpp"
#include "text.hpp"

namespace daptor {
namespace {

using test::text;

const DataType float64 = DataType::of<double>();

Buffer buffer_of(std::vector<Index> shape, std::vector<Index> strides, void* data = nullptr) {
  return Buffer(float64, std::move(shape), std::move(strides), data);
}

std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const Malformed& error) {
    return error.rule();
  }
  return "none";
}

TEST(Buffer, CountsItsElements) {
  EXPECT_EQ(buffer_of({}, {}).local_count(), 1);
  EXPECT_EQ(buffer_of({7}, {8}).local_count(), 7);
  EXPECT_EQ(buffer_of({2, 3, 4}, {96, 32, 8}).local_count(), 24);
  EXPECT_EQ(buffer_of({2, 0, 4}, {0, 0, 8}).local_count(), 0);
  EXPECT_EQ(buffer_of({Index{1} << 31}, {8}).local_count(), Index{1} << 31);
  EXPECT_EQ(buffer_of({INT64_MAX / 8}, {8}).local_count(), INT64_MAX / 8);
  const Index huge = Index{1} << 62;
  EXPECT_EQ(buffer_of({huge, 0, huge}, {8, 8, 8}).local_count(), 0) << "no bytes, no overflow";
}

TEST(Buffer, RefusesShapesThatCannotBe) {
  EXPECT_EQ(refusal([] { buffer_of({-1}, {8}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({0, -1}, {8, 8}); }), "T09") << "also beside an empty extent";
  EXPECT_EQ(refusal([] { buffer_of({2, 3}, {8}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({}, {8}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({INT64_MAX / 8 + 1}, {8}); }), "T10") << "bytes, not elements";
  const Index half = Index{1} << 32;
  EXPECT_EQ(refusal([&] { buffer_of({half, half}, {0, 0}); }), "T10") << "2^64 wraps to 0";
  EXPECT_EQ(refusal([&] { buffer_of({INT64_MAX, 2, 3}, {0, 0, 0}); }), "T10");
}

TEST(Buffer, RefusesStridesThatReachBeyondAddresses) {
  EXPECT_EQ(refusal([] { buffer_of({3}, {INT64_MAX / 2 + 1}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({3}, {INT64_MIN / 2}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({2}, {INT64_MIN}); }), "T09");
  const Index quarter = Index{1} << 61;
  EXPECT_EQ(refusal([&] { buffer_of({2, 2, 2, 2}, {quarter, quarter, quarter, quarter}); }), "T09");
  EXPECT_EQ(refusal([&] {
              buffer_of({3, 3}, {quarter, -quarter});
            }),
            "T09")
      << "each end fits, their distance does not";
  EXPECT_EQ(refusal([&] { buffer_of({1}, {INT64_MIN}); }), "none") << "a stride without a step";
  EXPECT_EQ(refusal([&] { buffer_of({0, 5}, {INT64_MIN, INT64_MAX}); }), "none");
}

TEST(Buffer, IsContiguousWhereElementsFillARun) {
  const auto c = [](const Buffer& b) { return b.contiguous(Order::c); };
  const auto fortran = [](const Buffer& b) { return b.contiguous(Order::fortran); };
  EXPECT_TRUE(c(buffer_of({2, 3}, {24, 8})));
  EXPECT_FALSE(fortran(buffer_of({2, 3}, {24, 8})));
  EXPECT_TRUE(fortran(buffer_of({2, 3}, {8, 16})));
  EXPECT_FALSE(c(buffer_of({2, 3}, {8, 16})));
  EXPECT_TRUE(c(buffer_of({}, {})) && fortran(buffer_of({}, {})));
  EXPECT_TRUE(c(buffer_of({5}, {8})) && fortran(buffer_of({5}, {8})));
  EXPECT_FALSE(c(buffer_of({5}, {16})));
  EXPECT_FALSE(c(buffer_of({5}, {-8})));
  EXPECT_FALSE(c(buffer_of({5}, {0})));
  EXPECT_FALSE(c(buffer_of({2, 3}, {32, 8}))) << "a gap between the rows";
  EXPECT_TRUE(c(buffer_of({1, 3}, {12345, 8})) && fortran(buffer_of({1, 3}, {12345, 8})))
      << "the stride of one element does not count";
  EXPECT_TRUE(c(buffer_of({1, 1}, {-5, 0})));
  EXPECT_TRUE(c(buffer_of({2, 0}, {1, 1})) && fortran(buffer_of({2, 0}, {1, 1})));
}

/// The lowest byte and one past the highest, found by visiting every element.
IndexRange visited_span(const std::vector<Index>& shape, const std::vector<Index>& strides) {
  std::vector<Index> at(shape.size(), 0);
  IndexRange span{INT64_MAX, INT64_MIN};
  while (true) {
    Index offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) offset += at[d] * strides[d];
    span.start = std::min(span.start, offset);
    span.stop = std::max(span.stop, offset + 8);
    std::size_t d = 0;
    while (d < shape.size() && ++at[d] == shape[d]) at[d++] = 0;
    if (d == shape.size()) return span;
  }
}

TEST(Buffer, SpansFromTheLowestToTheHighestByte) {
  for (const Index rows : {1, 2, 5}) {
    for (const Index columns : {1, 3}) {
      for (const Index row_stride : {-40, 0, 8, 24, 100}) {
        for (const Index column_stride : {-24, -8, 0, 8, 16}) {
          const std::vector<Index> shape = {rows, columns};
          const std::vector<Index> strides = {row_stride, column_stride};
          EXPECT_EQ(buffer_of(shape, strides).byte_span(), visited_span(shape, strides));
        }
      }
    }
  }
  EXPECT_EQ(buffer_of({}, {}).byte_span(), (IndexRange{0, 8}));
  EXPECT_EQ(buffer_of({3, 0}, {8, 8}).byte_span(), (IndexRange{0, 0}));
  EXPECT_EQ(buffer_of({2}, {-(Index{1} << 62)}).byte_span(), (IndexRange{-(Index{1} << 62), 8}));
}

TEST(Buffer, StridesOfAGaplessArray) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}, 8, Order::c), (std::vector<Index>{96, 32, 8}));
  EXPECT_EQ(contiguous_strides({2, 3, 4}, 8, Order::fortran), (std::vector<Index>{8, 16, 48}));
  EXPECT_EQ(contiguous_strides({}, 8, Order::c), std::vector<Index>());
  EXPECT_EQ(contiguous_strides({5, 0, 3}, 8, Order::c), (std::vector<Index>{24, 24, 8}));
  const Index huge = Index{1} << 61;
  EXPECT_EQ(refusal([&] { contiguous_strides({huge}, 8, Order::c); }), "T10");
  EXPECT_EQ(refusal([&] { contiguous_strides({huge, 0, huge, huge}, 8, Order::c); }), "none");
  for (const Order order : {Order::c, Order::fortran}) {
    for (const std::vector<Index>& shape :
         {std::vector<Index>{2, 3, 4}, {1, 7, 1}, {}, {0, 4}, {1, 1}, {huge, 0, huge}})
      EXPECT_TRUE(buffer_of(shape, contiguous_strides(shape, 8, order)).contiguous(order));
  }
}

TEST(Buffer, ReadOnlyMemoryIsNotGivenForWriting) {
  double values[4] = {};
  const Buffer writable = buffer_of({4}, {8}, values);
  EXPECT_EQ(writable.mutable_data(), values);
  EXPECT_FALSE(writable.readonly());
  const Buffer readonly = writable.as_readonly();
  EXPECT_TRUE(readonly.readonly());
  EXPECT_EQ(readonly.data(), values);
  EXPECT_EQ(readonly.state(), writable.state());
  EXPECT_THROW(static_cast<void>(readonly.mutable_data()), InvalidArgument);
  EXPECT_FALSE(writable.readonly()) << "a copy does not change its source";
}

TEST(Buffer, TakesOtherMemoryOfTheSameForm) {
  double first[4] = {};
  double second[4] = {};
  const Buffer original = buffer_of({4}, {8}, first);
  const auto state = plain_memory(nullptr);
  const Buffer other = original.with_memory(second, true, state);
  EXPECT_EQ(other.data(), second);
  EXPECT_TRUE(other.readonly());
  EXPECT_EQ(other.state(), state);
  EXPECT_TRUE(other.same_form(original));
  EXPECT_EQ(original.data(), first);
  const Buffer without_state = original.with_memory(second, false, nullptr);
  ASSERT_NE(without_state.state(), nullptr);
  EXPECT_NE(without_state.state(), original.state()) << "other memory is other state";
}

TEST(Buffer, HasTheSameFormWhereTypeShapeStridesAndSpaceAgree) {
  const Buffer original = buffer_of({4}, {8});
  EXPECT_TRUE(original.same_form(buffer_of({4}, {8})));
  EXPECT_FALSE(original.same_form(buffer_of({5}, {8})));
  EXPECT_FALSE(original.same_form(buffer_of({4}, {16})));
  EXPECT_FALSE(original.same_form(buffer_of({4, 1}, {8, 8})));
  EXPECT_FALSE(original.same_form(Buffer(DataType::of<float>(), {4}, {8}, nullptr)));
  EXPECT_FALSE(
      original.same_form(Buffer(float64, {4}, {8}, nullptr, false, nullptr, MemorySpace{2, 0})));
}

TEST(Buffer, KnowsWhetherItHasMemory) {
  double value = 0;
  EXPECT_TRUE(buffer_of({1}, {8}, &value).has_memory());
  EXPECT_FALSE(buffer_of({1}, {8}).has_memory());
  EXPECT_TRUE(buffer_of({0}, {8}).has_memory()) << "nothing is missing";
}

TEST(Buffer, IsPrintedForPeople) {
  double values[6] = {};
  EXPECT_EQ(text(buffer_of({2, 3}, {24, 8}, values)), "float64 [2 x 3] C order");
  EXPECT_EQ(text(buffer_of({2, 3}, {8, 16}, values)), "float64 [2 x 3] Fortran order");
  EXPECT_EQ(text(buffer_of({2, 2}, {48, 8}, values).as_readonly()),
            "float64 [2 x 2] strides (48, 8) bytes, read-only");
  EXPECT_EQ(text(buffer_of({6}, {8})), "float64 [6] C order, no memory");
  EXPECT_EQ(text(buffer_of({}, {}, values)), "float64 scalar");
  EXPECT_EQ(text(buffer_of({0}, {8})), "float64 [0] C order");
}

}  // namespace
}  // namespace daptor
