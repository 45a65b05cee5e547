// SPDX-License-Identifier: BSD-3-Clause
// Arrays exchanged between C code, which knows only the header, and Daptor.

#include <gtest/gtest.h>
#include <mpi.h>

#include "c_sections.h"
#include "sections.hpp"

namespace daptor::test {
namespace {

struct Ranks {
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
  }
  int rank = 0;
  int count = 1;
  GridPosition grid() const { return {count, rank}; }
};

double sum_over_ranks(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double sum_of_numbers(Index count) {
  return static_cast<double>(count) * static_cast<double>(count - 1) / 2;
}

TEST(CInterop, DaptorConsumesWhatCProduces) {
  const Ranks ranks;
  for (const Index rows : {1, 2, 7, 40}) {
    daptor_array section;
    ASSERT_EQ(c_make_grid(ranks.rank, ranks.count, rows, 3, &section), 0);
    const void* const cells = section.data;
    {
      const DistArray array = import_abi(&section).on(MPI_COMM_WORLD);
      require_consistent(array);
      EXPECT_EQ(array.data(), cells);
      EXPECT_EQ(array.global_shape(), (std::vector<Index>{rows, 3}));
      EXPECT_EQ(c_live_grids(), 1);

      double sum = 0;
      const auto view = daptor::view<const double, 2>(array);
      for (Index i = 0; i < view.extent(0); ++i)
        for (Index j = 0; j < view.extent(1); ++j) sum += view(i, j);
      EXPECT_EQ(sum_over_ranks(sum), sum_of_numbers(3 * rows));
    }
    EXPECT_EQ(c_live_grids(), 0);
  }
}

TEST(CInterop, WritesThroughDaptorAreSeenByC) {
  const Ranks ranks;
  daptor_array section;
  ASSERT_EQ(c_make_grid(ranks.rank, ranks.count, 11, 2, &section), 0);
  const Section array = import_abi(&section);
  {
    const WriteLease lease(array);
    const auto view = lease.view<double, 2>();
    for (Index i = 0; i < view.extent(0); ++i) view(i, 1) = 0.5;
  }
  daptor_array again;
  export_abi(array, &again);
  EXPECT_EQ(again.data, array.data());
  double sum = 0;
  EXPECT_EQ(c_sum(&again, &sum), DAPTOR_OK);
  daptor_array_release(&again);
  EXPECT_EQ(sum_over_ranks(sum), 2 * sum_of_numbers(11) + 11 * 0.5);
}

TEST(CInterop, CConsumesWhatDaptorProduces) {
  const Ranks ranks;
  const Section array = allocate<double>({block(13, ranks.grid()), undistributed(2)});
  {
    const WriteLease lease(array);
    const auto view = lease.view<double, 2>();
    for (Index i = 0; i < view.extent(0); ++i)
      for (Index j = 0; j < 2; ++j) view(i, j) = 1;
  }
  daptor_array section;
  export_abi(array, &section);
  EXPECT_EQ(c_scale(&section, 3.0), DAPTOR_OK);
  double sum = 0;
  EXPECT_EQ(c_sum(&section, &sum), DAPTOR_OK);
  EXPECT_EQ(sum_over_ranks(sum), 13 * 2 * 3.0);
  daptor_array_release(&section);
  const auto view = daptor::view<const double, 2>(array);
  if (array.owned_count() > 0) {
    EXPECT_EQ(view(0, 0), 3.0);
  }
}

TEST(CInterop, CFindsTheOwnedPartOfAPaddedFortranOrderArray) {
  const Ranks ranks;
  const Padding width{ranks.count > 1 ? 1 : 0, ranks.count > 1 ? 1 : 0};
  const Section array = allocate<double>(
      {undistributed(3), block(16, ranks.grid(), BlockPadding{width, {}, false})}, Order::fortran);
  {
    const WriteLease lease(array);
    const auto all = lease.view<double, 2>();
    for (Index i = 0; i < all.extent(0); ++i)
      for (Index j = 0; j < all.extent(1); ++j) all(i, j) = 1000;
    const auto owned = owned_view<double, 2>(array);
    for (Index i = 0; i < owned.extent(0); ++i)
      for (Index j = 0; j < owned.extent(1); ++j) owned(i, j) = 1;
  }
  daptor_array section;
  export_abi(array, &section);
  double sum = 0;
  EXPECT_EQ(c_sum(&section, &sum), DAPTOR_OK);
  EXPECT_EQ(sum_over_ranks(sum), 3 * 16.0);
  daptor_array_release(&section);
}

TEST(CInterop, CLearnsOfAFailureAndNoLeaseStaysOpen) {
  CountingProducer::Log log;
  std::vector<double> memory(6, 1.0);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log), &section);
  EXPECT_EQ(c_scale(&section, 2.0), DAPTOR_OK);
  EXPECT_EQ(log.modified, 1);
  log.fail = CountingProducer::Log::Fail::stale;
  double sum = 0;
  EXPECT_EQ(c_sum(&section, &sum), DAPTOR_STALE);
  EXPECT_EQ(log.begins, log.ends);
  daptor_array_release(&section);
  EXPECT_EQ(log.destroyed, 1);
}

}  // namespace
}  // namespace daptor::test
