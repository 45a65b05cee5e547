// SPDX-License-Identifier: BSD-3-Clause
// Every kind of Global Array as a described array on its own memory: what is written through the
// description is what GA then gets, element by element.

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <daptor/validate.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

TEST(Export, X1_RegularArraysAreBlocksOnTheSameMemory) {
  for (const Numbers& shape :
       {Numbers{40}, Numbers{17}, Numbers{8, 10}, Numbers{7, 9, 5}, Numbers{1, 12}}) {
    const OwnedGlobalArray made(shape);
    expect_exported(made);
    const DistArray array = export_array(made.handle());
    if (!array.described() || array.owned_count() == 0) continue;
    Numbers lo(shape.size()), hi(shape.size()), ld(shape.size());
    NGA_Distribution(made.handle(), world_rank(), lo.data(), hi.data());
    void* memory = nullptr;
    NGA_Access(made.handle(), lo.data(), hi.data(), &memory, ld.data());
    EXPECT_EQ(array.data(), memory);
    NGA_Release(made.handle(), lo.data(), hi.data());
  }
}

TEST(Export, X1_AgainItIsTheSameArray) {
  const OwnedGlobalArray made({12, 9});
  const DistArray first = export_array(made.handle());
  EXPECT_EQ(first, export_array(made.handle()));
  ASSERT_TRUE(first.described());
  EXPECT_EQ(first.buffer().state(), export_array(made.handle()).buffer().state());
}

TEST(Export, X1_IrregularBlocks) {
  // Two columns of processes where their number is even.
  const int columns = world_size() % 2 == 0 ? 2 : 1;
  const int rows = world_size() / columns;
  Numbers map;
  for (int i = 0; i < rows; ++i) map.push_back(i == 0 ? 0 : 2 + i);
  map.push_back(0);
  if (columns == 2) map.push_back(3);
  Numbers blocks{rows, columns};
  const OwnedGlobalArray made(
      {4 + rows, 10}, [&](int handle) { GA_Set_irreg_distr(handle, map.data(), blocks.data()); });
  expect_exported(made);
  EXPECT_TRUE(export_array(made.handle()).described());
}

TEST(Export, X1_GhostCellsAreCommunicationPaddingOfPeriodicDimensions) {
  Numbers widths{1, 2};
  const OwnedGlobalArray made({16, 10}, [&](int handle) { GA_Set_ghosts(handle, widths.data()); });
  expect_exported(made);
  const DistArray array = export_array(made.handle());
  ASSERT_TRUE(array.described());
  for (int d = 0; d < 2; ++d) {
    EXPECT_TRUE(array.dimension(d).periodic());
    const Padding padding = array.dimension(d).communication_padding();
    if (array.owned_count() == 0) continue;
    EXPECT_EQ(padding.lower, widths[static_cast<std::size_t>(d)]);
    EXPECT_EQ(padding.upper, widths[static_cast<std::size_t>(d)]);
  }
  void* memory = nullptr;
  Numbers extents(2), ld(2);
  if (array.owned_count() > 0) {
    NGA_Access_ghosts(made.handle(), extents.data(), &memory, ld.data());
    EXPECT_EQ(array.data(), memory);
    EXPECT_EQ(array.local_shape(), std::vector<Index>(extents.begin(), extents.end()));
    NGA_Release_ghosts(made.handle());
  }
}

TEST(Export, X3_BlockCyclicOnAProcessGrid) {
  Numbers grid = square_grid(world_size());
  // A block for every process, and one that is cut off: GA 5.8 gets no elements of other arrays.
  const Numbers shape{3 * world_size() + 1, 2 * world_size() + 1};
  for (const Numbers& sizes : {Numbers{3, 2}, Numbers{2, 2}, Numbers{3, 1}}) {
    Numbers blocks = sizes;
    // The grid on its side too: GA_Get_proc_grid answers in the order of Fortran.
    for (int turn = 0; turn < 2; ++turn, std::swap(grid[0], grid[1])) {
      const OwnedGlobalArray made(shape, [&](int handle) {
        GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
      });
      expect_exported(made);
      const DistArray array = export_array(made.handle());
      ASSERT_TRUE(array.described());
      for (int d = 0; d < 2; ++d) {
        const auto* along = array.dimension(d).as<Cyclic>();
        ASSERT_NE(along, nullptr);
        EXPECT_EQ(along->grid.size, grid[static_cast<std::size_t>(d)]);
        EXPECT_EQ(along->block_size, blocks[static_cast<std::size_t>(d)]);
      }
    }
  }
}

TEST(Export, X3_BlocksDealtAlongOneDimension) {
  Numbers blocks{2};
  const OwnedGlobalArray line({23},
                              [&](int handle) { GA_Set_block_cyclic(handle, blocks.data()); });
  expect_exported(line);
  // As many blocks for each process: GA 5.8 ends the job where some have fewer.
  Numbers rows{3, 5};
  const OwnedGlobalArray matrix({6 * world_size(), 5},
                                [&](int handle) { GA_Set_block_cyclic(handle, rows.data()); });
  expect_exported(matrix);
  const DistArray array = export_array(matrix.handle());
  ASSERT_TRUE(array.described());
  EXPECT_EQ(array.dimension(0).as<Cyclic>()->block_size, 3);
}

TEST(Export, X7_FewerBlocksThanProcesses) {
  for (const Numbers& shape : {Numbers{3}, Numbers{2, 3}, Numbers{3, 3, 3}, Numbers{1}}) {
    const OwnedGlobalArray made(shape);
    expect_exported(made);
  }
  // Elements on one process only, and a grid that is lengthened by the others.
  Numbers whole{2, 3};
  const OwnedGlobalArray one({2, 3}, [&](int handle) { GA_Set_chunk(handle, whole.data()); });
  const DistArray array = export_array(one.handle());
  ASSERT_TRUE(array.described());
  EXPECT_EQ(array.owned_count(), world_rank() == 0 ? 6 : 0);
  EXPECT_EQ(communicator(one.handle()).size(), world_size());
}

TEST(Export, X4_RestrictedToSomeProcesses) {
  const Numbers list = every_second_process();
  const OwnedGlobalArray made({8, 10}, restricted_to(list));
  expect_exported(made);
  const DistArray array = export_array(made.handle());
  const bool inside = in_every_second_process();
  if (world_size() > 1) {
    EXPECT_EQ(array.described(), inside);
  }
  if (array.described() && inside) {
    EXPECT_GT(array.owned_count(), 0);
  } else {
    daptor::test::expect_refused<InvalidArgument>("ga.outside",
                                                  [&] { communicator(made.handle()); });
  }
  if (array.described() && world_size() > 2) {
    const Comm part = communicator(made.handle());
    EXPECT_EQ(part.size(), static_cast<int>(list.size()));
    EXPECT_TRUE(validate(array));
    // Rank after rank in the order of the list.
    EXPECT_EQ(part.rank(), (world_size() - 1 - world_rank()) / 2);
  }
  GA_Sync();
}

TEST(Export, X7_OnProcessorGroups) {
  const Halves halves;
  const int mine = halves.mine();
  Numbers widths{1, 1};
  for (const bool ghosts : {false, true}) {
    // GA 5.8 ends the job where it makes ghost cells on such a group.
    if (ghosts && halves.in_second()) continue;
    const OwnedGlobalArray made({9, 12}, [&](int handle) {
      GA_Set_pgroup(handle, mine);
      if (ghosts) GA_Set_ghosts(handle, widths.data());
    });
    const DistArray array = export_array(made.handle());
    ASSERT_TRUE(array.described());
    const Comm comm = communicator(made.handle());
    EXPECT_EQ(comm.size(), GA_Pgroup_nnodes(mine));
    write_labels(array, made.shape());
    expect_labels_in_ga(made.handle(), made.shape());
    GA_Pgroup_sync(mine);
  }
}

// The number of one array on the processes with an array of their group is another one elsewhere.
TEST(Export, X7_HandlesMayDifferWhereThereAreGroups) {
  const Halves halves;
  std::optional<OwnedGlobalArray> of_the_first_group;
  if (!halves.in_second())
    of_the_first_group.emplace(Numbers{8},
                               [&](int handle) { GA_Set_pgroup(handle, halves.mine()); });
  GA_Sync();
  {
    const OwnedGlobalArray of_all({4 * world_size()});
    EXPECT_EQ(daptor::test::least(of_all.handle()) == daptor::test::greatest(of_all.handle()),
              world_size() == 1);
    expect_exported(of_all);
  }
  of_the_first_group.reset();
}

TEST(Export, X7_BlockCyclicOnProcessorGroups) {
  const Halves halves;
  const int processes = GA_Pgroup_nnodes(halves.mine());
  Numbers blocks{2, 2}, grid = square_grid(processes);
  const OwnedGlobalArray made(
      {10, 7},
      [&](int handle) {
        GA_Set_pgroup(handle, halves.mine());
        GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
      },
      C_DBL, false);
  // GA 5.8 allocates by the numbers among all processes, modulo the size of the group.
  const int first = world_rank() - GA_Pgroup_nodeid(halves.mine());
  if (first % processes != 0) {
    daptor::test::expect_refused<NotRepresentable>("ga.memory",
                                                   [&] { export_array(made.handle()); });
  } else {
    const DistArray array = export_array(made.handle());
    ASSERT_TRUE(array.described());
    EXPECT_TRUE(validate(array));
    write_labels(array, made.shape());
    // From processes with other numbers GA 5.8 ends the job where it gets elements.
    if (!halves.in_second()) expect_labels_in_ga(made.handle(), made.shape());
    GA_Pgroup_sync(halves.mine());
  }
}

template <class T>
void expect_type(int code) {
  const OwnedGlobalArray made({12}, {}, code);
  const DistArray array = export_array(made.handle());
  ASSERT_TRUE(array.described());
  EXPECT_EQ(array.type(), DataType::of<T>());
  void* aligned = array.mutable_data();
  std::size_t space = alignof(T) + sizeof(T);
  EXPECT_EQ(std::align(alignof(T), sizeof(T), aligned, space), array.data());
}

TEST(Export, X2_TypesAndUpToSevenDimensions) {
  expect_type<int>(C_INT);
  expect_type<long>(C_LONG);
  expect_type<long long>(C_LONGLONG);
  expect_type<float>(C_FLOAT);
  expect_type<double>(C_DBL);
  expect_type<std::complex<float>>(C_SCPL);
  expect_type<std::complex<double>>(C_DCPL);
  expect_exported(OwnedGlobalArray({2, 3, 2, 1, 3, 2, 4}));
}

TEST(Export, X6_ThePointerStaysAndStoresAreSeen) {
  const OwnedGlobalArray made({6 * world_size()});
  const DistArray array = export_array(made.handle());
  ASSERT_TRUE(array.described());
  double two = 2.0;
  GA_Fill(made.handle(), &two);
  GA_Scale(made.handle(), &two);
  EXPECT_EQ(export_array(made.handle()).data(), array.data());
  {
    const ReadLease lease(array);
    EXPECT_EQ(*element(array, {0}), 4.0);
  }
  GA_Sync();
  // A put of another process is seen through the pointer after GA_Sync.
  int at = (6 * (world_rank() + 1)) % (6 * world_size());
  double value = 10 + world_rank();
  NGA_Put(made.handle(), &at, &at, &value, &at);
  GA_Sync();
  const ReadLease lease(array);
  EXPECT_EQ(*element(array, {0}), 10 + (world_rank() + world_size() - 1) % world_size());
}

}  // namespace
}  // namespace daptor::ga::test
