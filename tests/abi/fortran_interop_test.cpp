// SPDX-License-Identifier: BSD-3-Clause
// Arrays exchanged between Fortran and C, and between Fortran and Daptor.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>

#include "c_sections.h"
#include "sections.hpp"
#include "world.hpp"

extern "C" {
int fortran_make_grid(int rank, int ranks, int nx, int ny, daptor_array* array);
int fortran_live_grids(void);
int fortran_double_and_sum(daptor_array* array, int c_order, double* total, void** first);
int fortran_extents(const daptor_array* array, int rank, int c_order, std::int64_t* extents);
int fortran_error_length(daptor_array* array);
void fortran_release(daptor_array* array);
int fortran_refusal(int which);
void fortran_pattern(daptor_array* array, daptor_dimension* dimension);
void fortran_dimensions(daptor_dimension* dimensions, const std::int64_t* indices,
                        std::int64_t count);
}

namespace daptor::test {
namespace {

GridPosition world_grid() {
  return {world_size(), world_rank()};
}

template <class T>
std::intptr_t number(T pointer) {
  return reinterpret_cast<std::intptr_t>(pointer);
}

TEST(FortranInterop, TheDerivedTypesLieAsTheStructs) {
  daptor_array a;
  daptor_dimension d;
  fortran_pattern(&a, &d);
  EXPECT_EQ(a.abi_version, 1U);
  EXPECT_EQ(a.struct_size, 2U);
  EXPECT_EQ(a.dimension_size, 3U);
  EXPECT_EQ(a.flags, 4U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a.protocol_version[i], 5 + i);
  EXPECT_EQ(a.ndim, 8);
  EXPECT_EQ(a.device_type, 9);
  EXPECT_EQ(a.device_id, 10);
  EXPECT_EQ(std::string(a.format, sizeof a.format), "ABCDEFGHIJKLMNOP");
  EXPECT_EQ(a.itemsize, 11);
  EXPECT_EQ(number(a.shape), 12);
  EXPECT_EQ(number(a.byte_strides), 13);
  EXPECT_EQ(number(a.data), 14);
  EXPECT_EQ(number(a.dimensions), 15);
  EXPECT_EQ(number(a.release), 16);
  EXPECT_EQ(number(a.modified), 17);
  EXPECT_EQ(number(a.begin_access), 18);
  EXPECT_EQ(number(a.end_access), 19);
  EXPECT_EQ(number(a.last_error), 20);
  EXPECT_EQ(number(a.private_data), 21);
  EXPECT_EQ(a.stream, 22U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(a.reserved[i], 23 + i);

  EXPECT_EQ(d.dist_type, 'u');
  EXPECT_EQ(d.periodic, 1);
  EXPECT_EQ(d.padded, 2);
  EXPECT_EQ(d.one_to_one, 3);
  EXPECT_EQ(d.has_owned, 4U);
  EXPECT_EQ(d.size, 5);
  EXPECT_EQ(d.proc_grid_size, 6);
  EXPECT_EQ(d.proc_grid_rank, 7);
  EXPECT_EQ(d.start, 8);
  EXPECT_EQ(d.stop, 9);
  EXPECT_EQ(d.block_size, 10);
  EXPECT_EQ(d.padding[0], 11);
  EXPECT_EQ(d.padding[1], 12);
  EXPECT_EQ(number(d.indices), 13);
  EXPECT_EQ(d.indices_count, 14);
  EXPECT_EQ(d.owned, 15);
  EXPECT_EQ(number(d.owned_positions), 16);
}

TEST(FortranInterop, TheBuildersAgreeWithTheHeaders) {
  const std::int64_t indices[] = {3, 19, 4};
  daptor_dimension made[6];
  fortran_dimensions(made, indices, 3);
  const daptor_dimension expected[6] = {daptor_undistributed(7),
                                        daptor_even_block(11, 3, 1),
                                        daptor_block(11, 3, 1, 2, 9),
                                        daptor_cyclic(11, 3, 2, 2),
                                        daptor_unstructured(20, 3, 0, indices, 3),
                                        daptor_cyclic_from(11, 3, 0, 2, 1)};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(std::memcmp(&made[i], &expected[i], sizeof made[i]), 0) << "dimension " << i;
}

TEST(FortranInterop, DaptorConsumesWhatFortranProduces) {
  const int nx = 3;
  for (const int ny : {1, 2, 7, 40}) {
    daptor_array section;
    ASSERT_EQ(fortran_make_grid(world_rank(), world_size(), nx, ny, &section), 0);
    const void* const cells = section.data;
    {
      const DistArray array = import_abi(&section).on(MPI_COMM_WORLD);
      require_consistent(array);
      EXPECT_EQ(array.data(), cells);
      EXPECT_TRUE(array.buffer().contiguous(Order::fortran));
      EXPECT_EQ(array.global_shape(), (std::vector<Index>{nx, ny}));
      const LocalIndexMap map(array);
      const auto view = daptor::view<double, 2>(array);
      for (Index i = 0; i < view.extent(0); ++i)
        for (Index j = 0; j < view.extent(1); ++j)
          EXPECT_EQ(view(i, j), static_cast<double>(i + nx * map.dimension(1).global_of(j)));
      EXPECT_EQ(fortran_live_grids(), 1);
    }
    EXPECT_EQ(fortran_live_grids(), 0);
  }
}

TEST(FortranInterop, CConsumesWhatFortranProduces) {
  daptor_array section;
  ASSERT_EQ(fortran_make_grid(world_rank(), world_size(), 4, 9, &section), 0);
  daptor_array moved;
  daptor_array_move(&section, &moved);
  double mine = 0;
  double sum = 0;
  EXPECT_EQ(c_scale(&moved, 2.0), DAPTOR_OK);
  EXPECT_EQ(c_sum(&moved, &mine), DAPTOR_OK);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, 36.0 * 35.0);
  daptor_array_release(&section);
  EXPECT_EQ(fortran_live_grids(), 1);
  daptor_array_release(&moved);
  EXPECT_EQ(fortran_live_grids(), 0);
}

/// Fortran doubles the elements of a section of ones in place, and adds them up.
void expect_doubled(std::vector<Dimension> dimensions, Order order) {
  CountingProducer::Log log;
  const Index count = local_count(dimensions);
  std::vector<double> memory(static_cast<std::size_t>(count), 1.0);
  std::vector<Index> shape;
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  const std::vector<Index> strides = contiguous_strides(shape, sizeof(double), order);
  daptor_array section;
  export_abi(Section(protocol_0_9,
                     Buffer(DataType::of<double>(), shape, strides, memory.data(), false,
                            std::make_shared<SharedState>(std::make_unique<CountingProducer>(log))),
                     dimensions),
             &section);
  double total = 0;
  void* first = nullptr;
  EXPECT_EQ(fortran_double_and_sum(&section, order == Order::c ? 1 : 0, &total, &first), 0);
  EXPECT_EQ(total, 2.0 * static_cast<double>(count));
  EXPECT_EQ(first, count > 0 ? memory.data() : nullptr);
  EXPECT_EQ(memory, std::vector<double>(memory.size(), 2.0));
  EXPECT_EQ(log.begins, 1);
  EXPECT_EQ(log.ends, 1);
  EXPECT_EQ(log.modified, 1);
  fortran_release(&section);
  EXPECT_EQ(section.release, nullptr);
  EXPECT_EQ(log.destroyed, 1);
}

TEST(FortranInterop, FortranConsumesWhatDaptorProduces) {
  for (const Order order : {Order::fortran, Order::c}) {
    expect_doubled({block(11, world_grid())}, order);
    expect_doubled({undistributed(5), block(7, world_grid())}, order);
    expect_doubled({undistributed(2), undistributed(3), block(4, world_grid())}, order);
  }
}

TEST(FortranInterop, ExtentsComeInTheOrderOfFortransDimensions) {
  std::vector<double> memory(24);
  daptor_array section;
  export_abi(describe(memory.data(), {undistributed(2), undistributed(3), undistributed(4)}),
             &section);
  std::int64_t extents[3] = {};
  EXPECT_EQ(fortran_extents(&section, 3, 1, extents), 0);
  EXPECT_EQ(extents[0], 4);
  EXPECT_EQ(extents[1], 3);
  EXPECT_EQ(extents[2], 2);
  section.byte_strides = nullptr;
  EXPECT_EQ(fortran_extents(&section, 3, 1, extents), 0) << "no strides mean C order";
  EXPECT_EQ(fortran_extents(&section, 3, 0, extents), 3);
  daptor_array_release(&section);
}

TEST(FortranInterop, SectionsOutOfReachAreRefused) {
  std::vector<double> memory(24);
  daptor_array section;
  std::int64_t extents[3] = {};
  export_abi(describe(memory.data(), {undistributed(4), undistributed(3)}, Order::fortran),
             &section);
  EXPECT_EQ(fortran_extents(&section, 2, 0, extents), 0);
  EXPECT_EQ(fortran_extents(&section, 3, 0, extents), 2) << "another rank";
  EXPECT_EQ(fortran_extents(&section, 2, 1, extents), 3) << "another order";
  section.format[0] = 'f';
  EXPECT_EQ(fortran_extents(&section, 2, 0, extents), 1) << "another type";
  section.format[0] = 'd';
  section.format[1] = 'd';
  EXPECT_EQ(fortran_extents(&section, 2, 0, extents), 1) << "a longer format";
  section.format[1] = '\0';
  section.device_type = 2;
  EXPECT_EQ(fortran_extents(&section, 2, 0, extents), 4) << "not the host's memory";
  section.device_type = DAPTOR_DEVICE_HOST;
  section.data = nullptr;
  EXPECT_EQ(fortran_extents(&section, 2, 0, extents), 4) << "no memory";
  daptor_array_release(&section);
  EXPECT_EQ(fortran_extents(&section, 2, 0, extents), 5) << "released";
}

TEST(FortranInterop, FortranLearnsWhyAccessFailed) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log), &section);
  EXPECT_EQ(fortran_error_length(&section), 0);
  log.fail = CountingProducer::Log::Fail::stale;
  EXPECT_EQ(fortran_error_length(&section), static_cast<int>(std::strlen("moved on purpose")));
  EXPECT_EQ(log.begins, log.ends);
  fortran_release(&section);
  fortran_release(&section);
  EXPECT_EQ(log.destroyed, 1);
}

TEST(FortranInterop, FortranDescribesNothingThatItCannot) {
  for (int which = 1; which <= 3; ++which) EXPECT_EQ(fortran_refusal(which), which);
}

}  // namespace
}  // namespace daptor::test
