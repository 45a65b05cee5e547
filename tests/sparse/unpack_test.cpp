// SPDX-License-Identifier: BSD-3-Clause
// Packed arrays put back, and both together (see statements.hpp).

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStatements, U1_U2_TheNextValueAtEachMarkAndOtherElementsStay) {
  Three<int> line;
  Line<int> few(even(5));
  few.set(pack_values);
  EXPECT_EQ(unpack(few, line.masked(pack_mask).mask, line.target), 5);
  line.expect({1, 99, 99, 99, 99, 6, 99, 8, 99, 99, 11, 99, 99, 99, 15, 99, 99});
}

TEST(SparseStatements, U3_AShortSourceIsRefusedAndPackingIsUndone) {
  Three<int> line;
  Line<int> few(even(4));
  few.fill(9);
  expect_refused_everywhere<InvalidArgument>(
      "sparse.capacity", [&] { unpack(few, line.masked(pack_mask).mask, line.target); });
  line.expect(std::vector<int>(17, 99));
  const DistArray values = packed(line.source, line.mask);
  unpack(values, line.mask, line.target);
  line.expect({1, 99, 99, 99, 99, 6, 99, 8, 99, 99, 11, 99, 99, 99, 15, 99, 99});
}

TEST(SparseStatements, U4_TheSourceHasAnyDivision) {
  for (const Dimension& dimension : divisions_of_packed(7)) {
    Three<int> line;
    Line<int> few(dimension, {3, false});
    few.set({1, 6, 8, 11, 15, -1, -1});
    EXPECT_EQ(unpack(few, line.masked(pack_mask).mask, line.target), 5);
    line.expect({1, 99, 99, 99, 99, 6, 99, 8, 99, 99, 11, 99, 99, 99, 15, 99, 99});
  }
}

/// A number; both parts of a complex one are not 0.
template <class T>
T element(int value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return T(static_cast<typename T::value_type>(value), 7);
}

/// Packs and unpacks masks in which all are set but those at multiples of `unset_every`.
template <class T>
void expect_moved(int unset_every) {
  const Index size = 300 * world_size();
  Three<T> line(even(size));
  Line<T> few(even(size + 5));
  std::vector<T> values;
  std::vector<int> bits;
  for (int i = 0; i < static_cast<int>(size); ++i) {
    values.push_back(element<T>(i % 100 + 1));
    bits.push_back(unset_every > 0 && i % unset_every == 0 ? 0 : 1);
  }
  line.source.set(values);
  line.masked(bits);
  few.fill(T(0));
  auto front = packed_by_one(values, bits, {0, size});
  const auto count = static_cast<Index>(front.size());
  EXPECT_EQ(pack(line.source, line.mask, few), count);
  front.resize(static_cast<std::size_t>(size + 5));
  EXPECT_EQ(few.unequal(front), 0);
  EXPECT_EQ(unpack(few, line.mask, line.target), count);
  const auto back = unpacked_by_one(front, bits, std::vector<T>(values.size(), T(99)), {0, size});
  EXPECT_EQ(line.target.unequal(back), 0);
  EXPECT_TRUE(few.rest_untouched());
  EXPECT_TRUE(line.target.rest_untouched());
}

/// Sixty-four neighbours that are all set are moved at once.
TEST(SparseUnpack, WholeWordsOfSetElements) {
  for (const int unset_every : {0, 1000, 129, 64}) {
    SCOPED_TRACE("unset at multiples of " + std::to_string(unset_every));
    expect_moved<std::int8_t>(unset_every);
    expect_moved<std::int16_t>(unset_every);
    expect_moved<float>(unset_every);
    expect_moved<double>(unset_every);
    expect_moved<std::complex<double>>(unset_every);
    expect_moved<std::complex<long double>>(unset_every);
  }
}

/// Elements of a size that no loop is made for, one by one.
TEST(SparseUnpack, ElementsOfThirtyTwoBytes) {
  expect_moved<std::complex<long double>>(2);
}

}  // namespace
