// SPDX-License-Identifier: BSD-3-Clause
// Products of random matrices, divided at random, against a loop on one process.

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "matrices.hpp"

namespace daptor::test {
namespace {

/// Bytes that no call may change, around and between the elements of a section.
struct Vector {
  DistArray array;
  std::vector<Index> globals;  ///< the global index of each element of the section
  std::vector<std::byte> memory;
};

Dimension random_dimension(Index size, std::mt19937& random, std::vector<Index>& globals) {
  const unsigned kind = random() % 5;
  const IndexRange irregular = part(random_bounds(size, random));
  globals.clear();
  if (kind <= 2) {
    const bool padded = kind == 2 && size >= 2 * world_size();
    const IndexRange owned = padded ? even_block(size, line()) : irregular;
    const Dimension dimension =
        padded ? block(size, line(), BlockPadding({1, 1})) : block(size, line(), irregular);
    const Index before = dimension.communication_padding().lower;
    for (Index i = -before; i < owned.size() + dimension.communication_padding().upper; ++i)
      globals.push_back(i >= 0 && i < owned.size() ? owned.start + i : -1);
    return dimension;
  }
  if (kind == 3) {
    const Dimension dimension = cyclic(size, line(), 2);
    for (Index i = 0; i < size; ++i)
      if (i / 2 % world_size() == world_rank()) globals.push_back(i);
    return dimension;
  }
  for (Index i = 0; i < size; ++i)
    if ((size - 1 - i) % world_size() == world_rank()) globals.push_back(i);
  std::reverse(globals.begin(), globals.end());
  return unstructured(size, line(), IndexList(globals), true);
}

/// A section with a random layout, whose bytes are all 0x5a.
template <class T>
Vector random_vector(Index size, std::mt19937& random) {
  Vector vector;
  const Dimension dimension = random_dimension(size, random, vector.globals);
  const Index stride = static_cast<Index>(sizeof(T)) * (1 + static_cast<Index>(random() % 2));
  vector.memory.assign(static_cast<std::size_t>(stride) * (vector.globals.size() + 1),
                       std::byte{0x5a});
  vector.array =
      describe(DataType::of<T>(), vector.memory.data(), {dimension}, std::vector<Index>{stride})
          .on(world());
  return vector;
}

template <class T>
T x_of(Index column) {
  if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>)
    return static_cast<T>(column % 7 + 1);
  else
    return T(static_cast<typename T::value_type>(column % 7 + 1),
             static_cast<typename T::value_type>(column % 3));
}

template <class T>
void store(Vector& vector, std::size_t i, T value) {
  std::memcpy(vector.memory.data() + i * static_cast<std::size_t>(vector.array.byte_strides()[0]),
              &value, sizeof value);
}

/// Expects the elements, and all other bytes as they were. Some bytes of a `long double` do not
/// belong to its value.
template <class T>
void expect_product(const Vector& y, const std::vector<T>& expected) {
  std::vector<std::byte> others = y.memory;
  for (std::size_t i = 0; i < y.globals.size(); ++i) {
    if (y.globals[i] < 0) continue;
    const std::size_t at = i * static_cast<std::size_t>(y.array.byte_strides()[0]);
    T found;
    std::memcpy(&found, &y.memory[at], sizeof(T));
    EXPECT_EQ(found, expected[static_cast<std::size_t>(y.globals[i])]);
    std::fill_n(&others[at], sizeof(T), std::byte{0x5a});
  }
  EXPECT_TRUE(others == std::vector<std::byte>(others.size(), std::byte{0x5a}));
}

template <class T, class I>
void expect_random_products(unsigned first_seed, unsigned count) {
  for (unsigned seed = first_seed; seed < first_seed + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const Whole all = random_matrix(random);
    const Bounds rows = random_bounds(all.rows(), random);
    const Bounds entries =
        random() % 2 == 0 ? all.entries_of(rows) : random_bounds(all.entries(), random);
    const Index base = static_cast<Index>(random() % 2);
    Part<T, I> held(all, rows, entries, base);
    Vector x = random_vector<T>(all.columns, random), y = random_vector<T>(all.rows(), random);
    for (std::size_t i = 0; i < x.globals.size(); ++i)
      if (x.globals[i] >= 0) store(x, i, x_of<T>(x.globals[i]));
    std::vector<T> whole_x;
    for (Index c = 0; c < all.columns; ++c) whole_x.push_back(x_of<T>(c));
    const std::vector<T> expected = all.times(whole_x);
    CsrProduct product(held.arrays(), x.array, y.array);
    product.run();
    expect_product(y, expected);
    product.run(x.array, y.array);
    expect_product(y, expected);
    const CsrArrays aligned = align_rows(held.arrays());
    EXPECT_TRUE(validate(aligned));
    EXPECT_EQ((whole<int, I>(aligned.columns)), (whole<int, I>(held.arrays().columns)));
    multiply(aligned, x.array, y.array);
    expect_product(y, expected);
  }
}

TEST(CsrOracle, Doubles) {
  expect_random_products<double, std::int64_t>(0, 60);
  expect_random_products<double, std::int32_t>(100, 20);
}

TEST(CsrOracle, OtherFloatingAndComplexNumbers) {
  expect_random_products<float, std::uint32_t>(200, 10);
  expect_random_products<long double, std::uint64_t>(300, 10);
  expect_random_products<std::complex<double>, std::int64_t>(400, 10);
  expect_random_products<std::complex<float>, std::int32_t>(500, 10);
}

TEST(CsrOracle, Integers) {
  expect_random_products<std::int32_t, std::int64_t>(600, 10);
  expect_random_products<std::int64_t, std::int32_t>(700, 10);
  expect_random_products<std::uint16_t, std::int32_t>(800, 10);
  expect_random_products<std::int8_t, std::int32_t>(900, 10);
}

/// Floating-point sums of rows that are on one rank do not depend on the division.
TEST(CsrOracle, SumsAreTheSameOnAnyNumberOfRanks) {
  std::mt19937 random(1);
  Whole all;
  all.columns = 40;
  for (int r = 0; r < 20; ++r) {
    std::vector<Index> columns;
    for (Index c = 0; c < 40; ++c) columns.push_back(c);
    all.row(columns, std::vector<int>(40, 1));
  }
  std::vector<double> values, whole_x;
  std::uniform_real_distribution<double> number(-1, 1);
  for (int e = 0; e < 800; ++e) values.push_back(number(random));
  for (int c = 0; c < 40; ++c) whole_x.push_back(number(random));
  const Bounds rows = random_bounds(20, random), columns = random_bounds(40, random);
  auto held = aligned_part<double>(all, rows);
  for (Index e = held.entries.start; e < held.entries.stop; ++e)
    held.values[static_cast<std::size_t>(e - held.entries.start)] =
        values[static_cast<std::size_t>(e)];
  auto x = block_of<double>(columns, [&](Index i) { return whole_x[static_cast<std::size_t>(i)]; });
  auto y = block_of<double>(rows, [](Index) { return 0; });
  multiply(held.arrays(), in_blocks(x, columns), in_blocks(y, rows));
  const IndexRange mine = part(rows);
  for (Index r = mine.start; r < mine.stop; ++r) {
    double total = 0;
    for (Index c = 0; c < 40; ++c)
      total += values[static_cast<std::size_t>(40 * r + c)] * whole_x[static_cast<std::size_t>(c)];
    EXPECT_EQ(y[static_cast<std::size_t>(r - mine.start)], total);
  }
}

}  // namespace
}  // namespace daptor::test
