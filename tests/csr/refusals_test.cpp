// SPDX-License-Identifier: BSD-3-Clause
// What is wrong on one rank is the same error on all ranks, and nothing is written.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/everywhere.hpp"
#include "../support/mixed_calls.hpp"
#include "lender.hpp"
#include "matrices.hpp"

namespace daptor::test {
namespace {

const Bounds& size_of_text() {
  static const Bounds bounds = even_bounds(5);
  return bounds;
}

/// The text's example with vectors, any of which may be spoiled on one rank.
struct Case {
  explicit Case(const Whole& all = text_matrix())
      : held(aligned_part<double>(all, even_bounds(all.rows()))),
        x_values(counting(even_bounds(all.columns))),
        y_values(block_of<double>(even_bounds(all.rows()), [](Index) { return -7; })),
        matrix(held.arrays()),
        x(in_blocks(x_values, even_bounds(all.columns))),
        y(in_blocks(y_values, even_bounds(all.rows()))) {}

  /// @param culprit  the rank that the error names
  template <class Expected = InvalidArgument>
  void expect_refused(const std::string& rule, int culprit) {
    expect_refused_everywhere<Expected>(
        rule, [&] { multiply(matrix, x, y); }, culprit);
    for (const double each : y_values) EXPECT_EQ(each, -7);
  }

  Part<double> held;
  std::vector<double> x_values, y_values;
  CsrArrays matrix;
  DistArray x, y;
};

/// Spoils one rank after another; the error names that rank.
template <class Expected = InvalidArgument>
void expect_refused_if(const std::string& rule, const std::function<void(Case&)>& spoil) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    SCOPED_TRACE(rule + " on rank " + std::to_string(rank));
    Case each;
    if (world_rank() == rank) spoil(each);
    each.expect_refused<Expected>(rule, rank);
  }
}

DistArray without_memory(const DistArray& array) {
  return describe(array.type(), nullptr, array.dimensions()).on(array.comm());
}

TEST(CsrRefusals, MemoryOfTheVectors) {
  expect_refused_if("lease.memory", [](Case& c) { c.x = without_memory(c.x); });
  expect_refused_if("lease.memory", [](Case& c) { c.y = without_memory(c.y); });
  expect_refused_if("lease.readonly", [](Case& c) { c.y = c.y.as_readonly(); });
  expect_refused_if("array.empty", [](Case& c) { c.x = Section().on(world()); });
  expect_refused_if("array.empty", [](Case& c) { c.y = Section().on(world()); });
  expect_refused_if("csr.memory", [](Case& c) { c.y = c.x; });
  expect_refused_if("csr.memory", [](Case& c) {
    c.y = describe(c.held.values.data(), {block(5, line(), part(size_of_text()))}).on(world());
  });
}

TEST(CsrRefusals, ShapeAndTypeOfTheVectors) {
  static double cells[64];
  static float floats[64];
  expect_refused_if("csr.vector",
                    [](Case& c) { c.x = describe(&cells[0], {block(6, line())}).on(world()); });
  expect_refused_if("csr.vector",
                    [](Case& c) { c.y = describe(&cells[0], {block(4, line())}).on(world()); });
  expect_refused_if("csr.vector", [](Case& c) {
    c.y = describe(&cells[0], {block(5, line()), undistributed(2)}).on(world());
  });
  expect_refused_if("csr.type", [](Case& c) {
    c.x = describe(&floats[0], {block(5, line(), part(size_of_text()))}).on(world());
  });
  Case foreign;
  const DataType big(Kind::floating, 8,
                     native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little);
  foreign.matrix.values =
      describe(big, foreign.held.values.data(), foreign.matrix.values.dimensions()).on(world());
  foreign.expect_refused("csr.type", 0);
  for (const bool in_x : {true, false}) {
    Case each;
    (in_x ? each.x : each.y) =
        describe(&cells[0],
                 {block(5, line(), world_rank() == 0 ? IndexRange{0, 1} : IndexRange{2, 5})})
            .on(world());
    each.expect_refused<Malformed>(world_size() == 1 ? "B11" : "B09", world_size() == 1 ? 0 : 1);
  }
}

TEST(CsrRefusals, ValuesThatAreNotAligned) {
  expect_refused_if("csr.alignment", [](Case& c) {
    static std::byte memory[256];
    c.matrix.values =
        describe(DataType::of<double>(), &memory[1], c.matrix.values.dimensions()).on(world());
  });
}

TEST(CsrRefusals, IntegersThatAreNotAligned) {
  alignas(8) static std::byte memory[256];
  const auto misaligned = [](const Section& array) {
    return describe(array.type(), &memory[1], array.dimensions()).on(world());
  };
  for (const auto spoiled : {&CsrArrays::columns, &CsrArrays::offsets}) {
    expect_refused_if<Malformed>(
        "csr.alignment", [&](Case& c) { c.matrix.*spoiled = misaligned(c.matrix.*spoiled); });
    Case each;
    each.matrix.*spoiled = misaligned(each.matrix.*spoiled);
    EXPECT_EQ(validate(each.matrix).findings().front().rule, "csr.alignment");
  }
  Case each;
  const DistArray lengths =
      describe(DataType::of<std::int32_t>(), &memory[1], {block(5, line(), part(size_of_text()))})
          .on(world());
  expect_refused_everywhere<Malformed>(
      "csr.alignment",
      [&] { csr_from_rows(each.matrix.values, each.matrix.columns, lengths, 5, 1); }, 0);
}

/// Vectors that are not aligned are copied, and so are those with gaps.
TEST(CsrRefusals, VectorsThatAreNotAlignedAreTaken) {
  Case each;
  std::vector<std::byte> from(8 * each.x_values.size() + 1), to(8 * each.y_values.size() + 1);
  const auto copy = [](void* target, const void* source, std::size_t bytes) {
    if (bytes > 0) std::memcpy(target, source, bytes);
  };
  copy(from.data() + 1, each.x_values.data(), 8 * each.x_values.size());
  const DistArray x =
      describe(DataType::of<double>(), from.data() + 1, each.x.dimensions()).on(world());
  const DistArray y =
      describe(DataType::of<double>(), to.data() + 1, each.y.dimensions()).on(world());
  multiply(each.matrix, x, y);
  copy(each.y_values.data(), to.data() + 1, 8 * each.y_values.size());
  EXPECT_EQ((whole<double, double>(each.y)), text_product);
  CsrProduct product(each.matrix, each.x, each.y);
  if (world_size() <= 5) {
    expect_refused_everywhere<InvalidArgument>(
        "csr.layout", [&] { product(x, each.y); }, 0);
    expect_refused_everywhere<InvalidArgument>(
        "csr.layout", [&] { product(each.x, y); }, 0);
  }
}

TEST(CsrRefusals, TheMatrix) {
  expect_refused_if<Malformed>("csr.base", [](Case& c) { c.matrix.index_base = 2; });
  expect_refused_if<Malformed>("csr.shape", [](Case& c) { c.matrix.global_rows = 4; });
  expect_refused_if<Malformed>("csr.index-type",
                               [](Case& c) { c.matrix.columns = c.matrix.values; });
  expect_refused_if("array.empty", [](Case& c) { c.matrix.offsets = Section().on(world()); });
  expect_refused_if("lease.memory",
                    [](Case& c) { c.matrix.values = without_memory(c.matrix.values); });
  for (int rank = 0; world_size() > 1 && rank < std::min(world_size(), 5); ++rank) {
    Case each;
    if (world_rank() == rank) each.matrix.global_columns = 7;
    expect_different(
        "global_columns", [&] { multiply(each.matrix, each.x, each.y); },
        rank == 0 ? "5, and 7 on rank 0" : "7, and 5 on rank 0");
    for (const double one : each.y_values) EXPECT_EQ(one, -7);
  }
}

int owner_of_offset(Index row) {
  const Bounds rows = even_bounds(5);
  int rank = 0;
  while (rank + 1 < world_size() && rows[static_cast<std::size_t>(rank) + 1] <= row) ++rank;
  return rank;
}

/// @param row  on whose rank the offset is found to be wrong
void expect_offset_refused(const std::string& rule, Index row, std::int64_t offset) {
  SCOPED_TRACE("offset " + std::to_string(offset) + " at row " + std::to_string(row));
  Case each;
  const IndexRange mine = each.held.offset_range;
  if (mine.contains(row)) each.held.offsets[static_cast<std::size_t>(row - mine.start)] = offset;
  each.expect_refused<Malformed>(rule, owner_of_offset(row));
  expect_refused_everywhere<Malformed>(
      rule, [&] { align_rows(each.matrix); }, owner_of_offset(row));
}

TEST(CsrRefusals, OffsetsOfTheMatrix) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  expect_offset_refused("csr.first", 0, 2);
  expect_offset_refused("csr.monotone", 0, 0);
  expect_offset_refused("csr.monotone", 2, 11);
  expect_offset_refused("csr.monotone", 3, 13);
  expect_offset_refused("csr.monotone", 2, least);
  expect_offset_refused("csr.last", 5, 11);
  expect_offset_refused("csr.last", 5, least);
}

TEST(CsrRefusals, ColumnsOutsideOfTheMatrix) {
  for (const std::int64_t column :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    Case each;
    if (world_rank() == 0) each.held.columns.front() = column;
    each.expect_refused<Malformed>("csr.column-range", 0);
    EXPECT_EQ(validate(each.matrix).findings().front().rule, "csr.column-range");
  }
}

/// Each row has one entry and each of its arrays the size of y, which may then lie over any of
/// them.
TEST(CsrRefusals, ResultsOverTheMatrix) {
  Whole all;
  all.columns = 3 * world_size();
  for (Index r = 0; r < all.columns; ++r) all.row({r}, {2});
  const Bounds bounds = even_bounds(all.columns);
  auto held = aligned_part<std::int64_t>(all, bounds);
  auto x_values = counting<std::int64_t>(bounds), y_values = x_values;
  const CsrArrays matrix = held.arrays();
  const DistArray x = in_blocks(x_values, bounds), y = in_blocks(y_values, bounds);
  CsrProduct product(matrix, x, y);
  const auto refused = [](const std::function<void()>& call) {
    expect_refused_everywhere<InvalidArgument>("csr.memory", call, 0);
  };
  for (std::vector<std::int64_t>* const taken : {&held.values, &held.columns, &held.offsets}) {
    const auto before = *taken;
    const DistArray over =
        describe(taken->data(), {block(bounds.back(), line(), part(bounds))}).on(world());
    refused([&] { multiply(matrix, x, over); });
    refused([&] { product(x, over); });
    refused([&] { row_starts(matrix, over); });
    EXPECT_EQ(*taken, before);
  }
  refused([&] { product(x, x); });
  EXPECT_EQ(x_values, counting<std::int64_t>(bounds));
}

TEST(CsrRefusals, BoolsHaveNoProduct) {
  Case each;
  std::vector<char> memory(64);
  const auto bools = [&](const Section& like) {
    return describe(DataType::of<bool>(), memory.data(), like.dimensions()).on(world());
  };
  each.matrix.values = bools(each.matrix.values);
  each.x = bools(each.x);
  each.y = bools(each.y);
  each.expect_refused("csr.type", 0);
}

TEST(CsrRefusals, OtherVectorsThanPlanned) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    Case each;
    CsrProduct product(each.matrix, each.x, each.y);
    std::vector<double> other(each.y_values.size(), -7);
    const DistArray y = in_blocks(other, size_of_text());
    const bool culprit = world_rank() == rank;
    static double cells[64];
    const DistArray long_one = describe(&cells[0], {block(6, line())}).on(world());
    expect_refused_everywhere<InvalidArgument>(
        "csr.layout", [&] { product(culprit ? long_one : each.x, y); }, rank);
    expect_refused_everywhere<InvalidArgument>(
        "csr.layout", [&] { product(each.x, culprit ? long_one : y); }, rank);
    expect_refused_everywhere<InvalidArgument>(
        "lease.readonly", [&] { product(each.x, culprit ? y.as_readonly() : y); }, rank);
    expect_refused_everywhere<InvalidArgument>(
        "lease.memory", [&] { product(culprit ? without_memory(each.x) : each.x, y); }, rank);
    EXPECT_EQ(product.y(), each.y);
    for (const double one : other) EXPECT_EQ(one, -7);
    for (const double one : each.y_values) EXPECT_EQ(one, -7);
    product.run();
    EXPECT_EQ((whole<double, double>(each.y)), text_product);
  }
}

/// The sums are taken to y at the end if y is divided otherwise than the rows.
TEST(CsrRefusals, YIsOpenFromTheBeginningToTheEnd) {
  for (const bool in_place : {true, false}) {
    Case each;
    const Bounds bounds = in_place ? even_bounds(5) : all_on(0, 5);
    std::vector<double> y_values(static_cast<std::size_t>(part(bounds).size()), -7);
    Lender lender;
    const DistArray y = lender.lent(in_blocks(y_values, bounds));
    CsrProduct product(each.matrix, each.x, y);
    lender.moved = true;
    expect_refused<Stale>("stale", [&] { product.begin(); });
    EXPECT_FALSE(product.in_flight());
    lender.moved = false;
    lender.opened = 0;
    product.begin();
    EXPECT_EQ(lender.writing, 1);
    product.end();
    EXPECT_EQ(lender.opened, 1);
    EXPECT_EQ(lender.writing, 0);
    EXPECT_EQ((whole<double, double>(y)), text_product);
  }
}

/// Vectors that are refused leave the previous ones, even if these cannot be read at the moment.
TEST(CsrRefusals, PreviousVectorsStayWithoutBeingRead) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    Case each;
    Lender lender;
    const DistArray x = lender.lent(each.x);
    CsrProduct product(each.matrix, x, each.y);
    lender.moved = true;
    std::vector<double> other_values = each.x_values;
    const DistArray other = in_blocks(other_values, size_of_text());
    expect_refused_everywhere<InvalidArgument>(
        "lease.readonly",
        [&] { product(other, world_rank() == rank ? each.y.as_readonly() : each.y); }, rank);
    lender.moved = false;
    EXPECT_EQ(product.x(), x);
    product.run();
    EXPECT_EQ((whole<double, double>(each.y)), text_product);
  }
}

TEST(CsrRefusals, BeginAndEndOutOfOrder) {
  Case each;
  CsrProduct product(each.matrix, each.x, each.y);
  expect_refused<InvalidArgument>("csr.not-begun", [&] { product.end(); });
  product.begin();
  expect_refused<InvalidArgument>("csr.begun", [&] { product.begin(); });
  expect_refused_everywhere<InvalidArgument>(
      "csr.begun", [&] { product(each.x, each.y); }, 0);
  CsrProduct moved(std::move(product));
  expect_refused<InvalidArgument>("csr.moved", [&] { product.run(); });
  moved.end();
  EXPECT_EQ((whole<double, double>(each.y)), text_product);
  moved.begin();  // is destroyed without its end, on all ranks
}

TEST(CsrRefusals, RowsOfARank) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    const bool culprit = world_rank() == rank;
    const auto expect_named = [&](const std::string& rule, std::optional<int> named,
                                  const auto& spoil, Index base) {
      auto held = aligned_part<double>(text_matrix(), even_bounds(5));
      std::vector<std::int64_t> lengths(static_cast<std::size_t>(part(even_bounds(5)).size()), 2);
      if (part(even_bounds(5)).contains(3))
        lengths[static_cast<std::size_t>(3 - part(even_bounds(5)).start)] = 3;
      if (culprit) spoil(held, lengths);
      expect_refused_everywhere<Malformed>(
          rule, [&] { csr_from_rows(held.values, held.columns, lengths, 5, world(), base); },
          named);
    };
    const auto expect = [&](const std::string& rule, const auto& spoil) {
      expect_named(rule, rank, spoil, 1);
    };
    expect("csr.row-lengths", [](auto&, auto& lengths) { ++lengths.front(); });
    expect("csr.row-lengths", [](auto&, auto& lengths) { --lengths.front(); });
    expect("csr.row-lengths", [](auto&, auto& lengths) { lengths.front() = -1; });
    expect("csr.row-lengths", [](auto&, auto& lengths) {
      lengths.front() = std::numeric_limits<std::int64_t>::max();
    });
    expect("csr.length", [](auto& held, auto&) { held.columns.pop_back(); });
    expect("csr.column-range", [](auto& held, auto&) { held.columns.front() = 0; });
    expect_named(
        "csr.base", 0, [](auto&, auto&) {}, 3);
    if (world_size() > 1) {
      auto held = aligned_part<double>(text_matrix(), even_bounds(5));
      std::vector<std::int64_t> lengths(held.values.size(), 1);
      expect_different("global_columns", [&] {
        csr_from_rows(held.values, held.columns, lengths, culprit ? 6 : 5, world(), 1);
      });
    }
  }
}

/// The columns of a rank in another numbering of its own; the values stay where they are.
TEST(CsrRefusals, RowsWithLocalColumns) {
  for (int rank = -1; rank < std::min(world_size(), 5); ++rank) {
    auto held = aligned_part<double>(text_matrix(), even_bounds(5));
    const IndexRange rows = part(even_bounds(5));
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows.size()), 2);
    if (rows.contains(3)) lengths[static_cast<std::size_t>(3 - rows.start)] = 3;
    const IndexList in_all({3, 1, 4, 0, 2});
    std::vector<std::int32_t> local;
    for (const auto column : held.columns)
      local.push_back(static_cast<std::int32_t>(
          std::find(in_all.begin(), in_all.end(), static_cast<Index>(column) - 1) -
          in_all.begin()));
    const auto made = [&] {
      return csr_from_local_rows(held.values, local, in_all, lengths, 5, world());
    };
    if (rank < 0) {
      const CsrArrays matrix = made();
      EXPECT_EQ(matrix.values.data(), held.values.data());
      std::vector<double> x(static_cast<std::size_t>(rows.size())), y(x.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<double>(rows.start + static_cast<Index>(i) + 1);
      const GridPosition grid{world_size(), world_rank()};
      multiply(matrix, describe(x, {block(5, grid, rows)}).on(world()),
               describe(y, {block(5, grid, rows)}).on(world()));
      const auto& expected = text_product;
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_EQ(y[i], expected[static_cast<std::size_t>(rows.start) + i]);
      continue;
    }
    for (const std::int32_t wrong : {-1, 5}) {
      if (world_rank() == rank) local.front() = wrong;
      expect_refused_everywhere<Malformed>("csr.local-column", made, rank);
    }
  }
}

TEST(CsrRefusals, TheMask) {
  const auto expect = [](const std::string& rule, const auto& spoil) {
    for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
      Case each;
      std::vector<std::int32_t> memory(each.held.values.size(), 7);
      DistArray mask = describe(memory, each.matrix.values.dimensions()).on(world());
      if (world_rank() == rank) spoil(mask, each);
      expect_refused_everywhere<InvalidArgument>(
          rule, [&] { row_starts(each.matrix, mask); }, rank);
      for (const std::int32_t one : memory) EXPECT_EQ(one, 7);
    }
  };
  static std::int32_t cells[64];
  expect("csr.mask", [](DistArray& mask, Case& each) { mask = each.matrix.values; });
  expect("csr.mask", [](DistArray& mask, Case&) {
    mask = describe(&cells[0], {block(12, line())}).on(world());
  });
  expect("csr.mask", [](DistArray& mask, Case&) {
    mask = describe(&cells[0], {block(11, line()), undistributed(1)}).on(world());
  });
  expect("csr.mask", [](DistArray& mask, Case&) {
    mask = describe(&cells[0], {cyclic(11, line())}).on(world());
  });
  expect("lease.readonly", [](DistArray& mask, Case&) { mask = mask.as_readonly(); });
  expect("lease.memory", [](DistArray& mask, Case&) { mask = without_memory(mask); });
  expect("array.empty", [](DistArray& mask, Case&) { mask = Section().on(world()); });
  expect("csr.memory", [](DistArray& mask, Case& each) {
    mask = describe(each.held.columns.data(), each.matrix.values.dimensions()).on(world());
  });
  if (world_size() > 1) {
    Case each;
    DistArray mask = describe(&cells[0], {block(11, line(), part(all_on(0, 11)))}).on(world());
    expect_refused_everywhere<InvalidArgument>(
        "csr.mask", [&] { row_starts(each.matrix, mask); }, 0);
  }
}

/// Fails when it is told of a write.
struct Failing final : NativeView {
  ~Failing() override { unwatch(); }
  void modified() override { throw std::runtime_error("told"); }
};

/// The mask is opened once, before anything is written; what its views throw is thrown everywhere.
TEST(CsrRefusals, TheEndOfAMask) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    Case each;
    std::vector<std::int32_t> memory(each.held.values.size(), 7);
    Lender lender;
    const DistArray mask =
        lender.lent(describe(memory, each.matrix.values.dimensions()).on(world()));
    row_starts(each.matrix, mask);
    EXPECT_EQ(lender.opened, 1);
    EXPECT_EQ(lender.writing, 0);
    Failing view;
    if (world_rank() == rank) view.watch(mask.buffer().state());
    expect_refused_everywhere<LibraryFailed>(
        "library.c++", [&] { row_starts(each.matrix, mask); }, rank);
    EXPECT_EQ(lender.writing, 0);
  }
}

TEST(CsrRefusals, RanksInDifferentCalls) {
  Case each;
  std::vector<std::int32_t> memory(each.held.values.size());
  const DistArray mask = describe(memory, each.matrix.values.dimensions()).on(world());
  std::vector<std::int64_t> lengths(each.held.values.size(), 1);
  CsrProduct product(each.matrix, each.x, each.y);
  expect_no_mixing({
      {"csr_from_rows",
       [&] { csr_from_rows(each.held.values, each.held.columns, lengths, 5, world(), 1); }},
      {"align_rows", [&] { align_rows(each.matrix); }},
      {"row_starts", [&] { row_starts(each.matrix, mask); }},
      {"multiply", [&] { multiply(each.matrix, each.x, each.y); }},
      {"CsrProduct", [&] { CsrProduct(each.matrix, each.x, each.y); }},
      {"CsrProduct::run", [&] { product(each.x, each.y); }},
  });
}

/// Counts how often it is told of a write.
struct Counting final : NativeView {
  ~Counting() override { unwatch(); }
  void modified() override { ++count; }
  int count = 0;
};

TEST(CsrRefusals, OnlyAProductThatIsWrittenTellsViewsOfY) {
  for (const bool in_place : {true, false}) {
    Case each;
    std::vector<double> other(static_cast<std::size_t>(part(all_on(0, 5)).size()));
    const DistArray y = in_place ? each.y : in_blocks(other, all_on(0, 5));
    Counting told_of_x, told_of_y;
    told_of_x.watch(each.x.buffer().state());
    told_of_y.watch(y.buffer().state());
    expect_refused_everywhere<InvalidArgument>(
        "csr.memory", [&] { multiply(each.matrix, y, y); }, 0);
    EXPECT_EQ(told_of_y.count, 0);
    multiply(each.matrix, each.x, y);
    EXPECT_EQ(told_of_y.count, 1);
    EXPECT_EQ(told_of_x.count, 0);
  }
}

}  // namespace
}  // namespace daptor::test
