// SPDX-License-Identifier: BSD-3-Clause
// From every layout to every other, against the definition of the transform.

#include "fields.hpp"

namespace daptor::fft::test {
namespace {

/// Forward and backward between two layouts: the values of both, and whatever is around them.
void check(const Layout& from, const Layout& to, const Shape& shape, const std::vector<int>& along,
           bool real, bool overwrite = false) {
  SCOPED_TRACE(from.name + " to " + to.name + (real ? ", real" : "") +
               (overwrite ? ", overwriting" : ""));
  const int halved = real ? along.back() : -1;
  const Whole before = field(shape, real);
  const Whole after = transformed(before, along, halved);
  const Guarded in(real ? float64 : complex128, from, shape);
  const Guarded out(complex128, to, after.shape);
  fill(in.array, before);
  TransformOptions options;
  options.dimensions = along;
  options.overwrite = overwrite;
  options.planning = Planning::estimate;
  Transform transform(in.array, out.array, options);
  transform.forward();
  expect_values(out.array, after);
  if (!overwrite) expect_values(in.array, before);
  fill(in.array, Whole(shape));  // zeros
  transform.backward();
  double count = 1;
  for (const int d : along) count *= static_cast<double>(shape[static_cast<std::size_t>(d)]);
  expect_values(in.array, before, count);
  if (!overwrite) expect_values(out.array, after);
  EXPECT_TRUE(in.guards_are_whole());
  EXPECT_TRUE(out.guards_are_whole());
}

TEST(Layouts, EachToEach) {
  int number = 0;
  for (const Layout& from : layouts())
    for (const Layout& to : layouts()) {
      if (!tried(number++, 5)) continue;
      check(from, to, {6, 5, 4}, {0, 1, 2}, false);
      check(from, to, {6, 5, 4}, {0, 1, 2}, true);
    }
}

TEST(Layouts, EachToEachOverwriting) {
  int number = 0;
  for (const Layout& from : layouts())
    for (const Layout& to : layouts()) {
      if (!tried(number++, 5)) continue;
      check(from, to, {5, 4, 7}, {0, 1, 2}, false, true);
      check(from, to, {5, 4, 7}, {0, 1, 2}, true, true);
    }
}

TEST(Layouts, OneToFiveDimensions) {
  for (const Shape& shape : {Shape{12}, Shape{7}, Shape{6, 9}, Shape{3, 4, 5}, Shape{3, 2, 4, 3},
                             Shape{2, 3, 2, 3, 4}, Shape{1, 5, 1}, Shape{1}}) {
    std::vector<int> along(shape.size());
    std::iota(along.begin(), along.end(), 0);
    for (const bool real : {false, true}) {
      SCOPED_TRACE(std::to_string(shape.size()) + " dimensions");
      check(slabs(0), bricks(), shape, along, real);
      check(bricks(), bricks(), shape, along, real);
      check(padded(), column_major(bricks()), shape, along, real);
    }
  }
}

TEST(Layouts, BatchesOfAnyDimensions) {
  for (const std::vector<int>& along :
       {std::vector<int>{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {2, 1}})
    for (const bool real : {false, true}) {
      std::vector<int> sorted = along;
      std::sort(sorted.begin(), sorted.end());
      check(slabs(0), slabs(0), {6, 5, 4}, sorted, real);
      check(bricks(), slabs(1), {6, 5, 4}, sorted, real);
      check(padded(), bricks(), {6, 5, 4}, sorted, real);
      check(between_ghosts(0), slabs(0), {6, 5, 4}, sorted, real);
      check(slabs(1), between_ghosts(2), {6, 5, 4}, sorted, real);
    }
}

TEST(Layouts, BatchesOverProcessesNeedNoCommunication) {
  const Guarded in(complex128, slabs(0), {7, 4, 3});
  const Guarded out(complex128, column_major(slabs(0)), {7, 4, 3});
  TransformOptions options;
  options.dimensions = {1, 2};
  const Transform transform(in.array, out.array, options);
  EXPECT_EQ(transform.redistributions(), 0);
  EXPECT_EQ(transform.bytes_sent(), 0);
  EXPECT_EQ(transform.work_bytes(), 0);
}

int redistributions(const TargetLayout& from, const TargetLayout& to, const Shape& shape) {
  const DistArray in = allocate<Complex>(of_layout(from, shape)).on(world);
  const DistArray out = allocate<Complex>(of_layout(to, shape)).on(world);
  TransformOptions options;
  options.planning = Planning::estimate;
  return Transform(in, out, options).redistributions();
}

TEST(Layouts, TakeAsFewRedistributionsAsTheyCan) {
  const Shape shape{16, 16, 16};
  const int some = world_size() > 1 ? 1 : 0;
  EXPECT_EQ(redistributions(layout::slab(0), layout::slab(1), shape), some);
  EXPECT_EQ(redistributions(layout::slab(0), layout::slab(0), shape), 2 * some);
  const DistArray in = allocate<Complex>(of_layout(layout::slab(0), shape)).on(world);
  TransformOptions options;
  options.overwrite = true;
  const Transform fitting(in, fitting_output(in), options);
  EXPECT_EQ(fitting.redistributions(), some);
  EXPECT_EQ(fitting.work_bytes(), 0) << "in the memory of input and output";
  if (world_size() == 4) {
    EXPECT_EQ(redistributions(layout::blocks({2, 2, 1}), layout::blocks({2, 2, 1}), shape), 2);
    EXPECT_EQ(redistributions(layout::blocks({1, 2, 2}), layout::blocks({2, 2, 1}), shape), 2);
  }
  if (world_size() == 8) {
    EXPECT_EQ(redistributions(layout::blocks({2, 2, 2}), layout::blocks({2, 2, 2}), shape), 3);
  }
}

TEST(Layouts, BytesAreToldBeforehand) {
  for (const bool real : {false, true})
    for (const Layout& from : {slabs(0), padded(), dealt(), reversed()})
      for (const Layout& to : {slabs(0), slabs(1), bricks()}) {
        const Shape shape{6, 5, 4};
        const Shape spectrum{6, 5, real ? 3 : 4};
        const DataType& type = real ? float64 : complex128;
        const DistArray in = daptor::describe(type, nullptr, from.dimensions(shape)).on(world);
        const DistArray out =
            daptor::describe(complex128, nullptr, to.dimensions(spectrum)).on(world);
        const Guarded a(type, from, shape);
        const Guarded b(complex128, to, spectrum);
        const Transform transform(a.array, b.array);
        std::int64_t sent = transform.bytes_sent();
        MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT64_T, MPI_SUM, world);
        EXPECT_EQ(bytes_to_transform(in, out), sent) << from.name << " to " << to.name;
      }
}

TEST(Layouts, SinglePrecision) {
  for (const bool real : {false, true}) {
    const Shape shape{6, 5, 4};
    const Whole before = field(shape, real);
    const Whole after = transformed(before, {0, 1, 2}, real ? 2 : -1);
    const Guarded in(real ? DataType::of<float>() : DataType::of<std::complex<float>>(), padded(),
                     shape);
    const Guarded out(DataType::of<std::complex<float>>(), slabs(1), after.shape);
    fill(in.array, before);
    Transform transform(in.array, out.array);
    transform.forward();
    expect_values(out.array, after, 1, 1e-4);
    transform.backward();
    expect_values(in.array, before, 120, 1e-4);
  }
}

TEST(Layouts, OnPartOfTheProcesses) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(world, world_rank() % 2, -world_rank(), &part);
  {
    const Comm comm(part);
    const DistArray in =
        like(daptor::describe(complex128, nullptr, {undistributed(6), undistributed(5)}).on(comm),
             layout::blocks());
    const Whole before = field({6, 5}, false);
    fill(in, before);
    Transform transform(in, fitting_output(in));
    transform.forward();
    expect_values(transform.output(), transformed(before, {0, 1}));
  }
  MPI_Comm_free(&part);
}

TEST(Layouts, OfNoElements) {
  for (const Shape& shape : {Shape{0, 4}, Shape{4, 0}, Shape{3, 0, 2}}) {
    const Guarded in(complex128, slabs(0), shape);
    const Guarded out(complex128, bricks(), shape);
    Transform transform(in.array, out.array);
    transform.forward();
    transform.backward();
  }
}

/// FFTW 3.3.10 alone ends a program with this problem: complex numbers in single precision, rows
/// with a gap, and an output with an odd leading dimension.
TEST(Layouts, OddStridesInSinglePrecision) {
  using Single = std::complex<float>;
  const std::vector<Dimension> dimensions{
      undistributed(10), block(2 * world_size(), {world_size(), world_rank()}), undistributed(12)};
  const auto bytes = [](std::vector<Index> strides) {
    for (Index& stride : strides) stride *= static_cast<Index>(sizeof(Single));
    return strides;
  };
  const DistArray room_in = allocate<Single>({undistributed(512)}).on(world);
  const DistArray room_out = allocate<Single>({undistributed(512)}).on(world);
  auto* const in = static_cast<Single*>(room_in.mutable_data());
  auto* const out = static_cast<Single*>(room_out.mutable_data());
  const DistArray from = daptor::describe(in, dimensions, bytes({28, 14, 1})).on(world);
  const DistArray to = daptor::describe(out, dimensions, bytes({1, 132, 11})).on(world);
  for (Index j = 0; j < 2; ++j)
    for (Index k = 0; k < 12; ++k) in[14 * j + k] = Single(static_cast<float>(12 * j + k), 1);
  TransformOptions options;
  options.planning = Planning::estimate;
  options.dimensions = {0};
  Transform(from, to, options).forward();
  // The spectrum of one number at index 0 is that number everywhere.
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 2; ++j)
      for (Index k = 0; k < 12; ++k)
        EXPECT_EQ(out[i + 132 * j + 11 * k], Single(static_cast<float>(12 * j + k), 1));
}

}  // namespace
}  // namespace daptor::fft::test
