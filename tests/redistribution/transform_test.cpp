// SPDX-License-Identifier: BSD-3-Clause
// Elements are transformed on the way, and compared with the same arithmetic element by element.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "everywhere.hpp"
#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class Transforming : public ::testing::Test {
 protected:
  const Comm comm = MPI_COMM_WORLD;
  const int rank = comm.rank();
  const Index ranks = comm.size();
  const Layout rows{{even_axis(10, ranks), undistributed_axis(9)}, {}};
  const Layout columns{{undistributed_axis(10), cyclic_axis(9, ranks, 2)}, {}};

  template <class T>
  static T value(Index number) {
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(number % 50);
    else
      return T(static_cast<typename T::value_type>(number), -2);
  }

  /// Between layouts that share runs of memory, and layouts that share single elements.
  template <class From, class To, class Expected>
  void check(const Transform& transform, const Expected& expected) {
    for (const Layout* to : {&rows, &columns})
      for (const Index spacing : {1, 2}) {
        Held<From> source(rows, comm, {Order::c, spacing});
        Held<To> target(*to, comm, {spacing == 1 ? Order::fortran : Order::c, 1});
        source.fill(value<From>);
        target.fill([](Index number) { return static_cast<To>(number % 7); });
        RedistributionOptions options;
        options.convert = true;
        Redistribution move(source.array(), target.array(), options);
        move.run(transform);
        EXPECT_EQ(target.wrong([&](Index number) {
          return expected(value<From>(number), static_cast<To>(number % 7));
        }),
                  0);
        EXPECT_TRUE(target.rest_untouched());
        EXPECT_EQ(source.wrong(value<From>), 0);
      }
  }

  template <class From, class To>
  void check_conversion() {
    check<From, To>({}, [](From from, To) { return To(static_cast<To>(from)); });
  }

  template <class T>
  std::string rule_of(const Transform& transform) {
    Held<T> source(rows, comm);
    Held<T> target(columns, comm);
    source.fill(value<T>);
    Redistribution move(source.array(), target.array());
    try {
      move.run(transform);
    } catch (const Error& error) {
      EXPECT_TRUE(target.rest_untouched());
      EXPECT_FALSE(move.in_flight());
      return error.rule();
    }
    return "nothing";
  }
};

TEST_F(Transforming, ScalesAndKeeps) {
  check<double, double>({2.5, false, 0.0}, [](double from, double) { return 2.5 * from; });
  check<double, double>({1.0, false, 1.0}, [](double from, double to) { return from + to; });
  check<double, double>({-2.0, false, 0.5},
                        [](double from, double to) { return -2.0 * from + 0.5 * to; });
  check<float, float>({2.0, false, -1.0}, [](float from, float to) { return 2 * from - to; });
  check<std::int16_t, std::int16_t>({1, false, 1}, [](std::int16_t a, std::int16_t b) {
    return static_cast<std::int16_t>(a + b);
  });
}

TEST_F(Transforming, Complex) {
  using Z = std::complex<double>;
  check<Z, Z>({1, true, 0}, [](Z from, Z) { return std::conj(from); });
  check<Z, Z>({Z(0, 2), true, Z(1, 1)},
              [](Z from, Z to) { return Z(0, 2) * std::conj(from) + Z(1, 1) * to; });
  check<double, Z>({Z(0, 1), false, 0}, [](double from, Z) { return Z(0, 1) * Z(from); });
  check<double, double>({1, true, 0}, [](double from, double) { return from; });
}

/// Real factors do not change infinities and the signs of zeros in the other part.
TEST_F(Transforming, ComplexByRealFactors) {
  using Z = std::complex<double>;
  const double infinite = std::numeric_limits<double>::infinity();
  Held<Z> source(rows, comm), target(columns, comm);
  source.fill([](Index) { return Z(1, -0.0); });
  target.fill([&](Index) { return Z(infinite, 1); });
  Redistribution move(source.array(), target.array());
  move.run({1, false, 2});
  EXPECT_EQ(target.wrong([&](Index) { return Z(infinite, 2); }), 0);
  move.run({2, false, 0});
  target.for_each([](Z& element, Index) { EXPECT_TRUE(std::signbit(element.imag())); });
}

TEST_F(Transforming, Types) {
  check_conversion<double, float>();
  check_conversion<float, double>();
  check_conversion<std::int32_t, std::int64_t>();
  check_conversion<std::int64_t, std::int8_t>();
  check_conversion<std::uint8_t, std::int32_t>();
  check_conversion<std::int32_t, double>();
  check_conversion<std::uint64_t, float>();
  check_conversion<double, std::complex<float>>();
  check_conversion<std::int16_t, std::complex<double>>();
  check<std::complex<float>, std::complex<double>>({}, [](std::complex<float> from, auto) {
    return std::complex<double>(from.real(), from.imag());
  });
  check<double, float>({3, false, 0},
                       [](double from, float) { return 3 * static_cast<float>(from); });
}

TEST_F(Transforming, TypesThereAndBack) {
  Held<std::int32_t> source(rows, comm);
  Held<std::int64_t> target(columns, comm);
  source.number();
  RedistributionOptions options;
  options.convert = true;
  Redistribution move(source.array(), target.array(), options);
  move.run();
  EXPECT_EQ(target.wrong(), 0);
  source.forget();
  move.run_back();
  EXPECT_EQ(source.wrong(), 0);
}

TEST_F(Transforming, WhatElementsDoNotHave) {
  EXPECT_EQ(rule_of<double>({std::complex<double>(0, 1), false, 0}), "redistribute.transform");
  EXPECT_EQ(rule_of<double>({1, false, std::complex<double>(0, 1)}), "redistribute.transform");
  EXPECT_EQ(rule_of<int>({2, false, 0}), "redistribute.transform");
  EXPECT_EQ(rule_of<int>({1, false, 2}), "redistribute.transform");
  EXPECT_EQ(rule_of<int>({1, true, 1}), "nothing");
}

TEST_F(Transforming, BoolsAreNotAdded) {
  Held<std::int8_t> source(rows, comm), target(columns, comm);
  const auto odd = [](Index number) { return static_cast<std::int8_t>(number % 2); };
  source.fill(odd);
  const auto bools = [&](const Section& array) {
    return describe(DataType::of<bool>(), array.mutable_data(), array.dimensions()).on(comm);
  };
  Redistribution move(bools(source.array()), bools(target.array()));
  expect_refused<InvalidArgument>("redistribute.transform", [&] { move.run({1, false, 1}); });
  EXPECT_FALSE(move.in_flight());
  EXPECT_EQ(target.wrong([](Index) { return canary<std::int8_t>(); }), 0);
  move.run();
  EXPECT_EQ(target.wrong(odd), 0);
}

/// Elements whose bytes have no meaning here are copied unchanged.
TEST_F(Transforming, ForeignByteOrder) {
  const DataType big(Kind::floating, 8, ByteOrder::big);
  Held<std::int64_t> source(rows, comm);
  Held<std::int64_t> target(columns, comm);
  source.number();
  const auto as_big = [&](const Section& array) {
    return describe(big, array.mutable_data(), array.dimensions()).on(comm);
  };
  Redistribution move(as_big(source.array()), as_big(target.array()));
  EXPECT_THROW(move.run({2, false, 0}), InvalidArgument);
  move.run();
  EXPECT_EQ(target.wrong(), 0);
}

}  // namespace
