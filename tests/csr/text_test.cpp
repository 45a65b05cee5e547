// SPDX-License-Identifier: BSD-3-Clause
// The statements of the Global Arrays documentation about sparse matrices (C1 to C10), on its 5 x 5
// example. C11 is in the tests of PETSc and Tpetra.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../support/everywhere.hpp"
#include "matrices.hpp"

namespace daptor::test {
namespace {

using Ints = std::vector<int>;
using Doubles = std::vector<double>;

const Ints text_values{1, 3, 2, 5, 7, 9, 3, 4, 5, 2, 6};
const Ints text_columns{3, 4, 1, 5, 2, 4, 1, 3, 5, 2, 5};
const Ints text_offsets{1, 3, 5, 7, 10, 12};

/// Rows divided as in the text on three ranks (2, 2, 1), on other numbers of ranks evenly.
Bounds text_rows() {
  return even_bounds(5);
}

void expect_text_arrays(const CsrArrays& matrix) {
  EXPECT_EQ((whole<int, double>(matrix.values)), text_values);
  EXPECT_EQ((whole<int, std::int64_t>(matrix.columns)), text_columns);
  EXPECT_EQ((whole<int, std::int64_t>(matrix.offsets)), text_offsets);
  EXPECT_EQ(matrix.global_rows, 5);
  EXPECT_EQ(matrix.global_columns, 5);
  EXPECT_EQ(matrix.index_base, 1);
}

/// A x, with x and y in blocks of the given bounds.
Doubles product_of(const CsrArrays& matrix, const Bounds& x_bounds, const Bounds& y_bounds) {
  Doubles x = counting(x_bounds), y = block_of<double>(y_bounds, [](Index) { return -7; });
  const DistArray target = in_blocks(y, y_bounds);
  multiply(matrix, in_blocks(x, x_bounds), target);
  return whole<double, double>(target);
}

TEST(CsrText, C1ThreeArraysCountFromOneOrFromZero) {
  for (const Index base : {1, 0}) {
    auto held = aligned_part<double>(text_matrix(), text_rows(), base);
    const CsrArrays matrix = held.arrays();
    EXPECT_TRUE(validate(matrix));
    if (base == 1) expect_text_arrays(matrix);
    EXPECT_EQ((whole<int, std::int64_t>(matrix.offsets).back()), 11 + base);
    EXPECT_EQ(product_of(matrix, text_rows(), text_rows()), text_product);
  }
}

TEST(CsrText, C2RowsOfEachRankBecomeThreeArrays) {
  const Whole all = text_matrix();
  auto held = aligned_part<double>(all, text_rows());
  const IndexRange rows = part(text_rows());
  std::vector<std::int64_t> increments;  // INC
  for (Index r = rows.start; r < rows.stop; ++r)
    increments.push_back(all.offsets[static_cast<std::size_t>(r) + 1] -
                         all.offsets[static_cast<std::size_t>(r)]);
  if (world_size() == 3 && world_rank() == 1) {
    EXPECT_EQ(increments, (std::vector<std::int64_t>{2, 3}));
  }
  const CsrArrays matrix = csr_from_rows(held.values, held.columns, increments, 5, world(), 1);
  expect_text_arrays(matrix);
  EXPECT_EQ(matrix.values.data(), held.values.data());
  EXPECT_EQ(matrix.columns.data(), held.columns.data());
  EXPECT_EQ(matrix.owned_rows(), rows);
  EXPECT_TRUE(validate(matrix));
}

TEST(CsrText, C2RowsMayBeDescribedReadOnlyAndOfOtherIntegers) {
  auto held = aligned_part<float, std::uint32_t>(text_matrix(), text_rows(), 0);
  const std::vector<float>& values = held.values;
  const IndexRange rows = part(text_rows());
  constexpr std::array<std::int32_t, 5> lengths{2, 2, 2, 3, 2};
  const std::vector<std::int32_t> mine(lengths.begin() + rows.start, lengths.begin() + rows.stop);
  const CsrArrays matrix = csr_from_rows(values, held.columns, mine, 5, world());
  EXPECT_TRUE(matrix.values.readonly());
  EXPECT_EQ(matrix.offsets.type(), DataType::of<std::uint32_t>());
  EXPECT_EQ((whole<int, std::uint32_t>(matrix.offsets)), (Ints{0, 2, 4, 6, 9, 11}));
  const DistArray described = in_blocks(mine, text_rows());
  const CsrArrays again = csr_from_rows(matrix.values, matrix.columns, described, 5);
  EXPECT_EQ((whole<int, std::uint32_t>(again.offsets)), (Ints{0, 2, 4, 6, 9, 11}));
}

TEST(CsrText, C2RanksMayHaveNoRowsAndRowsNoEntries) {
  for (int rank = 0; rank < world_size(); ++rank) {
    const Whole all = text_matrix();
    const Bounds rows = all_on(rank, 5);
    auto held = aligned_part<double>(all, rows);
    std::vector<std::int64_t> lengths;
    if (world_rank() == rank)
      lengths = {2, 2, 2, 3, 2};
    else
      lengths = {0, 0};
    const CsrArrays matrix = csr_from_rows(held.values, held.columns, lengths, 5, world(), 1);
    const Index others = 2 * (world_size() - 1);
    EXPECT_EQ(matrix.global_rows, 5 + others);
    Doubles expected(static_cast<std::size_t>(5 + others), 0.0);
    std::copy(text_product.begin(), text_product.end(), expected.begin() + 2 * rank);
    EXPECT_EQ(product_of(matrix, even_bounds(5), even_bounds(5 + others)), expected);
  }
  std::vector<double> none;
  std::vector<std::int32_t> no_columns, no_lengths;
  const CsrArrays nothing = csr_from_rows(none, no_columns, no_lengths, 0, world());
  EXPECT_EQ(nothing.global_rows, 0);
  EXPECT_TRUE(product_of(nothing, even_bounds(0), even_bounds(0)).empty());
}

template <class T>
void expect_mask(const CsrArrays& matrix) {
  const auto count = static_cast<std::size_t>(matrix.owned_entries().size());
  std::vector<T> mask(2 * count, T(7));
  const DistArray described =
      describe(mask.data(), static_cast<Index>(mask.size()), matrix.values.dimensions(),
               std::vector<Index>{2 * static_cast<Index>(sizeof(T))})
          .on(world());
  row_starts(matrix, described);
  EXPECT_EQ((whole<int, T>(described)), (Ints{1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0}));
  for (std::size_t gap = 1; gap < mask.size(); gap += 2) EXPECT_EQ(mask[gap], T(7));
}

/// An array divided evenly whose elements are those of `all`, which each rank has.
template <class T>
struct Even {
  explicit Even(const std::vector<int>& all)
      : bounds(even_bounds(static_cast<Index>(all.size()))),
        elements(block_of<T>(bounds, [&](Index i) { return all[static_cast<std::size_t>(i)]; })),
        array(in_blocks(elements, bounds)) {}

  std::vector<int> gathered() const { return whole<int, T>(array); }

  Bounds bounds;
  std::vector<T> elements;
  DistArray array;
};

TEST(CsrText, C2OffsetsAreTheScanOfOneAndTheRowLengths) {
  const Even<std::int64_t> increments({1, 2, 2, 2, 3, 2}), bit({1, 0, 0, 0, 0, 0});
  const Even<std::int64_t> offsets({0, 0, 0, 0, 0, 0});
  scan_add(increments.array, offsets.array, bit.array);
  EXPECT_EQ(offsets.gathered(), text_offsets);
  auto held = even_part<double>(text_matrix());
  CsrArrays matrix = held.arrays();
  matrix.offsets = offsets.array;
  EXPECT_EQ(product_of(matrix, text_rows(), text_rows()), text_product);
}

TEST(CsrText, C3TheMaskIsSetWhereRowsBegin) {
  auto aligned = aligned_part<double>(text_matrix(), text_rows());
  auto even = even_part<double>(text_matrix());
  for (const CsrArrays& matrix : {aligned.arrays(), even.arrays()}) {
    expect_mask<std::int32_t>(matrix);
    expect_mask<std::int64_t>(matrix);
    expect_mask<std::uint8_t>(matrix);
  }
}

/// The text's own algorithm, step by step.
TEST(CsrText, C4TheProductIsAGatherAScanAndAPack) {
  auto held = even_part<double>(text_matrix());
  const CsrArrays matrix = held.arrays();
  // tmp[k] = b[J[k]]
  Doubles b = counting(text_rows());
  std::vector<Index> wanted;
  for (const std::int64_t column : held.columns) wanted.push_back(column - 1);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  Doubles of_wanted(wanted.size());
  redistribute(in_blocks(b, text_rows()),
               describe(of_wanted, {unstructured(5, line(), IndexList(wanted))}).on(world()));
  const Even<double> products(Ints(11, 0)), sums(Ints(11, 0));
  auto* const tmp = static_cast<double*>(products.array.mutable_data());
  for (std::size_t k = 0; k < held.columns.size(); ++k)
    tmp[k] = of_wanted[static_cast<std::size_t>(
        std::lower_bound(wanted.begin(), wanted.end(), held.columns[k] - 1) - wanted.begin())];
  EXPECT_EQ(products.gathered(), text_columns);  // because b is 1, 2, 3, 4, 5
  // tmp *= VALUES, and its sums by rows
  for (std::size_t k = 0; k < held.values.size(); ++k) tmp[k] *= held.values[k];
  const Even<std::int32_t> mask(Ints(11, 7));
  row_starts(matrix, mask.array);
  scan_add(products.array, sums.array, mask.array);
  EXPECT_EQ(sums.gathered(), (Ints{3, 15, 2, 27, 14, 50, 3, 15, 40, 4, 34}));
  // The mask, shifted to the left, is set where rows end.
  Ints shifted = mask.gathered();
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  EXPECT_EQ(shifted, (Ints{0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1}));
  const Even<std::int32_t> ends(shifted);
  const Even<double> c(Ints(5, 0));
  EXPECT_EQ(pack(sums.array, ends.array, c.array), 5);
  EXPECT_EQ(c.gathered(), (Ints{15, 27, 50, 40, 34}));
  EXPECT_EQ(product_of(matrix, text_rows(), text_rows()), text_product);
}

TEST(CsrText, C5TheProductLeavesTheMatrixAsItWas) {
  auto held = even_part<double>(text_matrix());
  const auto values = held.values;
  const auto columns = held.columns;
  const auto offsets = held.offsets;
  EXPECT_EQ(product_of(held.arrays(), text_rows(), text_rows()), text_product);
  EXPECT_EQ(held.values, values);
  EXPECT_EQ(held.columns, columns);
  EXPECT_EQ(held.offsets, offsets);
}

/// The text's matrix without the entries of some rows.
Whole without_rows(const std::vector<Index>& emptied) {
  const Whole all = text_matrix();
  Whole less;
  less.columns = 5;
  for (Index r = 0; r < 5; ++r) {
    std::vector<Index> columns;
    std::vector<int> values;
    if (std::find(emptied.begin(), emptied.end(), r) == emptied.end())
      for (Index e = all.offsets[static_cast<std::size_t>(r)];
           e < all.offsets[static_cast<std::size_t>(r) + 1]; ++e) {
        columns.push_back(all.entry_columns[static_cast<std::size_t>(e)]);
        values.push_back(all.values[static_cast<std::size_t>(e)]);
      }
    less.row(columns, values);
  }
  return less;
}

TEST(CsrText, C6EmptyRowsGiveZero) {
  auto third = aligned_part<double>(without_rows({2}), text_rows());
  EXPECT_EQ(product_of(third.arrays(), text_rows(), text_rows()), (Doubles{15, 27, 0, 40, 34}));
  for (const auto& rows : {std::vector<Index>{0},
                           {4},
                           {0, 1},
                           {3, 4},
                           {0, 4},
                           {1, 2, 3},
                           {0, 1, 2, 3},
                           {1, 2, 3, 4},
                           {0, 1, 2, 3, 4}}) {
    const Whole less = without_rows(rows);
    Doubles expected = text_product;
    for (const Index r : rows) expected[static_cast<std::size_t>(r)] = 0;
    auto aligned = aligned_part<double>(less, text_rows());
    EXPECT_EQ(product_of(aligned.arrays(), text_rows(), text_rows()), expected);
    auto even = even_part<double>(less);
    EXPECT_EQ(product_of(even.arrays(), text_rows(), text_rows()), expected);
    EXPECT_TRUE(validate(align_rows(even.arrays())));
  }
}

TEST(CsrText, C6TheMaskRefusesEmptyRowsByName) {
  for (const Index row : {0, 1, 2, 3, 4}) {
    auto held = aligned_part<double>(without_rows({row}), text_rows());
    const CsrArrays matrix = held.arrays();
    std::vector<std::int32_t> mask(held.values.size(), 7);
    const DistArray described = describe(mask, matrix.values.dimensions()).on(world());
    expect_refused_everywhere<Malformed>("csr.empty-row", [&] {
      try {
        row_starts(matrix, described);
      } catch (const Error& error) {
        EXPECT_EQ(error.finding().found, "row " + std::to_string(row) + " without entries");
        EXPECT_TRUE(IndexRange(part(text_rows())).contains(row) == (error.rank() == world_rank()));
        throw;
      }
    });
    for (const std::int32_t each : mask) EXPECT_EQ(each, 7);
  }
}

TEST(CsrText, C7RowsThatStraddleRanksAreTakenAsTheyLieOrCopied) {
  auto held = even_part<double>(text_matrix());
  const CsrArrays even = held.arrays();
  const Bounds lengths = even_bounds(11);
  if (lengths != text_matrix().entries_of(text_rows())) {
    const Report report = validate(even);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.findings().front().rule, "csr.division");
    EXPECT_NE(report.findings().front().remedy.str().find("align_rows"), std::string::npos);
  }
  EXPECT_EQ(product_of(even, text_rows(), text_rows()), text_product);
  const CsrArrays aligned = align_rows(even.values, even.columns, even.offsets, 5, 1);
  expect_text_arrays(aligned);
  EXPECT_TRUE(validate(aligned));
  EXPECT_EQ(aligned.owned_rows(), part(text_rows()));
  EXPECT_NE(aligned.offsets.data(), even.offsets.data());
  EXPECT_EQ(product_of(aligned, text_rows(), text_rows()), text_product);
}

/// A row of many entries between others lies on several ranks, some of which have no other row.
TEST(CsrText, C7ARowMayLieOnManyRanks) {
  for (const Index before : {0, 1, 3})
    for (const Index after : {0, 2}) {
      Whole all;
      all.columns = 24;
      for (Index r = 0; r < before; ++r) all.row({r}, {2});
      std::vector<Index> columns;
      std::vector<int> values;
      for (Index c = 0; c < all.columns; ++c) {
        columns.push_back(c);
        values.push_back(static_cast<int>(c) % 3 + 1);
      }
      all.row(columns, values);
      all.row({}, {});
      for (Index r = 0; r < after; ++r) all.row({r + 1}, {3});
      const Bounds rows = even_bounds(all.rows());
      const Doubles expected = [&] {
        Doubles x;
        for (int i = 1; i <= 24; ++i) x.push_back(i);
        return all.times(x);
      }();
      for (int rank = 0; rank < world_size(); ++rank)
        for (const Bounds& row_bounds : {rows, all_on(rank, all.rows())}) {
          Part<double> held(all, row_bounds, even_bounds(all.entries()), 0);
          EXPECT_EQ(product_of(held.arrays(), even_bounds(24), rows), expected);
          EXPECT_TRUE(validate(align_rows(held.arrays())));
        }
      // Ranks without entries lie between the parts of the row.
      Bounds gaps = even_bounds(all.entries());
      for (std::size_t r = 1; r + 1 < gaps.size(); ++r)
        if (r % 3 != 0) gaps[r] = gaps[r - r % 3];
      Part<double> held(all, rows, gaps, 1);
      EXPECT_EQ(product_of(held.arrays(), even_bounds(24), rows), expected);
    }
}

TEST(CsrText, C8VectorsHaveAnyDivisionAndThePlanIsUsedOften) {
  auto held = aligned_part<double>(text_matrix(), text_rows());
  const CsrArrays matrix = held.arrays();
  for (int rank = 0; rank < world_size(); ++rank)
    for (const Bounds& x_bounds : {even_bounds(5), all_on(rank, 5)})
      for (const Bounds& y_bounds : {even_bounds(5), all_on(world_size() - 1 - rank, 5)})
        EXPECT_EQ(product_of(matrix, x_bounds, y_bounds), text_product);
  Doubles x = counting(text_rows()), y(x.size()), other_x = x, other_y(x.size());
  const DistArray from = in_blocks(x, text_rows()), to = in_blocks(y, text_rows());
  CsrProduct product(matrix, from, to);
  for (int times = 1; times <= 3; ++times) {
    for (double& each : x) each *= 2;
    for (double& each : held.values) each *= 3;
    product.run();
    Doubles expected = text_product;
    for (double& each : expected) each *= std::pow(6, times);
    EXPECT_EQ((whole<double, double>(to)), expected);
  }
  for (double& each : held.values) each /= 27;
  const DistArray target = in_blocks(other_y, text_rows());
  product(in_blocks(other_x, text_rows()), target);
  EXPECT_EQ((whole<double, double>(target)), text_product);
  EXPECT_EQ(product.y(), target);
  product.begin();
  EXPECT_TRUE(product.in_flight());
  product.end();
  EXPECT_FALSE(product.in_flight());
  EXPECT_EQ((whole<double, double>(target)), text_product);
}

TEST(CsrText, C8EachColumnIsGatheredOnce) {
  Whole all;
  all.columns = 3 * world_size();
  const Index rows = 4 * world_size();
  for (Index r = 0; r < rows; ++r) all.row({0, all.columns - 1}, {1, 2});
  auto held = aligned_part<double>(all, even_bounds(rows));
  const Bounds x_bounds = even_bounds(all.columns), y_bounds = even_bounds(rows);
  Doubles x = counting(x_bounds), y = block_of<double>(y_bounds, [](Index) { return 0; });
  CsrProduct product(held.arrays(), in_blocks(x, x_bounds), in_blocks(y, y_bounds));
  const bool first = world_rank() == 0, last = line().last();
  EXPECT_EQ(product.gathered_count(), 2 - (first ? 1 : 0) - (last ? 1 : 0));
  product.run();
  for (const double each : y) EXPECT_EQ(each, 1 + 2 * static_cast<double>(all.columns));
}

TEST(CsrText, C8PaddingOfTheVectorsIsNeitherReadNorWritten) {
  const Index rows = 3 * world_size();
  Whole all;
  all.columns = rows;
  for (Index r = 0; r + 1 < rows; ++r) all.row({r, rows - 1}, {1, 2});
  all.row({0, rows - 1}, {1, 2});
  auto held = aligned_part<double>(all, even_bounds(rows));
  const Dimension padded = block(rows, line(), BlockPadding({1, 2}));
  const auto count = static_cast<std::size_t>(local_count({padded}));
  Doubles x(count, -100), y(count, -7);
  const DistArray from = describe(x, {padded}).on(world()), to = describe(y, {padded}).on(world());
  const auto first = static_cast<std::size_t>(from.owned_offset().front());
  for (std::size_t i = 0; i < 3; ++i)
    x[first + i] = static_cast<double>(3 * world_rank()) + static_cast<double>(i) + 1;
  multiply(held.arrays(), from, to);
  Doubles all_x;
  for (Index i = 1; i <= rows; ++i) all_x.push_back(static_cast<double>(i));
  const Doubles expected = all.times(all_x);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(y[i], i < first || i >= first + 3
                        ? -7
                        : expected[3 * static_cast<std::size_t>(world_rank()) + i - first]);
}

TEST(CsrText, C9AColumnOutOfRangeIsAnErrorOnAllRanks) {
  for (const bool high : {true, false})
    for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
      auto held = aligned_part<double>(text_matrix(), text_rows());
      if (world_rank() == rank) (high ? held.columns.back() : held.columns.front()) = high ? 6 : 0;
      Doubles x = counting(text_rows()), y(x.size(), -7);
      const DistArray from = in_blocks(x, text_rows()), to = in_blocks(y, text_rows());
      expect_refused_everywhere<Malformed>("csr.column-range",
                                           [&] { multiply(held.arrays(), from, to); });
      expect_refused_everywhere<Malformed>("csr.column-range", [&] { align_rows(held.arrays()); });
      for (const double each : y) EXPECT_EQ(each, -7);
    }
}

TEST(CsrText, C10RectangularMatricesWork) {
  const Whole square = text_matrix();
  Whole wide;  // 4 x 5: without the last row
  wide.columns = 5;
  wide.row({2, 3}, {1, 3}).row({0, 4}, {2, 5}).row({1, 3}, {7, 9}).row({0, 2, 4}, {3, 4, 5});
  Whole tall;  // 5 x 4: without the last column
  tall.columns = 4;
  tall.row({2, 3}, {1, 3}).row({0}, {2}).row({1, 3}, {7, 9}).row({0, 2}, {3, 4}).row({1}, {2});
  auto four_by_five = aligned_part<double>(wide, even_bounds(4));
  EXPECT_EQ(product_of(four_by_five.arrays(), even_bounds(5), even_bounds(4)),
            (Doubles{15, 27, 50, 40}));
  auto five_by_four = aligned_part<double>(tall, even_bounds(5));
  EXPECT_EQ(product_of(five_by_four.arrays(), even_bounds(4), even_bounds(5)),
            (Doubles{15, 2, 50, 15, 4}));
  auto as_they_lie = even_part<double>(tall);
  EXPECT_EQ(product_of(as_they_lie.arrays(), even_bounds(4), even_bounds(5)),
            (Doubles{15, 2, 50, 15, 4}));
}

}  // namespace
}  // namespace daptor::test
