// SPDX-License-Identifier: BSD-3-Clause
// What no description fits, and what would end GA's job, is an error of all ranks.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <daptor/block_dimensions.hpp>
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
  OwnedGlobalArray made({4 * world_size()});
  const int gone = made.handle();
  made.destroy();
  expect_no_export("ga.handle", gone);
}

TEST(Refusals, X8_AWrongHandleOnOneRank) {
  const OwnedGlobalArray made({4 * world_size()});
  for (int rank = 0; rank < world_size(); ++rank)
    expect_no_export("ga.handle", world_rank() == rank ? 12345 : made.handle());
}

/// An array on rank 0 and another one on the others is refused; on one rank there is only one.
/// @param key  in what they differ, if the ranks can name it
void expect_told_apart(const OwnedGlobalArray& a, const OwnedGlobalArray& b,
                       const std::string& key = "", const std::string& values = "") {
  const int mine = world_rank() == 0 ? a.handle() : b.handle();
  if (world_size() == 1)
    EXPECT_TRUE(export_array(mine).described());
  else if (key.empty())
    expect_no_export("ga.same", mine);
  else
    daptor::test::expect_different(
        key, [&] { export_array(mine); }, values);
}

std::function<void(int)> named(std::string name) {
  return [name](int handle) mutable { GA_Set_array_name(handle, name.data()); };
}

TEST(Refusals, X8_OtherArraysOnOtherRanks) {
  const OwnedGlobalArray a({4 * world_size()});
  const OwnedGlobalArray b({4 * world_size(), 2});
  expect_told_apart(a, b, "dimensions", "2, and 1 on rank 0");
}

// Nothing but their handles tells them apart, which are the same everywhere without groups.
TEST(Refusals, X8_OtherArraysOfOneShapeInAProgramWithoutGroups) {
  GA_Terminate();  // and so forget the groups of other tests
  GA_Initialize();
  const OwnedGlobalArray a({4 * world_size()});
  const OwnedGlobalArray b({4 * world_size()});
  expect_told_apart(a, b);
  expect_exported(a);
  expect_exported(b);
}

TEST(Refusals, X8_OtherArraysOfOneShapeInAProgramWithGroups) {
  const Halves halves;
  const OwnedGlobalArray a({4 * world_size()}, named("a"));
  const OwnedGlobalArray b({4 * world_size()}, named("b"));
  expect_told_apart(a, b, "name", "\"b\", and \"a\" on rank 0");
}

// Their shapes, types and divisions do not tell them apart: their exports do.
TEST(Refusals, X8_OtherArraysOfOneShapeThatHaveBeenExported) {
  const Halves halves;
  const OwnedGlobalArray a({4 * world_size()});
  const OwnedGlobalArray b({4 * world_size()});
  const DistArray of_a = export_array(a.handle());
  expect_told_apart(a, b);
  expect_told_apart(b, a);
  const DistArray of_b = export_array(b.handle());
  expect_told_apart(a, b);
  expect_told_apart(b, a);
  EXPECT_EQ(export_array(a.handle()), of_a);
  EXPECT_EQ(export_array(b.handle()), of_b);
}

TEST(Refusals, X8_OtherProcesses) {
  const OwnedGlobalArray made({4 * world_size()});
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &part);
  if (world_size() > 1) {
    daptor::test::expect_refused<InvalidArgument>("ga.communicator",
                                                  [&] { export_array(made.handle(), part); });
    const DistArray array = allocate<double>(block_dimensions({20}, part)).on(part);
    const std::string text = daptor::test::expect_refused<InvalidArgument>(
        "ga.communicator", [&] { copy_to_array(array); });
    EXPECT_NE(text.find("Put the array on GA_MPI_Comm_pgroup_default()"), std::string::npos)
        << text;
  }
  MPI_Comm_free(&part);
  GA_Sync();
}

TEST(Refusals, TiledArrays) {
  Numbers grid = square_grid(world_size()), blocks{3, 2};
  const OwnedGlobalArray made(
      {24, 16}, [&](int handle) { GA_Set_tiled_proc_grid(handle, blocks.data(), grid.data()); });
  expect_no_export("ga.tiled", made.handle());
  // One tile beside the other on no process: the memory is that of a block-cyclic array.
  Numbers wide{3, 16};
  const OwnedGlobalArray rows(
      {24, 16}, [&](int handle) { GA_Set_tiled_proc_grid(handle, wide.data(), grid.data()); });
  expect_exported(rows);
}

TEST(Refusals, TiledArraysOfUnevenTiles) {
  const Numbers shape{12, 9};
  Numbers grid = square_grid(world_size()), tiles, map;
  for (std::size_t d = 0; d < 2; ++d) {
    // A wide tile and narrow ones: GA wants at least as many tiles as processes.
    tiles.push_back(std::max(2, grid[d]));
    map.push_back(0);
    for (int tile = 1; tile < tiles[d]; ++tile) map.push_back(shape[d] - tiles[d] + tile);
  }
  const OwnedGlobalArray made(shape, [&](int handle) {
    GA_Set_tiled_irreg_proc_grid(handle, map.data(), tiles.data(), grid.data());
  });
  expect_no_export("ga.tiled", made.handle());
}

TEST(Refusals, BlockCyclicArraysOnSomeProcesses) {
  Numbers list = every_second_process();
  Numbers blocks{3, 2}, grid{static_cast<int>(list.size()), 1};
  const auto some = [&](int handle) {
    GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
    restricted_to(list)(handle);
  };
  const OwnedGlobalArray made({24, 16}, some, C_DBL, false);
  if (list.size() < static_cast<std::size_t>(world_size()))
    expect_no_export("ga.restricted", made.handle());
  else
    EXPECT_TRUE(export_array(made.handle()).described());
}

TEST(Refusals, BlockCyclicArraysOnARangeOfProcesses) {
  const int ranks = world_size();
  const auto made_on = [&](int first, int last) {
    return std::make_unique<OwnedGlobalArray>(
        Numbers{6 * ranks, 16},
        [&](int handle) {
          Numbers blocks{3, 2}, grid{last - first + 1, 1};
          GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
          GA_Set_restricted_range(handle, first, last);
        },
        C_DBL, false);
  };
  const auto on_all = made_on(0, ranks - 1);
  EXPECT_TRUE(export_array(on_all->handle()).described());
  expect_exported(*on_all);
  if (ranks == 1) return;
  expect_no_export("ga.restricted", made_on(0, ranks - 2)->handle());
  expect_no_export("ga.restricted", made_on(1, ranks - 1)->handle());
}

/// GA puts and gets through the list, and allocates by the numbers of the processes.
TEST(Refusals, BlockCyclicArraysOnAllProcessesInAnotherOrder) {
  Numbers list;
  for (int rank = world_size() - 1; rank >= 0; --rank) list.push_back(rank);
  Numbers blocks{3, 2}, grid{world_size(), 1}, wide{2, 16}, deal{24};
  const std::vector<std::function<void(int)>> kinds{
      [&](int handle) { GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data()); },
      [&](int handle) { GA_Set_tiled_proc_grid(handle, wide.data(), grid.data()); },
      [&](int handle) { GA_Set_block_cyclic(handle, wide.data()); }};
  for (const auto& kind : kinds)
    for (const bool restrict_first : {false, true}) {
      const OwnedGlobalArray made(
          {6 * world_size(), 16},
          [&](int handle) {
            if (restrict_first) restricted_to(list)(handle);
            kind(handle);
            if (!restrict_first) restricted_to(list)(handle);
          },
          C_DBL, false);
      if (world_size() == 1) {
        EXPECT_TRUE(export_array(made.handle()).described());
        continue;
      }
      expect_no_export("ga.restricted", made.handle());
      char name[] = "copy";
      const int copy = GA_Duplicate(made.handle(), name);
      expect_no_export("ga.restricted", copy);
      GA_Destroy(copy);
    }
  // The handle is used again.
  const OwnedGlobalArray after({6 * world_size(), 16}, kinds[0]);
  expect_exported(after);
}

TEST(Refusals, BlocksDealtToSomeProcesses) {
  Numbers list = every_second_process();
  Numbers blocks{2};
  const OwnedGlobalArray made(
      {23},
      [&](int handle) {
        GA_Set_block_cyclic(handle, blocks.data());
        restricted_to(list)(handle);
      },
      C_DBL, false);
  if (world_size() > 1) expect_no_export("ga.restricted", made.handle());
}

TEST(Refusals, BlocksDealtToTheProcessesOfAGroup) {
  const Halves halves;
  Numbers blocks{2};
  const auto deal = [&](int handle) {
    GA_Set_pgroup(handle, halves.mine());
    GA_Set_block_cyclic(handle, blocks.data());
  };
  const OwnedGlobalArray made({23}, deal, C_DBL, false);
  daptor::test::expect_refused<NotRepresentable>("ga.dealing",
                                                 [&] { export_array(made.handle()); });
}

TEST(Refusals, MirroredArrays) {
  const OwnedGlobalArray made(
      {8, 10}, [](int handle) { GA_Set_pgroup(handle, GA_Pgroup_get_mirror()); }, C_DBL, false);
  if (GA_Is_mirrored(made.handle()) != 0) {
    expect_no_export("ga.mirrored", made.handle());
  } else {
    EXPECT_EQ(world_size(), 1) << "GA makes no mirrored array for one process alone";
    expect_exported(made);
  }
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
  std::vector<int> handles;
  daptor::test::Faults().expect_agreed([&] {
    Numbers shape{4 * world_size()};
    char name[] = "fault";
    handles.push_back(NGA_Create(C_DBL, 1, shape.data(), name, nullptr));
    export_array(handles.back());
  });
  for (const int handle : handles) GA_Destroy(handle);
}

TEST(Refusals, I1_ImportOfOtherMemoryNamesTheCopy) {
  const DistArray array =
      allocate<double>({block(5 * world_size(), {world_size(), world_rank()})}).on(world());
  expect_refused_everywhere<NotRepresentable>("ga.array.memory", [&] { import_array(array); });
  try {
    import_array(array);
  } catch (const NotRepresentable& error) {
    EXPECT_NE(std::string(error.what()).find("daptor::ga::copy_to_array(a)"), std::string::npos);
  }
}

}  // namespace
}  // namespace daptor::ga::test
