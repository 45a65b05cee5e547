// SPDX-License-Identifier: BSD-3-Clause
// What is refused, on all ranks alike, and that nothing is touched then.

#include <algorithm>
#include <cstddef>

#include "daptor/explain.hpp"
#include "debug_device.hpp"
#include "fields.hpp"

namespace daptor::fft::test {
namespace {

using daptor::test::Faults;

DistArray slab_of(const DataType& type, const Shape& shape) {
  return allocate(type, of_layout(layout::slab(0), shape)).on(world);
}

void refuse(const std::string& rule, const DistArray& in, const DistArray& out,
            const TransformOptions& options = {}) {
  SCOPED_TRACE(rule);
  expect_refused_everywhere<InvalidArgument>(rule, [&] { Transform(in, out, options); });
}

TEST(Refusals, OfTypesThatDoNotFit) {
  const Shape shape{6, 4};
  const DistArray out = slab_of(complex128, shape);
  refuse("fft.type", slab_of(DataType::of<int>(), shape), out);
  refuse("fft.type", slab_of(DataType::of<std::complex<float>>(), shape), out);
  refuse("fft.type", slab_of(DataType::of<float>(), shape), out);
  refuse("fft.type", out, slab_of(DataType::of<double>(), shape));
  refuse("fft.type", slab_of(DataType::of<long double>(), shape), out);
}

TEST(Refusals, OfSizesThatDoNotFit) {
  refuse("fft.shape", slab_of(complex128, {6, 4}), slab_of(complex128, {6, 5}));
  refuse("fft.shape", slab_of(complex128, {6, 4}), slab_of(complex128, {24}));
  refuse("fft.shape", slab_of(DataType::of<double>(), {6, 8}), slab_of(complex128, {6, 8}));
  TransformOptions options;
  options.dimensions = {0};
  refuse("fft.shape", slab_of(DataType::of<double>(), {6, 8}), slab_of(complex128, {6, 5}),
         options);
}

TEST(Refusals, OfDimensions) {
  const DistArray a = slab_of(complex128, {6, 4});
  const DistArray b = slab_of(complex128, {6, 4});
  for (const std::vector<int>& dimensions : {std::vector<int>{2}, {-1}, {0, 0}}) {
    TransformOptions options;
    options.dimensions = dimensions;
    refuse("fft.dimensions", a, b, options);
    const DistArray fitting = fitting_output(a, options);
    expect_refused_everywhere<InvalidArgument>("fft.dimensions", [&] { Transform(a, fitting); });
  }
}

/// Ghost cells at the edges of a domain that is not periodic are elements of the array.
TEST(Refusals, OfBoundaryPadding) {
  const GridPosition line{world_size(), world_rank()};
  const DistArray a =
      allocate(complex128, {block(4 * world_size(), line, BlockPadding::ghosts({1, 1}, false)),
                            undistributed(6)})
          .on(world);
  const DistArray b = slab_of(complex128, a.global_shape());
  refuse("fft.boundary", a, b);
  refuse("fft.boundary", b, a);
  TransformOptions options;
  options.dimensions = {1};
  Transform(a, fitting_output(a, options), options).forward();
}

TEST(Refusals, OfOptionsThatDiffer) {
  if (world_size() == 1) return;
  const DistArray in = slab_of(complex128, {6, 4});
  const DistArray out = slab_of(complex128, {6, 4});
  TransformOptions overwrite, scale, planning, engine;
  if (world_rank() == 1) {
    overwrite.overwrite = true;
    scale.scale = Scale::backward;
    planning.planning = Planning::estimate;
    engine.engine = Engine::fftw_mpi;
  }
  const std::pair<const char*, TransformOptions> cases[] = {
      {"overwrite", overwrite}, {"scale", scale}, {"planning", planning}, {"engine", engine}};
  for (const auto& [key, options] : cases) {
    expect_different(key, [&, &o = options] { bytes_to_transform(in, out, o); });
    // Transforms by different engines would wait for each other.
    ASSERT_FALSE(::testing::Test::HasFailure());
    refuse("collective.different", in, out, options);
  }
}

TEST(Refusals, OfDimensionsThatDiffer) {
  if (world_size() == 1) return;
  // The outputs made for them are no array together, which is not what is told.
  TransformOptions options;
  options.dimensions = world_rank() == 1 ? std::vector<int>{1, 0} : std::vector<int>{0, 1};
  const DistArray in = slab_of(float64, {8, 3});
  const DistArray out = fitting_output(in, options);
  for (const auto& call : {std::function<void()>([&] { Transform(in, out, options); }),
                           std::function<void()>([&] { bytes_to_transform(in, out, options); })}) {
    expect_different("dimensions", call);
  }
}

TEST(Refusals, OfMemory) {
  const Shape shape{6, 4};
  const DistArray a = slab_of(complex128, shape);
  const auto dimensions = of_layout(layout::slab(0), shape);
  refuse("lease.readonly", a, a.as_readonly());
  if (a.owned_count() > 0 && world_size() == 1)
    refuse("argument", a, daptor::describe(complex128, nullptr, dimensions).on(world));
  std::vector<std::byte> memory(4096);
  if (world_size() <= 6) {
    const auto bytes = static_cast<Index>(sizeof(Complex));
    refuse(
        "fft.strides", a,
        daptor::describe(complex128, memory.data(), 200, dimensions, {4 * (bytes + 4), bytes + 4})
            .on(world));
  }
  const daptor::test::RegisteredDevice device;
  const DistArray on_device =
      a.with_memory(device->allocate(4096)).in_space({device->type, world_rank()});
  refuse("fft.device", on_device, a);
  refuse("fft.device", a, on_device);
  explain(on_device);
  // A read-only input has no backward.
  const DistArray out = slab_of(complex128, shape);
  Transform transform(a.as_readonly(), out);
  transform.forward();
  expect_refused_everywhere<InvalidArgument>("lease.readonly", [&] { transform.backward(); });
}

TEST(Refusals, OfAReadOnlyInputThatIsOverwritten) {
  const Shape shape{6, 5, 4};
  const DistArray a = slab_of(complex128, shape);
  const DistArray out = allocate<Complex>(of_layout(layout::slab(1), shape)).on(world);
  TransformOptions options;
  options.overwrite = true;
  if (world_size() == 1) options.dimensions = {1};
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    const DistArray mine = world_rank() == culprit ? a.as_readonly() : a;
    Transform kept(mine, out);
    kept.forward();
    if (world_size() > 1) refuse("lease.readonly", mine, out, options);
  }
}

TEST(Refusals, OfElementsAtOneAddress) {
  std::vector<Complex> memory(200);
  const std::vector<Dimension> dimensions{block(3 * world_size(), {world_size(), world_rank()}),
                                          undistributed(4)};
  const DistArray in = allocate<Complex>(dimensions).on(world);
  const DistArray rows =
      daptor::describe(memory.data(), 200, dimensions, std::vector<Index>{32, 16}).on(world);
  refuse("fft.strides", in, rows);
}

TEST(Refusals, OfElementsOfOneByte) {
  const DistArray bytes = slab_of(DataType::of<unsigned char>(), {6, 4});
  refuse("fft.type", bytes, slab_of(complex128, {6, 4}));
  const auto target =
      std::find_if(registered_targets().begin(), registered_targets().end(),
                   [](const Target& each) { return each.name == "fftw.transform"; });
  const Assessment verdict = assess(*target, bytes);
  EXPECT_FALSE(verdict.representable);
  ASSERT_EQ(verdict.reasons.size(), 1U);
  EXPECT_EQ(verdict.reasons[0].rule, "fft.type");
}

TEST(Refusals, OfNegativeStrides) {
  std::vector<Complex> memory(200);
  const std::vector<Dimension> dimensions{undistributed(3),
                                          block(4 * world_size(), {world_size(), world_rank()})};
  const DistArray a = allocate<Complex>(dimensions).on(world);
  for (const std::vector<Index>& strides : {std::vector<Index>{64, -16}, {-64, 16}}) {
    const DistArray backwards = daptor::describe(&memory[100], dimensions, strides).on(world);
    refuse("fft.strides", a, backwards);
    refuse("fft.strides", backwards, a);
  }
}

TEST(Refusals, OfNumbersThatAreNotAligned) {
  alignas(64) std::byte memory[1024];
  const std::vector<Dimension> dimensions{undistributed(3),
                                          block(4 * world_size(), {world_size(), world_rank()})};
  const DistArray a = allocate<Complex>(dimensions).on(world);
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    const DistArray off =
        daptor::describe(complex128, memory + (world_rank() == culprit ? 4 : 8), dimensions)
            .on(world);
    refuse("fft.alignment", a, off);
    refuse("fft.alignment", off, a);
    const Assessment verdict =
        assess(*std::find_if(registered_targets().begin(), registered_targets().end(),
                             [](const Target& target) { return target.name == "fftw.transform"; }),
               off);
    EXPECT_FALSE(verdict.representable);
  }
}

TEST(Refusals, OfOverlapWhenMemoryIsBound) {
  std::vector<Complex> memory(100);
  const std::vector<Dimension> dimensions{block(3 * world_size(), {world_size(), world_rank()}),
                                          undistributed(8)};
  const DistArray a = daptor::describe(memory.data(), 24, dimensions).on(world);
  const DistArray b = daptor::describe(memory.data() + 30, 24, dimensions).on(world);
  Transform transform(a, b);
  const DistArray near = daptor::describe(memory.data() + 8, 24, dimensions).on(world);
  expect_refused_everywhere<InvalidArgument>("fft.memory", [&] { transform.rebind(a, near); });
  transform.forward();
}

TEST(Refusals, OfAHalvedDimensionWithoutNumbers) {
  refuse("fft.shape", slab_of(float64, {4, 0}), slab_of(complex128, {4, 1}));
  const DistArray in = slab_of(float64, {4, 0});
  expect_refused_everywhere<InvalidArgument>("fft.shape",
                                             [&] { Transform(in, fitting_output(in)); });
}

TEST(Refusals, OfArraysThatDoNotConform) {
  if (world_size() == 1) return;
  const DistArray good = slab_of(complex128, {2 * world_size(), 4});
  const Index rank = world_rank() == 1 ? 0 : world_rank();
  const DistArray bad =
      allocate<Complex>({block(2 * world_size(), {world_size(), rank}), undistributed(4)})
          .on(world);
  expect_refused_everywhere<Malformed>("D19", [&] { Transform(bad, good); });
  expect_refused_everywhere<Malformed>("D19", [&] { Transform(good, bad); });
  expect_refused_everywhere<InvalidArgument>("array.empty", [&] { Transform(good, DistArray()); });
}

/// A fault of the lists is told as what it is, not as indices that are on several processes.
TEST(Refusals, OfListsThatDifferAlongAGrid) {
  if (world_size() != 4) return;
  const int row = world_rank() / 2;
  std::vector<Index> list{2 * row, 2 * row + 1};
  if (world_rank() == 3) std::swap(list[0], list[1]);
  const DistArray in = allocate<Complex>({unstructured(4, {2, row}, IndexList(list)),
                                          block(4, {2, world_rank() % 2})})
                           .on(world);
  const DistArray out = slab_of(complex128, {4, 4});
  expect_refused_everywhere<Malformed>("U12", [&] { Transform(in, out); });
}

TEST(Refusals, OfAFaultOnOneRank) {
  const Shape shape{6, 5, 4};
  const Whole before = field(shape, true);
  const DistArray in = slab_of(DataType::of<double>(), shape);
  fill(in, before);
  const DistArray out = slab_of(complex128, {6, 5, 3});
  TransformOptions options;
  options.scale = Scale::backward;
  Faults().expect_agreed([&] { Transform(in, out, options); });
  Faults().expect_agreed([&] { bytes_to_transform(in, out, options); });
  Transform transform(in, out, options);
  const DistArray again = slab_of(complex128, {6, 5, 3});
  Faults().expect_agreed([&] { transform.rebind(in, again); });
  Faults().expect_agreed(
      [&] {
        fill(in, before);
        transform.forward();
      },
      [&] { expect_values(in, before); });
  expect_values(again, transformed(before, {0, 1, 2}, 2));
  Faults().expect_agreed([&] {
    transform.forward();
    transform.backward();
  });
  expect_values(in, before);
}

TEST(Refusals, OfArraysOnOtherProcesses) {
  const DistArray in = slab_of(complex128, {6, 4});
  const DistArray out = slab_of(complex128, {6, 4});
  Transform transform(in, out);
  MPI_Comm same = MPI_COMM_NULL, turned = MPI_COMM_NULL;
  MPI_Comm_dup(world, &same);
  MPI_Comm_split(world, 0, -world_rank(), &turned);
  Transform(in, out.on(same));
  transform.rebind(in.on(same), out);
  if (world_size() > 1) {
    refuse("collective.comm", in, out.on(turned));
    expect_refused_everywhere<InvalidArgument>("collective.comm",
                                               [&] { bytes_to_transform(in, out.on(turned)); });
    expect_refused_everywhere<InvalidArgument>("collective.comm",
                                               [&] { transform.rebind(in.on(turned), out); });
  }
  transform.forward();
  MPI_Comm_free(&same);
  MPI_Comm_free(&turned);
}

TEST(Refusals, OfATransformThatWasMovedFrom) {
  const DistArray a = slab_of(complex128, {6, 4});
  Transform first(a, a);
  Transform second = std::move(first);
  second.forward();
  expect_refused_everywhere<InvalidArgument>("argument", [&] { first.forward(); });
}

}  // namespace
}  // namespace daptor::fft::test
