// SPDX-License-Identifier: BSD-3-Clause
// What no description fits, and what would end GA's job, is an error of all ranks.

#include <daptor/builders.hpp>
#include <daptor/validate.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

void expect_no_export(const std::string& rule, int handle) {
  expect_refused_everywhere(rule, [&] { export_array(handle); });
}

TEST(Refusals, X8_NumbersThatAreNoArrays) {
  for (const int handle : {0, -1, -5000, 1 << 30, -1000}) {
    if (GA_Valid_handle(handle) != 0) continue;
    expect_no_export("ga.handle", handle);
    expect_refused_everywhere("ga.handle", [&] { communicator(handle); });
  }
  Made made({4 * world_size()});
  const int gone = made.handle();
  made.destroy();
  expect_no_export("ga.handle", gone);
}

TEST(Refusals, X8_AWrongHandleOnOneRank) {
  const Made made({4 * world_size()});
  for (int rank = 0; rank < world_size(); ++rank)
    expect_no_export("ga.handle", world_rank() == rank ? 12345 : made.handle());
}

TEST(Refusals, X8_OtherArraysOnOtherRanks) {
  if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
  const Made a({4 * world_size()});
  const Made b({4 * world_size(), 2});
  expect_no_export("ga.same", world_rank() == 0 ? a.handle() : b.handle());
}

// Their shapes, types and divisions do not tell them apart: their exports do.
TEST(Refusals, X8_OtherArraysOfOneShapeOnOtherRanks) {
  if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
  const Made a({4 * world_size()});
  const Made b({4 * world_size()});
  const DistArray of_a = export_array(a.handle());
  const auto mixed = [&](int rank) { return world_rank() == rank ? a.handle() : b.handle(); };
  for (const int rank : {0, world_size() - 1}) expect_no_export("ga.same", mixed(rank));
  const DistArray of_b = export_array(b.handle());
  for (const int rank : {0, world_size() - 1}) expect_no_export("ga.same", mixed(rank));
  EXPECT_EQ(export_array(a.handle()), of_a);
  EXPECT_EQ(export_array(b.handle()), of_b);
}

TEST(Refusals, X8_OtherProcesses) {
  const Made made({4 * world_size()});
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &part);
  if (world_size() > 1) {
    daptor::test::expect_refused<InvalidArgument>("ga.communicator",
                                                  [&] { export_array(made.handle(), part); });
    const DistArray array = allocate<double>(block_dimensions({20}, part));
    daptor::test::expect_refused<InvalidArgument>("ga.communicator",
                                                  [&] { copy_to_array(array, part); });
  }
  MPI_Comm_free(&part);
  GA_Sync();
}

TEST(Refusals, TiledArrays) {
  Numbers grid = square_grid(world_size()), blocks{3, 2};
  const Made made({24, 16},
                  [&](int handle) { GA_Set_tiled_proc_grid(handle, blocks.data(), grid.data()); });
  expect_no_export("ga.tiled", made.handle());
  // One tile beside the other on no process: the memory is that of a block-cyclic array.
  Numbers wide{3, 16};
  const Made rows({24, 16},
                  [&](int handle) { GA_Set_tiled_proc_grid(handle, wide.data(), grid.data()); });
  expect_exported(rows);
}

TEST(Refusals, TiledArraysOfUnevenTiles) {
  Numbers grid = square_grid(world_size()), tiles{2, 2}, map{0, 5, 0, 3};
  for (std::size_t d = 0; d < 2; ++d)
    if (grid[d] > 2) GTEST_SKIP() << "GA wants at least as many tiles as processes";
  const Made made({12, 9}, [&](int handle) {
    GA_Set_tiled_irreg_proc_grid(handle, map.data(), tiles.data(), grid.data());
  });
  expect_no_export("ga.tiled", made.handle());
}

TEST(Refusals, BlocksDealtOneAfterAnother) {
  Numbers blocks{3, 2};
  const Made made({24, 16}, [&](int handle) { GA_Set_block_cyclic(handle, blocks.data()); });
  expect_no_export("ga.dealing", made.handle());
}

TEST(Refusals, MirroredArrays) {
  const Made made(
      {8, 10}, [](int handle) { GA_Set_pgroup(handle, GA_Pgroup_get_mirror()); }, C_DBL, false);
  if (GA_Is_mirrored(made.handle()) == 0) GTEST_SKIP() << "GA makes no mirrored array here";
  expect_no_export("ga.mirrored", made.handle());
}

TEST(Refusals, X2_RegisteredTypes) {
  const int type = NGA_Register_type(24);
  ASSERT_GE(type, 0);
  {
    Numbers shape{4 * world_size()};
    char name[] = "registered";
    const int handle = NGA_Create(type, 1, shape.data(), name, nullptr);
    expect_no_export("ga.type", handle);
    GA_Destroy(handle);
  }
  NGA_Deregister_type(type);
}

TEST(Refusals, FaultsOfOneRankAreErrorsOfAll) {
  const daptor::test::Faults faults({"ga."});
  int made = 0;
  std::vector<int> handles;
  const auto points = faults.expect_agreed([&] {
    Numbers shape{4 * world_size()};
    char name[] = "fault";
    handles.push_back(NGA_Create(C_DBL, 1, shape.data(), name, nullptr));
    ++made;
    export_array(handles.back());
  });
  EXPECT_EQ(points.count("ga.export_array.check"), 1U);
  EXPECT_EQ(points.count("ga.export_array.describe"), 1U);
  EXPECT_EQ(points.count("ga.export_array.keep"), 1U);
  for (const int handle : handles) GA_Destroy(handle);
}

TEST(Refusals, I1_ImportOfOtherMemoryNamesTheCopy) {
  const DistArray array = allocate<double>({block(5 * world_size(), {world_size(), world_rank()})});
  expect_refused_everywhere<NotRepresentable>("ga.array.memory",
                                              [&] { import_array(array, world()); });
  try {
    import_array(array, world());
  } catch (const NotRepresentable& error) {
    EXPECT_NE(std::string(error.what()).find("daptor::ga::copy_to_array(a, comm)"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace daptor::ga::test
