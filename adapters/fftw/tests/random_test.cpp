// SPDX-License-Identifier: BSD-3-Clause
// Random shapes, layouts, dimensions and options, the same on all ranks, against the definition of
// the transform.

#include <random>

#include "daptor/consistent.hpp"
#include "effort.hpp"
#include "fields.hpp"

namespace daptor::fft::test {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// In [lowest, highest].
  Index number(Index lowest, Index highest) {
    return lowest +
           static_cast<Index>(engine_() % static_cast<unsigned long>(highest - lowest + 1));
  }
  bool coin() { return number(0, 1) == 1; }

  Shape shape() {
    Shape shape(static_cast<std::size_t>(number(1, 4)));
    for (Index& size : shape) size = number(1, shape.size() > 2 ? 5 : 9);
    return shape;
  }

  /// Some dimensions, at least one, ascending.
  std::vector<int> dimensions(std::size_t ndim) {
    std::vector<int> chosen;
    for (std::size_t d = 0; d < ndim; ++d)
      if (coin() || coin()) chosen.push_back(static_cast<int>(d));
    if (chosen.empty()) chosen.push_back(static_cast<int>(number(0, static_cast<Index>(ndim) - 1)));
    return chosen;
  }

  /// Processes along each dimension.
  std::vector<Index> grid(std::size_t ndim) {
    std::vector<Index> grid(ndim, 1);
    Index left = world_size();
    for (Index factor = 2; left > 1;) {
      if (left % factor == 0) {
        grid[static_cast<std::size_t>(number(0, static_cast<Index>(ndim) - 1))] *= factor;
        left /= factor;
      } else {
        ++factor;
      }
    }
    return grid;
  }

  /// One dimension in blocks of any bounds, dealt, or as lists.
  Dimension dimension(Index size, GridPosition at) {
    const Index kind = number(0, 4);
    std::vector<Index> cuts{0, size};
    for (Index i = 1; i < at.size; ++i) cuts.push_back(number(0, size));
    std::sort(cuts.begin(), cuts.end());
    const Index block_size = number(1, 3);
    const Index origin = number(0, at.size - 1);
    const Padding widths{number(0, 2), number(0, 2)};
    const bool periodic = coin();
    std::vector<Index> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine_);
    const auto first = static_cast<std::ptrdiff_t>(even_block(size, at).start);
    const auto last = static_cast<std::ptrdiff_t>(even_block(size, at).stop);
    if (kind == 0 && at.size == 1) return undistributed(size);
    if (kind <= 1)
      return block(
          size, at,
          {cuts[static_cast<std::size_t>(at.rank)], cuts[static_cast<std::size_t>(at.rank) + 1]});
    if (kind == 2) return cyclic(size, at, block_size, origin);
    if (kind == 3)
      return unstructured(
          size, at, IndexList(std::vector<Index>(order.begin() + first, order.begin() + last)),
          true);
    // Padding no wider than the smallest neighbour's part.
    const Index most = size / at.size;
    return block(
        size, at,
        BlockPadding({std::min(widths.lower, most), std::min(widths.upper, most)}, {}, periodic));
  }

  Layout layout(std::size_t ndim) {
    const std::vector<Index> processes = grid(ndim);
    const auto seed = static_cast<unsigned>(number(0, 1 << 30));
    Layout layout{"random", [processes, seed](const Shape& shape) {
                    Random random(seed);
                    const std::vector<Index> at = grid_coordinates(processes, world_rank());
                    std::vector<Dimension> dimensions;
                    for (std::size_t d = 0; d < shape.size(); ++d)
                      dimensions.push_back(random.dimension(shape[d], {processes[d], at[d]}));
                    return dimensions;
                  }};
    layout.order = coin() ? Order::c : Order::fortran;
    layout.spread = number(1, 2);
    return layout;
  }

 private:
  std::mt19937 engine_;
};

/// Padding must be the same kind on all dimensions of an array, which a random layout may break.
bool conforms(const Guarded& section) {
  try {
    require_consistent(section.array);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void one_round(unsigned seed, int& done) {
  Random random(seed);
  const Shape shape = random.shape();
  const std::vector<int> along = random.dimensions(shape.size());
  const bool real = random.coin();
  const Whole before = field(shape, real);
  const Whole after = transformed(before, along, real ? along.back() : -1);
  const Guarded in(real ? float64 : complex128, random.layout(shape.size()), shape);
  const Guarded out(complex128, random.layout(shape.size()), after.shape);
  if (!conforms(in) || !conforms(out)) return;
  TransformOptions options;
  options.dimensions = along;
  options.overwrite = random.coin();
  options.planning = Planning::estimate;
  options.scale = Scale::backward;
  const bool in_place = !real && random.number(0, 3) == 0;
  const DistArray& target = in_place ? in.array : out.array;
  fill(in.array, before);
  Transform transform(in.array, target, options);
  transform.forward();
  expect_values(target, after);
  if (!in_place && !options.overwrite) expect_values(in.array, before);
  transform.backward();
  expect_values(in.array, before);
  if (!in_place && !options.overwrite) expect_values(out.array, after);
  EXPECT_TRUE(in.guards_are_whole());
  EXPECT_TRUE(out.guards_are_whole());
  ++done;
}

TEST(Random, LayoutsAndOptions) {
  const int rounds = daptor::test::rounds(300);
  int done = 0;
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    one_round(static_cast<unsigned>(i), done);
    if (daptor::test::least(HasFailure() ? 0 : 1) == 0) break;
  }
  EXPECT_GT(3 * done, rounds) << "too many of the layouts are none";
}

}  // namespace
}  // namespace daptor::fft::test
