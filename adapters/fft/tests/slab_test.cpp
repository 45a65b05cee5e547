// SPDX-License-Identifier: BSD-3-Clause
// oneMKL's statements on slabs, and FFTW-MPI's.

#include "arrays.hpp"
#include "daptor/block_dimensions.hpp"

namespace daptor::fft::test {
namespace {

void refuse_slab(const std::string& rule, const Section& a, Division division = Division::even) {
  SCOPED_TRACE(rule);
  expect_refused_everywhere<NotRepresentable>(rule, [&] { slab(a.on(world), division); });
}

TEST(OneMklSlabs, TheDividedDimensionHasItsRemainderOnTheFirstProcesses) {
  const Index ranks = world_size();
  for (const Shape& shape : {Shape{10, 7}, Shape{9, 10, 7}, Shape{3, 2, 2}})
    for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
      const Slab found = slab(of_layout(layout::slab(d), shape));
      const Index size = shape[static_cast<std::size_t>(d)];
      EXPECT_EQ(found.dimension, ranks == 1 ? 0 : d);
      EXPECT_EQ(found.count,
                ranks == 1 ? shape[0] : size / ranks + (world_rank() < size % ranks ? 1 : 0));
      const bool last = d + 1 == static_cast<int>(shape.size());
      EXPECT_EQ(found.row_pitch, last && ranks > 1 ? found.count : shape.back());
    }
}

TEST(OneMklSlabs, ProcessesBeyondTheSizeOwnNothingAndStartAtTheSize) {
  const Slab found = slab(of_layout(layout::slab(0), {2, 3}));
  if (world_rank() >= 2) {
    EXPECT_EQ(found.start, 2);
    EXPECT_EQ(found.count, 0);
  }
}

TEST(OneMklSlabs, RealRowsArePaddedInPlaceAndPaddedOrPackedOutOfPlace) {
  for (const Index last : {8, 9}) {
    const RealAndSpectrum both = allocate_real_and_spectrum<double>(
        {block(7, line()), undistributed(3), undistributed(last)});
    EXPECT_EQ(slab(both.real.on(world)).row_pitch, 10);
    EXPECT_EQ(slab(both.spectrum.on(world)).row_pitch, 5);
    // Out of place they may be packed.
    EXPECT_EQ(slab(of_layout(layout::slab(0), {7, 3, last}, float64)).row_pitch, last);
  }
}

TEST(OneMklSlabs, ProcessesWithOneRowHaveThePitchThatTheirStridesSay) {
  for (const Index rows : {world_size(), std::max(1, world_size() - 1), 2 * world_size()}) {
    const std::vector<Dimension> dimensions{block(rows, line()), undistributed(9)};
    const RealAndSpectrum both = allocate_real_and_spectrum<double>(dimensions);
    EXPECT_EQ(slab(both.real.on(world)).row_pitch, 10);
    EXPECT_EQ(slab(both.spectrum.on(world)).row_pitch, 5);
    EXPECT_EQ(slab(allocate<double>(dimensions).on(world)).row_pitch, 9);
  }
  if (world_size() == 1) return;
  // One rank says that its row has no room for the spectrum.
  const std::vector<Dimension> one_each{block(world_size(), line()), undistributed(9)};
  const Section mixed = world_rank() == 0 ? allocate<double>(one_each)
                                          : allocate_real_and_spectrum<double>(one_each).real;
  EXPECT_EQ(slab(mixed.on(world)).row_pitch, 9);
}

TEST(OneMklBatches, TheFirstProcessesPerformOneTransformMore) {
  // A batch of 5 transforms of 4 x 3, each within its process.
  const Slab found = slab(of_layout(layout::slab(0), {5, 4, 3}));
  EXPECT_EQ((IndexRange{found.start, found.start + found.count}), even_block(5, line()));
}

TEST(FftwMpiSlabs, HaveBlocksOfOneSize) {
  const Index each = (10 + world_size() - 1) / world_size();
  const Index start = std::min<Index>(10, each * world_rank());
  const Index stop = std::min<Index>(10, start + each);
  const Section a = allocate<Complex>({block(10, line(), {start, stop}), undistributed(3)});
  const Slab found = slab(a.on(world), Division::ceiling);
  EXPECT_EQ(found.start, start);
  EXPECT_EQ(found.count, stop - start);
  // 10 over 4 is 3 3 2 2 for oneMKL, and 3 3 3 1 for FFTW.
  if (world_size() == 4) {
    refuse_slab("fft.slab", a);
    refuse_slab("fft.slab", of_layout(layout::slab(0), {10, 3}), Division::ceiling);
  }
}

TEST(OneMklSlabs, StridesOfAGlobalArrayThatIsNotPackedAreRefused) {
  const Index ranks = world_size();
  const Shape shape{2 * ranks, 6};
  refuse_slab("fft.order", of_layout(layout::slab(0, Order::fortran), shape));
  BlockOptions options;
  options.grid = {ranks, 1};
  options.communication = {{1, 1}, {0, 0}};
  options.periodic = {true, false};
  refuse_slab("fft.gaps", allocate<Complex>(block_dimensions(shape, world, options)));
  std::vector<Complex> memory(200);
  // Rows of complex numbers have no room for a spectrum.
  refuse_slab("fft.gaps",
              daptor::describe(memory.data(), 200, {block(2 * ranks, line()), undistributed(6)},
                               std::vector<Index>{128, 16}));
  if (ranks == 1) return;
  // Rows at other distances on one rank.
  const RealAndSpectrum both =
      allocate_real_and_spectrum<double>({block(2 * ranks, line()), undistributed(6)});
  refuse_slab("fft.gaps", world_rank() == 1
                              ? both.real
                              : allocate<double>({block(2 * ranks, line()), undistributed(6)}));
}

TEST(OneMklSlabs, OtherDivisionsThanOneDimensionInTheOrderOfTheRanksAreRefused) {
  const Index ranks = world_size();
  const Shape shape{2 * ranks, 6};
  if (ranks == 1) return;
  if (ranks == 4) refuse_slab("fft.slab", of_layout(layout::blocks({2, 2}), shape));
  // Ranks in another order.
  const GridPosition turned{ranks, (world_rank() + 1) % ranks};
  refuse_slab("fft.slab", allocate<Complex>({block(2 * ranks, turned), undistributed(6)}));
}

}  // namespace
}  // namespace daptor::fft::test
