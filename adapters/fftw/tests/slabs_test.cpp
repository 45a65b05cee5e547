// SPDX-License-Identifier: BSD-3-Clause
// FFTW-MPI in the memory of arrays.

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "daptor/adapter/text.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "fields.hpp"

namespace daptor::fft::test {
namespace {

using daptor::test::Faults;

TransformOptions by_fftw_mpi(Index capacity) {
  TransformOptions options;
  options.engine = Engine::fftw_mpi;
  options.capacity = capacity;
  options.planning = Planning::estimate;
  options.scale = Scale::backward;
  return options;
}

/// What transforms of a few hundred numbers may lose.
double tolerance_of(const SlabPair& slabs) {
  return slabs.output.type() == complex128 ? 1e-10 : 2e-4;
}

template <class T>
void transform_complex_numbers_in_place() {
  for (const bool transposed : {false, true})
    for (const Shape& shape : {Shape{10, 7}, Shape{5, 6, 7}, Shape{2, 3, 4}, Shape{4, 3, 2, 5}}) {
      const SlabPair slabs = allocate_slabs<T>(shape, world, transposed);
      EXPECT_EQ(slabs.output.type(), DataType::of<T>());
      EXPECT_EQ(slabs.input.data(), slabs.output.data());
      std::vector<int> along(shape.size());
      std::iota(along.begin(), along.end(), 0);
      const Whole before = field(shape, false);
      fill(slabs.input, before);
      Transform transform(slabs.input, slabs.output, by_fftw_mpi(slabs.capacity));
      EXPECT_EQ(transform.redistributions(), 0);
      transform.forward();
      expect_values(slabs.output, transformed(before, along), 1, tolerance_of(slabs));
      transform.backward();
      expect_values(slabs.input, before, 1, tolerance_of(slabs));
    }
}

TEST(Slabs, ComplexNumbersInPlace) {
  transform_complex_numbers_in_place<Complex>();
}

TEST(Slabs, ComplexNumbersOfSinglePrecisionInPlace) {
  transform_complex_numbers_in_place<std::complex<float>>();
}

template <class T>
void transform_real_numbers_in_place() {
  for (const Shape& shape : {Shape{10, 7}, Shape{5, 6, 8}, Shape{3, 2, 1}}) {
    const SlabPair slabs = allocate_slabs<T>(shape, world);
    EXPECT_EQ(slabs.output.type(), DataType::of<std::complex<T>>());
    const Whole before = field(shape, true);
    std::vector<int> along(shape.size());
    std::iota(along.begin(), along.end(), 0);
    fill(slabs.input, before);
    Transform transform(slabs.input, slabs.output, by_fftw_mpi(slabs.capacity));
    transform.forward();
    expect_values(slabs.output, transformed(before, along, along.back()), 1, tolerance_of(slabs));
    transform.backward();
    expect_values(slabs.input, before, 1, tolerance_of(slabs));
  }
}

TEST(Slabs, RealNumbersInPlace) {
  transform_real_numbers_in_place<double>();
}

TEST(Slabs, RealNumbersOfSinglePrecisionInPlace) {
  transform_real_numbers_in_place<float>();
}

TEST(Slabs, AreOurBlocksForEveryShape) {
  // Releases of FFTW reported other blocks than they use for some of these shapes.
  for (Index rows = 1; rows <= 2 * world_size() + 1; ++rows)
    for (Index columns = 1; columns <= 2 * world_size() + 1; ++columns) {
      const SlabPair slabs = allocate_slabs<Complex>({rows, columns}, world, true);
      const GridPosition at{world_size(), world_rank()};
      const auto owned = [](const DistArray& a, int d) {
        const auto* const block = a.dimension(d).as<Block>();
        return block != nullptr ? block->owned : IndexRange{0, a.dimension(d).global_size()};
      };
      EXPECT_EQ(owned(slabs.input, 0), divided(rows, at, Division::ceiling));
      EXPECT_EQ(owned(slabs.output, 1), divided(columns, at, Division::ceiling));
      EXPECT_GE(slabs.capacity, slabs.input.owned_count());
      EXPECT_GE(slabs.capacity, slabs.output.owned_count());
    }
}

TEST(Slabs, ArraysApart) {
  const Shape shape{5, 6, 7};
  const SlabPair from = allocate_slabs<Complex>(shape, world);
  const SlabPair to = allocate_slabs<Complex>(shape, world);
  const Whole before = field(shape, false);
  fill(from.input, before);
  Transform transform(from.input, to.input, by_fftw_mpi(from.capacity));
  transform.forward();
  expect_values(to.input, transformed(before, {0, 1, 2}));
  transform.backward();
  expect_values(from.input, before);
}

/// Memory with guards behind the room that is stated.
template <class T>
void transform_between_guards() {
  const Shape shape{5, 6, 7};
  const SlabPair sizes = allocate_slabs<T>(shape, world);
  std::vector<T> memory(static_cast<std::size_t>(sizes.capacity) + 64, T(-7, -7));
  const DistArray a = sizes.input.with_memory(memory.data());
  fill(a, field(shape, false));
  Transform transform(a, a, by_fftw_mpi(sizes.capacity));
  transform.forward();
  transform.backward();
  for (std::size_t i = memory.size() - 64; i < memory.size(); ++i) EXPECT_EQ(memory[i], T(-7, -7));
  // One element less is refused, and nothing is written.
  fill(a, field(shape, false));
  const std::vector<T> before = memory;
  for (int culprit = 0; culprit < world_size(); ++culprit)
    expect_refused_everywhere<NotRepresentable>("fft.capacity", [&] {
      Transform(a, a, by_fftw_mpi(sizes.capacity - (world_rank() == culprit ? 1 : 0)));
    });
  EXPECT_EQ(memory, before);
}

TEST(Slabs, NothingBeyondTheCapacityIsWritten) {
  transform_between_guards<Complex>();
  transform_between_guards<std::complex<float>>();
}

/// The output begins where the room of the input ends, and then on the last rank, which has more
/// room than elements, one number before that.
template <class T>
void transform_next_to_each_other() {
  const Index ranks = world_size();
  const Shape shape{2 * ranks - 1, 2 * ranks};
  const SlabPair sizes = allocate_slabs<T>(shape, world);
  std::vector<T> memory(static_cast<std::size_t>(2 * sizes.capacity));
  const DistArray from = sizes.input.with_memory(memory.data());
  const DistArray to = sizes.input.with_memory(memory.data() + sizes.capacity);
  fill(from, field(shape, false));
  Transform transform(from, to, by_fftw_mpi(sizes.capacity));
  transform.forward();
  expect_values(to, transformed(field(shape, false), {0, 1}), 1, tolerance_of(sizes));
  if (ranks == 1) return;
  const DistArray nearer =
      sizes.input.with_memory(memory.data() + sizes.capacity - (world_rank() == ranks - 1 ? 1 : 0));
  expect_refused_everywhere<NotRepresentable>(
      "fft.capacity", [&] { Transform(from, nearer, by_fftw_mpi(sizes.capacity)); });
}

TEST(Slabs, OutputNextToTheRoomOfTheInput) {
  transform_next_to_each_other<Complex>();
  transform_next_to_each_other<std::complex<float>>();
}

void refuse_for_fftw(const std::string& rule, const DistArray& a, const DistArray& b) {
  SCOPED_TRACE(rule);
  expect_refused_everywhere<NotRepresentable>(rule, [&] { Transform(a, b, by_fftw_mpi(1000000)); });
}

TEST(Slabs, WhatFftwMpiDoesNotHaveIsRefused) {
  const Index ranks = world_size();
  const auto of = [](const Layout& layout, const Shape& shape) {
    return allocate<Complex>(layout.dimensions(shape)).on(world);
  };
  const DistArray line = allocate<Complex>({block(4 * ranks, {ranks, world_rank()})}).on(world);
  refuse_for_fftw("fft.engine", line, line);
  const DistArray rows = of(slabs(0), {4 * ranks, 4 * ranks});
  const DistArray halo = of(padded(), {4 * ranks, 4 * ranks});
  if (ranks > 1) refuse_for_fftw("fft.gaps", halo, halo);
  const DistArray fortran =
      allocate<Complex>(slabs(0).dimensions({4 * ranks, 5}), Order::fortran).on(world);
  refuse_for_fftw("fft.gaps", fortran, fortran);
  if (ranks == 1) return;
  const DistArray columns = of(slabs(1), {4 * ranks, 4 * ranks});
  refuse_for_fftw("fft.slab", columns, rows);
  const DistArray apart = of(dealt(), {4 * ranks, 4 * ranks});
  refuse_for_fftw("fft.slab", apart, apart);
  if (ranks == 4) {
    // 3 3 2 2 is not FFTW's 3 3 3 1.
    const DistArray even = of(slabs(0), {10, 4});
    refuse_for_fftw("fft.slab", even, even);
  }
}

/// All shapes of `ndim` dimensions with sizes from 1 to `most`.
std::vector<Shape> all_shapes(std::size_t ndim, Index most) {
  std::vector<Shape> shapes{{}};
  for (std::size_t d = 0; d < ndim; ++d) {
    std::vector<Shape> longer;
    for (const Shape& shape : shapes)
      for (Index size = 1; size <= most; ++size) {
        longer.push_back(shape);
        longer.back().push_back(size);
      }
    shapes = std::move(longer);
  }
  return shapes;
}

/// Slabs with guards behind the room that they state.
struct GuardedSlabs {
  std::vector<Complex> memory;
  SlabPair pair;

  GuardedSlabs(const DataType& type, const Shape& shape, bool transposed)
      : pair(allocate_slabs(type, shape, world, transposed)) {
    memory.assign(static_cast<std::size_t>(pair.capacity) + 64, Complex(-7, -7));
    pair.input = pair.input.with_memory(memory.data());
    pair.output = pair.output.with_memory(memory.data());
  }
  bool guards_are_whole() const {
    return std::count(memory.end() - 64, memory.end(), Complex(-7, -7)) == 64;
  }
};

bool has_plan(const std::function<void()>& make) {
  try {
    make();
    return true;
  } catch (const NotRepresentable&) {
    return false;
  }
}

/// FFTW-MPI 3.3.10 computes wrong values for some shapes whose dimension 1 has one index, writes
/// beyond the room that it states for others, and aborts for ones alone.
void expect_right_or_refused(const DataType& type, const Shape& shape, bool transposed) {
  SCOPED_TRACE(type.name() + ' ' + adapter::shape_text(shape) + (transposed ? ", transposed" : ""));
  const GuardedSlabs slabs(type, shape, transposed);
  const SlabPair& pair = slabs.pair;
  std::optional<Transform> made;
  const auto make = [&] { made.emplace(pair.input, pair.output, by_fftw_mpi(pair.capacity)); };
  // FFTW-MPI itself says that it has no plan for some shapes with one row.
  if (shape[1] == 1 || (shape[0] == 1 && transposed && !has_plan(make))) {
    expect_refused_everywhere<NotRepresentable>("fft.engine", make);
    return;
  }
  make();
  const bool real = is_real(type);
  std::vector<int> along(shape.size());
  std::iota(along.begin(), along.end(), 0);
  const Whole before = field(shape, real);
  fill(pair.input, before);
  made->forward();
  expect_values(pair.output, fft::test::transformed(before, along, real ? along.back() : -1));
  made->backward();
  expect_values(pair.input, before);
  EXPECT_TRUE(slabs.guards_are_whole());
}

TEST(Slabs, ShapesWithDimensionsOfOneIndexAreRightOrRefused) {
  for (const auto& [ndim, most] : {std::pair<std::size_t, Index>{2, 5}, {3, 3}, {4, 2}})
    for (const Shape& shape : all_shapes(ndim, most)) {
      expect_right_or_refused(complex128, shape, false);
      expect_right_or_refused(complex128, shape, true);
      expect_right_or_refused(float64, shape, false);
    }
}

TEST(Slabs, AllocatingIsRefusedOnAllRanks) {
  expect_refused_everywhere<InvalidArgument>("fft.type", [] {
    allocate_slabs<int>({4, 4}, world);
  });
  expect_refused_everywhere<InvalidArgument>("fft.shape",
                                             [] { allocate_slabs<Complex>({4}, world); });
  expect_refused_everywhere<InvalidArgument>("fft.engine", [] {
    allocate_slabs<double>({4, 4}, world, true);
  });
  if (world_size() > 1) {
    const bool last = world_rank() == world_size() - 1;
    expect_different("shape", [] { allocate_slabs<Complex>({4 + world_rank(), 4}, world); });
    expect_different(
        "transposed",
        [&] {
          allocate_slabs<Complex>({4, 4}, world, last);
        },
        "true, and false on rank 0");
    for (const DataType other : {DataType::of<double>(), DataType::of<std::complex<float>>()})
      expect_different("type", [&] {
        allocate_slabs(last ? other : DataType::of<Complex>(), {4, 4}, world);
      });
  }
  Faults().expect_agreed([] { allocate_slabs<Complex>({4, 4}, world); });
  const SlabPair slabs = allocate_slabs<Complex>({4, 4}, world);
  Faults().expect_agreed(
      [&] { Transform(slabs.input, slabs.output, by_fftw_mpi(slabs.capacity)); });
}

TEST(Slabs, MemoryWithoutRoomIsRefusedWhenItIsBound) {
  const SlabPair slabs = allocate_slabs<Complex>({3, 12}, world);
  Transform transform(slabs.input, slabs.output, by_fftw_mpi(slabs.capacity));
  // A description without memory on ranks without rows; FFTW writes there.
  const DistArray none =
      slabs.input.local_count() == 0 ? slabs.input.with_memory(nullptr) : slabs.input;
  if (world_size() > 3)
    expect_refused_everywhere<NotRepresentable>("fft.capacity",
                                                [&] { transform.rebind(none, none); });
  transform.forward();
}

TEST(Slabs, AListOnOneProcessIsRefused) {
  std::vector<Index> backwards(6);
  for (Index i = 0; i < 6; ++i) backwards[static_cast<std::size_t>(i)] = 5 - i;
  const SlabPair slabs = allocate_slabs<Complex>({6, 6}, world);
  const DistArray a = daptor::describe(complex128, slabs.input.mutable_data(),
                                       {slabs.input.dimension(0),
                                        unstructured(6, {1, 0}, IndexList(backwards), true)})
                          .on(world);
  expect_refused_everywhere<NotRepresentable>(
      "fft.slab", [&] { Transform(a, a, by_fftw_mpi(slabs.capacity)); });
}

TEST(Slabs, OtherMemoryOfOneLayout) {
  const Shape shape{6, 5};
  const SlabPair first = allocate_slabs<Complex>(shape, world);
  const SlabPair second = allocate_slabs<Complex>(shape, world);
  Transform transform(first.input, first.output, by_fftw_mpi(first.capacity));
  fill(second.input, field(shape, false));
  transform.rebind(second.input, second.output);
  transform.forward();
  expect_values(second.output, transformed(field(shape, false), {0, 1}));
}

}  // namespace
}  // namespace daptor::fft::test
