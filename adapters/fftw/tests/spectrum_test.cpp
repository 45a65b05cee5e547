// SPDX-License-Identifier: BSD-3-Clause
// What a user does with spectra: frequencies, scales, convolutions, other arrays of one layout.

#include <fftw3.h>

#include "fields.hpp"

namespace daptor::fft::test {
namespace {

/// Numbers of the frequencies that numpy.fft.fftfreq(size) * size has.
std::vector<double> all_frequencies(Index size) {
  std::vector<double> all;
  for (Index k = 0; k < size; ++k) all.push_back(static_cast<double>(2 * k < size ? k : k - size));
  return all;
}

TEST(Frequencies, AreThoseOfTheOwnedIndices) {
  for (const Index size : {1, 2, 5, 6, 8}) {
    const std::vector<double> all = all_frequencies(size);
    for (const Layout& layout : {slabs(0), bricks(), padded(), dealt(), reversed()}) {
      const Guarded section(complex128, layout, {size, 6});
      const auto found = frequencies(section.array, 0);
      const LocalDimensionMap map(section.array.dimension(0));
      ASSERT_EQ(static_cast<Index>(found.size()), map.owned_count());
      for (Index i = 0; i < map.owned_count(); ++i)
        EXPECT_EQ(found[static_cast<std::size_t>(i)],
                  all[static_cast<std::size_t>(map.global_of(map.owned_offset() + i))]);
    }
  }
}

TEST(Frequencies, OfTheHalvedDimensionAreNotNegative) {
  for (const Index size : {1, 4, 5}) {
    const DistArray in = allocate<double>(of_layout(layout::slab(0), {6, size})).on(world);
    const Transform transform(in, fitting_output(in));
    const auto found = transform.frequencies(1);
    const LocalDimensionMap map(transform.output().dimension(1));
    ASSERT_EQ(static_cast<Index>(found.size()), map.owned_count());
    for (Index i = 0; i < map.owned_count(); ++i)
      EXPECT_EQ(found[static_cast<std::size_t>(i)], static_cast<double>(map.global_of(i)));
  }
}

TEST(Spectrum, OfTheDimensionNamedLastIsHalvedAsInNumPy) {
  const Shape shape{8, 3, 4};
  const Whole before = field(shape, true);
  for (const std::vector<int>& dimensions : {std::vector<int>{1, 0}, {2, 0}, {0, 2, 1}, {0, 2}})
    for (const Layout& layout : {slabs(0), bricks()}) {
      const Guarded in(float64, layout, shape);
      fill(in.array, before);
      TransformOptions options;
      options.dimensions = dimensions;
      options.scale = Scale::backward;
      const DistArray out = fitting_output(in.array, options);
      Transform transform(in.array, out, options);
      transform.forward();
      expect_values(out, transformed(before, dimensions, dimensions.back()));
      const std::vector<double> k = transform.frequencies(dimensions.back());
      EXPECT_TRUE(std::all_of(k.begin(), k.end(), [](double each) { return each >= 0; }));
      transform.backward();
      expect_values(in.array, before);
    }
  // An output of one's own decides for itself.
  TransformOptions options;
  options.dimensions = {1, 0};
  const DistArray in = allocate<double>(of_layout(layout::slab(0), {8, 3})).on(world);
  const DistArray out = allocate<Complex>(of_layout(layout::slab(0), {8, 2})).on(world);
  fill(in, field({8, 3}, true));
  Transform(in, out, options).forward();
  expect_values(out, transformed(field({8, 3}, true), {0, 1}, 1));
}

TEST(Spectrum, AShiftTurnsThePhaseOfEachFrequency) {
  const Shape shape{6, 5, 4};
  const Shape by{2, 1, 3};
  const Whole before = field(shape, false);
  Whole shifted(shape);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 5; ++j)
      for (Index k = 0; k < 4; ++k)
        shifted.values[static_cast<std::size_t>(((i + by[0]) % 6 * 5 + (j + by[1]) % 5) * 4 +
                                                (k + by[2]) % 4)] =
            before.values[static_cast<std::size_t>((i * 5 + j) * 4 + k)];
  const Guarded in(complex128, bricks(), shape);
  fill(in.array, before);
  TransformOptions options;
  options.scale = Scale::backward;
  Transform transform(in.array, fitting_output(in.array), options);
  transform.forward();
  constexpr double pi = 3.14159265358979323846;
  const std::vector<double> k[] = {transform.frequencies(0), transform.frequencies(1),
                                   transform.frequencies(2)};
  const DistArray& spectrum = transform.output();
  auto values = daptor::view<Complex, 3>(spectrum);
  for (std::size_t a = 0; a < k[0].size(); ++a)
    for (std::size_t b = 0; b < k[1].size(); ++b)
      for (std::size_t c = 0; c < k[2].size(); ++c)
        values(static_cast<Index>(a), static_cast<Index>(b), static_cast<Index>(c)) *=
            std::polar(1.0, -2 * pi * (k[0][a] * 2 / 6 + k[1][b] * 1 / 5 + k[2][c] * 3 / 4));
  transform.backward();
  expect_values(in.array, shifted);
}

TEST(Spectrum, ScalesAreThoseOfNumPy) {
  const Shape shape{6, 4};
  const Whole before = field(shape, false);
  const Whole after = transformed(before, {0, 1});
  const struct {
    Scale scale;
    double forward, round;
  } cases[] = {{Scale::none, 1, 24},
               {Scale::backward, 1, 1},
               {Scale::forward, 1 / 24.0, 1},
               {Scale::both, 1 / std::sqrt(24.0), 1}};
  // With redistributions, and on a single stage, where a pass of its own scales.
  for (const Layout& layout : {slabs(0), on_the_last_rank()})
    for (const auto& one : cases) {
      const Guarded in(complex128, layout, shape);
      const Guarded out(complex128, column_major(layout), shape);
      fill(in.array, before);
      TransformOptions options;
      options.scale = one.scale;
      Transform transform(in.array, out.array, options);
      transform.forward();
      expect_values(out.array, after, one.forward);
      transform.backward();
      expect_values(in.array, before, one.round);
    }
}

TEST(Spectrum, OfALargerArrayIsThatOfFftw) {
  const Shape shape{32, 17, 24};
  const Whole before = field(shape, false);
  Whole after = before;
  auto* const data = reinterpret_cast<fftw_complex*>(after.values.data());
  fftw_plan plan = fftw_plan_dft_3d(32, 17, 24, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  for (const Layout& from : {slabs(0), bricks(), padded()}) {
    const Guarded in(complex128, from, shape);
    fill(in.array, before);
    Transform transform(in.array, fitting_output(in.array));
    transform.forward();
    expect_values(transform.output(), after, 1, 1e-9);
    double here = 0, total = 0, expected = 0;
    for_each_owned(transform.output(),
                   [&](std::byte* at, Index) { here += std::norm(read(transform.output(), at)); });
    MPI_Allreduce(&here, &total, 1, MPI_DOUBLE, MPI_SUM, world);
    for (const Complex value : before.values) expected += std::norm(value);
    EXPECT_NEAR(total / static_cast<double>(before.values.size()) / expected, 1, 1e-12)
        << "Parseval";
  }
}

TEST(Spectrum, OfOtherArraysOfOneLayout) {
  const Shape shape{6, 5};
  const Whole first = field(shape, false);
  Whole second = first;
  for (Complex& value : second.values) value = value * value + 1.0;
  // The second begins at an address that is aligned in another way.
  const std::vector<Dimension> dimensions = of_layout(layout::slab(0), shape);
  std::vector<double> memory(2 * 30 + 3);
  const DistArray a = allocate<Complex>(dimensions).on(world);
  const Index count = local_count(dimensions);
  const DistArray b = daptor::describe(complex128, memory.data() + 1, count, dimensions).on(world);
  const DistArray out = fitting_output(a);
  Transform transform(a, out);
  fill(a, first);
  fill(b, second);
  transform.forward();
  expect_values(out, transformed(first, {0, 1}));
  const DistArray other = fitting_output(a);
  transform.rebind(b, other);
  transform.forward();
  expect_values(other, transformed(second, {0, 1}));
  expect_values(out, transformed(first, {0, 1}));
  expect_refused_everywhere<InvalidArgument>("fft.rebind", [&] {
    transform.rebind(b, allocate<Complex>(of_layout(layout::slab(0), {6, 6})).on(world));
  });
  expect_refused_everywhere<InvalidArgument>("fft.rebind", [&] { transform.rebind(a, a); });
  transform.forward();
  expect_values(other, transformed(second, {0, 1}));
}

}  // namespace
}  // namespace daptor::fft::test
