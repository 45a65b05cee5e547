// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/builders.hpp"
#include "daptor/block_dimensions.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <ios>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/consistent.hpp"
#include "daptor/error.hpp"
#include "for_each_index.hpp"

namespace daptor {
namespace {

/// Rule and key of the error that `make` throws, such as "D08 size" or "argument grid"; "none" if
/// it throws none.
std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.rule() + ' ' + error.finding().key;
  }
  return "none";
}

/// The same for a builder's result: a defect does not throw, but waits for the first collective
/// call.
std::string refusal(const Defect& defect) {
  if (!defect) return "none";
  EXPECT_FALSE(defect.report().findings().empty());
  return refusal([&] { defect.raise(); });
}
std::string refusal(const Dimension& dimension) {
  return refusal(dimension.defect());
}
std::string refusal(const Section& array) {
  EXPECT_EQ(array.described(), !array.defect());
  return refusal(array.defect());
}
std::string refusal(const std::vector<Dimension>& dimensions) {
  const Section array = describe(DataType::of<char>(), nullptr, dimensions);
  if (!array.described()) {
    EXPECT_EQ(local_count(dimensions), 0) << "nothing to allocate";
  }
  return refusal(array);
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

// --- dimensions

TEST(Builders, MakeWhatTheySay) {
  EXPECT_EQ(undistributed(10), Dimension(10, Undistributed{}));
  EXPECT_EQ(block(10, {3, 1}), Dimension(10, Block{{3, 1}, {4, 7}, {}, {}, false}));
  EXPECT_EQ(block(10, {3, 1}, {2, 9}), Dimension(10, Block{{3, 1}, {2, 9}, {}, {}, false}));
  EXPECT_EQ(cyclic(10, {3, 1}, 2), Dimension(10, Cyclic{{3, 1}, 2, 2}));
  EXPECT_EQ(unstructured(10, {3, 1}, IndexList({7, 7000, -1}), true),
            Dimension(10, Unstructured{{3, 1}, IndexList({7, 7000, -1}), true}));
}

TEST(Builders, RefuseByRule) {
  EXPECT_EQ(refusal(undistributed(-1)), "D08 size");
  EXPECT_EQ(refusal(block(-1, {2, 0})), "D08 size");
  EXPECT_EQ(refusal(block(10, {0, 0})), "D13 proc_grid_size");
  EXPECT_EQ(refusal(block(10, {2, 2})), "D18 proc_grid_rank");
  EXPECT_EQ(refusal(block(10, {2, -1}, BlockPadding{})), "D18 proc_grid_rank");
  EXPECT_EQ(refusal(block(10, {2, 0}, {0, 11})), "B08 stop");
  EXPECT_EQ(refusal(block(10, {2, 1}, {0, 9})), "B11 stop");
  EXPECT_EQ(refusal(cyclic(10, {0, 0})), "D13 proc_grid_size");
  EXPECT_EQ(refusal(cyclic(-1, {2, 0})), "D08 size");
  EXPECT_EQ(refusal(cyclic(10, {2, 0}, 0)), "C05 block_size");
  EXPECT_EQ(refusal(cyclic(10, {2, 1}, -3)), "C05 block_size");
  EXPECT_EQ(refusal(cyclic(10, {2, 0}, 1, 2)), "argument origin");
  EXPECT_EQ(refusal(cyclic(10, {2, 0}, 1, -1)), "argument origin");
  EXPECT_EQ(refusal(unstructured(10, {2, 2}, IndexList())), "D18 proc_grid_rank");
}

TEST(Builders, RefuseNegativeWidthsOnEveryProcess) {
  for (Index rank = 0; rank < 3; ++rank) {
    for (const BlockPadding& padding :
         {BlockPadding{{-1, 0}, {}}, BlockPadding{{0, -1}, {}}, BlockPadding{{}, {-1, 0}},
          BlockPadding{{}, {0, -1}}, BlockPadding{{}, {0, -1}, true}})
      EXPECT_EQ(refusal(block(10, {3, rank}, padding)), "P03 padding") << rank;
  }
}

TEST(Builders, PlacePaddingByEdge) {
  const BlockPadding padding{{1, 2}, {3, 4}};
  const auto boundary = [&](Index rank, bool periodic) {
    BlockPadding p = padding;
    p.periodic = periodic;
    return block(30, {3, rank}, p).boundary_padding();
  };
  const auto communication = [&](Index rank, bool periodic) {
    BlockPadding p = padding;
    p.periodic = periodic;
    return block(30, {3, rank}, p).communication_padding();
  };
  EXPECT_EQ(boundary(0, false), (Padding{3, 0}));
  EXPECT_EQ(communication(0, false), (Padding{0, 2}));
  EXPECT_EQ(boundary(1, false), (Padding{0, 0}));
  EXPECT_EQ(communication(1, false), (Padding{1, 2}));
  EXPECT_EQ(boundary(2, false), (Padding{0, 4}));
  EXPECT_EQ(communication(2, false), (Padding{1, 0}));
  for (Index rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(boundary(rank, true), (Padding{0, 0}));
    EXPECT_EQ(communication(rank, true), (Padding{1, 2}));
  }
  BlockPadding alone = padding;
  EXPECT_EQ(block(30, {1, 0}, alone).boundary_padding(), (Padding{3, 4}));
  EXPECT_EQ(block(30, {1, 0}, alone).communication_padding(), (Padding{0, 0}));
  alone.periodic = true;
  EXPECT_EQ(block(30, {1, 0}, alone).communication_padding(), (Padding{1, 2}));
}

TEST(Builders, EveryProcessHasThePaddingKeyOrNone) {
  for (Index rank = 0; rank < 4; ++rank) {
    EXPECT_TRUE(block(2, {4, rank}, BlockPadding{{1, 1}, {}}).as<Block>()->padded);
    EXPECT_TRUE(block(2, {4, rank}, BlockPadding{}).as<Block>()->padded) << "as (0, 0)";
    EXPECT_FALSE(block(2, {4, rank}).as<Block>()->padded);
  }
}

TEST(Builders, AnEmptySectionHasNoPadding) {
  const Dimension empty = block(2, {4, 3}, BlockPadding{{1, 1}, {1, 1}});
  EXPECT_EQ(empty.as<Block>()->communication, Padding{});
  EXPECT_EQ(empty.as<Block>()->boundary, Padding{});
  EXPECT_TRUE(check_dimension(empty, 0).empty());
}

TEST(Builders, CyclicOriginsRotateTheDeal) {
  for (Index size = 0; size <= 13; ++size) {
    for (Index processes = 1; processes <= 5; ++processes) {
      for (Index block_size = 1; block_size <= 4; ++block_size) {
        for (Index origin = 0; origin < processes; ++origin) {
          std::vector<int> owners(static_cast<std::size_t>(size), 0);
          for (Index rank = 0; rank < processes; ++rank) {
            const Dimension d = cyclic(size, {processes, rank}, block_size, origin);
            Index owned = 0;
            for (Index i = 0; i < size; ++i) {
              if ((i / block_size + origin) % processes != rank) continue;
              ++owners[static_cast<std::size_t>(i)];
              if (owned++ == 0) {
                EXPECT_EQ(d.as<Cyclic>()->start, i);
              }
            }
            ASSERT_EQ(d.owned_count(), owned);
            if (owned == 0) {
              EXPECT_EQ(d.as<Cyclic>()->start, size);
            }
          }
          EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), size);
        }
      }
    }
  }
}

TEST(Builders, CyclicOfHugeGridsDoesNotOverflow) {
  const Index most = INT64_MAX;
  EXPECT_EQ(cyclic(10, {most, most - 1}, 1, 0).as<Cyclic>()->start, 10);
  EXPECT_EQ(cyclic(10, {most, 0}, 1, most - 1).as<Cyclic>()->start, 1);
  EXPECT_EQ(cyclic(10, {most, most - 1}, most).as<Cyclic>()->start, 10);
  EXPECT_EQ(cyclic(most, {2, 1}, most - 1).as<Cyclic>()->start, most - 1);
}

// --- grids

TEST(Builders, GridsAreThoseOfMpi) {
  for (int processes = 1; processes <= 64; ++processes) {
    for (int ndim = 1; ndim <= 4; ++ndim) {
      std::vector<int> expected(static_cast<std::size_t>(ndim), 0);
      MPI_Dims_create(processes, ndim, expected.data());
      EXPECT_EQ(block_grid(ndim, processes), std::vector<Index>(expected.begin(), expected.end()));
    }
  }
  EXPECT_EQ(block_grid(3, 12, {0, 2, 0}), (std::vector<Index>{3, 2, 2}));
  EXPECT_EQ(block_grid(2, 6, {3, 2}), (std::vector<Index>{3, 2}));
  EXPECT_EQ(block_grid(0, 1), std::vector<Index>());
}

TEST(Builders, GridsThatAreNotTheProcessesAreRefused) {
  EXPECT_EQ(refusal([] { block_grid(2, 6, {4, 0}); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(2, 6, {2, 2}); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(2, 6, {6, 6}); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(2, 6, {7, 0}); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(2, 6, {-1, 0}); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(2, 6, {6}); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(0, 2); }), "argument grid");
  EXPECT_EQ(refusal([] { block_grid(-1, 2); }), "argument ndim");
  EXPECT_EQ(refusal([] { block_grid(2, 0); }), "argument process_count");
  const std::vector<Index> wraps(5, Index{1} << 30);
  EXPECT_EQ(refusal([&] { block_grid(5, 1 << 30, wraps); }), "argument grid");
}

TEST(Builders, CoordinatesAreRowMajor) {
  const std::vector<Index> grid = {2, 3, 4};
  Index rank = 0;
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      for (Index k = 0; k < 4; ++k)
        EXPECT_EQ(grid_coordinates(grid, rank++), (std::vector<Index>{i, j, k}));
    }
  }
  EXPECT_EQ(grid_coordinates({}, 0), std::vector<Index>());
  EXPECT_EQ(refusal([&] { grid_coordinates(grid, 24); }), "argument rank");
  EXPECT_EQ(refusal([&] { grid_coordinates(grid, -1); }), "argument rank");
  EXPECT_EQ(refusal([] { grid_coordinates({}, 1); }), "argument rank");
  EXPECT_EQ(refusal([] { grid_coordinates({2, 0}, 1); }), "argument grid");
}

// --- arrays over a communicator

/// Every element of the array is owned exactly once, as counted on all ranks.
void expect_tiles(const std::vector<Index>& shape, MPI_Comm comm, const BlockOptions& options) {
  const std::vector<Dimension> dimensions = block_dimensions(shape, comm, options);
  ASSERT_EQ(dimensions.size(), shape.size());
  std::size_t total = 1;
  for (const Index extent : shape) total *= static_cast<std::size_t>(extent);
  std::vector<int> owners(total, 0);
  std::size_t number = 0;
  test::for_each_index(shape, [&](const std::vector<Index>& at) {
    bool mine = true;
    for (std::size_t d = 0; d < shape.size(); ++d)
      mine = mine && dimensions[d].as<Block>()->owned.contains(at[d]);
    if (mine) ++owners[number];
    ++number;
  });
  MPI_Allreduce(MPI_IN_PLACE, owners.data(), static_cast<int>(total), MPI_INT, MPI_SUM, comm);
  EXPECT_EQ(static_cast<std::size_t>(std::count(owners.begin(), owners.end(), 1)), total);
}

TEST(Builders, BlocksTileTheArray) {
  for (const std::vector<Index>& shape :
       {std::vector<Index>{1}, {7}, {64}, {5, 3}, {1, 8}, {13, 11}, {4, 5, 6}, {2, 2, 2, 3}, {0}}) {
    expect_tiles(shape, MPI_COMM_WORLD, {});
    BlockOptions padded;
    padded.communication.assign(shape.size(), Padding{1, 1});
    padded.periodic.assign(shape.size(), true);
    expect_tiles(shape, MPI_COMM_WORLD, padded);
    expect_tiles(shape, MPI_COMM_SELF, {});
  }
}

TEST(Builders, BlocksSitRowMajorOnTheGrid) {
  const int processes = size_of(MPI_COMM_WORLD);
  const std::vector<Dimension> dimensions = block_dimensions({64, 64, 64}, MPI_COMM_WORLD);
  const std::vector<Index> grid = block_grid(3, processes);
  const std::vector<Index> coordinates = grid_coordinates(grid, rank_of(MPI_COMM_WORLD));
  for (std::size_t d = 0; d < 3; ++d)
    EXPECT_EQ(dimensions[d], block(64, {grid[d], coordinates[d]}));
  BlockOptions options;
  options.grid = {1, processes};
  EXPECT_EQ(block_dimensions({3, 64}, MPI_COMM_WORLD, options)[1],
            block(64, {processes, rank_of(MPI_COMM_WORLD)}));
}

TEST(Builders, BlockOptionsReachEachDimension) {
  const int processes = size_of(MPI_COMM_WORLD);
  const GridPosition position{processes, rank_of(MPI_COMM_WORLD)};
  BlockOptions options;
  options.grid = {processes, 1};
  options.communication = {{1, 2}, {3, 4}};
  options.boundary = {{5, 6}, {7, 8}};
  options.periodic = {false, true};
  const auto dimensions = block_dimensions({100, 50}, MPI_COMM_WORLD, options);
  EXPECT_EQ(dimensions[0], block(100, position, BlockPadding{{1, 2}, {5, 6}, false}));
  EXPECT_EQ(dimensions[1], block(50, {1, 0}, BlockPadding{{3, 4}, {7, 8}, true}));

  BlockOptions periodic;
  periodic.periodic = {true};
  const auto ring = block_dimensions({100}, MPI_COMM_WORLD, periodic);
  EXPECT_TRUE(ring[0].periodic());
  EXPECT_FALSE(ring[0].as<Block>()->padded);
}

TEST(Builders, BlockOptionsAreCheckedOnEveryRank) {
  const auto with = [](const BlockOptions& options) {
    return refusal(block_dimensions({10, 10}, MPI_COMM_WORLD, options));
  };
  BlockOptions options;
  options.grid = {1000, 1};
  EXPECT_EQ(with(options), "argument grid");
  options = {};
  options.communication = {{1, 1}};
  EXPECT_EQ(with(options), "argument communication");
  options = {};
  options.boundary = {{1, 1}, {1, 1}, {1, 1}};
  EXPECT_EQ(with(options), "argument boundary");
  options = {};
  options.periodic = {true};
  EXPECT_EQ(with(options), "argument periodic");
  options = {};
  options.boundary = {{0, 0}, {0, -1}};
  EXPECT_EQ(with(options), "P03 padding");
}

TEST(Builders, FindingsNameTheDimension) {
  const Section array =
      describe(DataType::of<char>(), nullptr, block_dimensions({10, -3, -4}, MPI_COMM_SELF));
  const std::vector<Finding> findings = array.defect().report().findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].dimension, 1);
  EXPECT_EQ(findings[1].dimension, 2);
  EXPECT_EQ(findings[0].rule, "D08");
  EXPECT_THROW(array.defect().raise(), Malformed);
}

TEST(Builders, CommunicatorsThatCannotBeAskedAreRefused) {
  EXPECT_EQ(refusal([] { block_dimensions({10}, MPI_COMM_NULL); }), "argument comm");
  const int rank = rank_of(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) == 1) return;  // an intercommunicator has two groups
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
  EXPECT_EQ(refusal([&] { block_dimensions({10}, between); }), "argument comm");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

// --- Cartesian communicators

/// The processes of a Cartesian communicator, as one of them sees it, without the processes.
class Cartesian final : public Communicator {
 public:
  explicit Cartesian(ProcessGrid grid) : grid_(std::move(grid)) {}
  int rank() const override { return 0; }
  int size() const override {
    Index count = 1;
    for (const Index size : grid_.sizes) count *= size;
    return static_cast<int>(count);
  }
  void allreduce(std::int64_t*, int, Reduction) const override {}
  std::int64_t exclusive_sum(std::int64_t) const override { return 0; }
  void broadcast(void*, std::size_t, int) const override {}
  void sendrecv(int, const void*, std::size_t, int, void*, std::size_t) const override {}
  std::vector<Message> exchange(const std::vector<Message>&) const override { return {}; }
  std::optional<ProcessGrid> cartesian() const override { return grid_; }

 private:
  ProcessGrid grid_;
};

Comm cartesian(std::vector<Index> sizes, std::vector<Index> position, std::vector<bool> periodic) {
  return Comm(std::make_shared<Cartesian>(
      ProcessGrid{std::move(sizes), std::move(position), std::move(periodic), true}));
}

TEST(CartesianComm, GridPeriodsAndCoordinatesAreTaken) {
  // Rank 0, whose coordinates are not the first: its ranks were reordered.
  const Comm comm = cartesian({2, 3}, {1, 2}, {false, true});
  BlockOptions options;
  options.ghosts = {1};
  const BlockPadding still = BlockPadding::ghosts({1, 1}),
                     ring = BlockPadding::ghosts({1, 1}, true);
  const std::vector<Dimension> expected = {block(8, {2, 1}, still), block(9, {3, 2}, ring)};
  EXPECT_EQ(block_dimensions({8, 9}, comm, options), expected);
  options.grid = {0, 3};
  options.periodic = {false, true};
  EXPECT_EQ(block_dimensions({8, 9}, comm, options), expected) << "no contradiction";
  EXPECT_TRUE(block_dimensions({8, 9}, comm)[1].periodic()) << "also without padding";
}

TEST(CartesianComm, WhatContradictsItIsRefused) {
  const Comm comm = cartesian({2, 3}, {1, 2}, {false, true});
  const auto with = [&](const IndexVector& shape, const IndexVector& grid,
                        const FlagVector& periodic = {}) {
    BlockOptions options;
    options.grid = grid;
    options.periodic = periodic;
    return refusal(block_dimensions(shape, comm, options));
  };
  EXPECT_EQ(with({8, 9}, {3, 2}), "argument grid");
  EXPECT_EQ(with({8, 9}, {6, 1}), "argument grid");
  EXPECT_EQ(with({8, 9}, {}, {false, false}), "argument periodic");
  EXPECT_EQ(with({8, 9}, {}, {true, true}), "argument periodic");
  EXPECT_EQ(with({8, 9}, {}, {true}), "argument periodic");
  EXPECT_EQ(with({8, 9, 3}, {}), "argument grid") << "which one is not divided?";
  EXPECT_EQ(with({8, 9, 3}, {6, 1, 1}), "argument grid");
  EXPECT_EQ(with({50}, {}), "argument grid") << "is the order of the ranks meant?";
  EXPECT_EQ(with({50}, {0}), "argument grid");
}

TEST(CartesianComm, DimensionsThatItDoesNotDivide) {
  const Comm comm = cartesian({2, 3}, {1, 2}, {false, true});
  const auto on = [&](int ndim, const IndexVector& grid) { return process_grid(ndim, comm, grid); };
  EXPECT_EQ(on(3, {0, 0, 1}).sizes, (std::vector<Index>{2, 3, 1}));
  EXPECT_EQ(on(3, {1, 0, 0}).position, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(on(3, {0, 1, 0}).periodic, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(on(3, {2, 3, 1}).sizes, (std::vector<Index>{2, 3, 1}));
  // Fewer dimensions: over all processes in the order of their ranks, if that is said.
  const ProcessGrid line = on(1, {6});
  EXPECT_EQ(line.position, std::vector<Index>{0});
  EXPECT_FALSE(line.periodic[0]);
  EXPECT_FALSE(line.cartesian);
  // A program that writes its grid out runs on one process too.
  const Comm one = cartesian({1, 1}, {0, 0}, {false, false});
  EXPECT_EQ(process_grid(3, one, {1, 1, 1}).sizes, (std::vector<Index>{1, 1, 1}));
  const Comm ring = cartesian({1, 1}, {0, 0}, {true, false});
  EXPECT_EQ(refusal([&] {
              process_grid(3, ring, {1, 1, 1});
            }),
            "argument grid")
      << "which of them is periodic?";
}

TEST(CartesianComm, OfMpi) {
  const int processes = size_of(MPI_COMM_WORLD);
  MPI_Comm reversed = MPI_COMM_NULL, cart = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD), &reversed);
  const int dims[] = {1, processes}, periods[] = {0, 1};
  MPI_Cart_create(reversed, 2, dims, periods, 1, &cart);
  MPI_Comm_dup(cart, &copy);
  int coordinates[2] = {};
  MPI_Cart_coords(cart, rank_of(cart), 2, coordinates);
  for (const MPI_Comm comm : {cart, copy}) {
    const auto dimensions = block_dimensions({4, 8}, comm);
    EXPECT_EQ(dimensions[0].grid(), (GridPosition{1, 0}));
    EXPECT_EQ(dimensions[1].grid(), (GridPosition{processes, coordinates[1]}));
    EXPECT_FALSE(dimensions[0].periodic());
    EXPECT_TRUE(dimensions[1].periodic());
    EXPECT_EQ(refusal([&] {
                require_consistent(describe(DataType::of<char>(), nullptr, dimensions).on(comm));
              }),
              "none");
  }
  EXPECT_FALSE(block_dimensions({4, 8}, reversed)[1].periodic());
  for (MPI_Comm* const comm : {&copy, &cart, &reversed}) MPI_Comm_free(comm);
}

// --- lists of integers

TEST(Builders, TakeIntegersOfAnyKind) {
  const std::vector<double> u(12);
  const std::vector<int> shape = {12, 4};
  const auto expected = block_dimensions({12, 4}, MPI_COMM_SELF);
  EXPECT_EQ(block_dimensions({u.size(), 4}, MPI_COMM_SELF), expected);
  EXPECT_EQ(block_dimensions(shape, MPI_COMM_SELF), expected);
  EXPECT_EQ(block_dimensions(std::vector<std::uint16_t>{12, 4}, MPI_COMM_SELF), expected);
  EXPECT_EQ(block_dimensions(std::array<std::size_t, 2>{12, 4}, MPI_COMM_SELF), expected);
  EXPECT_EQ(refusal(block_dimensions({u.size() - 15, 4}, MPI_COMM_SELF)), "D08 size");
  EXPECT_EQ(refusal(block_dimensions({-12, 4}, MPI_COMM_SELF)), "D08 size");
  BlockOptions options;
  options.ghosts = {short{1}, u.size() - 13};
  EXPECT_EQ(refusal(block_dimensions(shape, MPI_COMM_SELF, options)), "P03 padding");
  options.ghosts = std::vector<int>{1, 2};
  EXPECT_EQ(local_count(block_dimensions(shape, MPI_COMM_SELF, options)), 14 * 8);

  const std::size_t processes = 2, first = 5;
  EXPECT_EQ(block(10, {processes, 1}, {first, 10}), block(10, {2, 1}, IndexRange{5, 10}));
  const std::vector<int> indices = {3, 0, 7};
  const Dimension list = unstructured(10, {1, 0}, IndexList(std::vector<Index>{3, 0, 7}));
  EXPECT_EQ(unstructured(10, {1, 0}, IndexList(indices)), list);
  EXPECT_EQ(unstructured(10, {1, 0}, IndexList({3U, 0U, 7U})), list);
  EXPECT_EQ(owned_then_ghosts(10, {1, 0}, indices, std::vector<unsigned>{9}),
            owned_then_ghosts(10, {1, 0}, {3, 0, 7}, {9}));
  EXPECT_EQ(OwnedPart::at(std::vector<int>{2, 0}), OwnedPart::at({0, 2}));
  const auto strided = describe(u, {undistributed(6)}, {2 * sizeof(double)});
  EXPECT_EQ(strided.byte_strides(), std::vector<Index>{16});
}

// --- arrays on memory

TEST(Builders, DescribePlainMemory) {
  std::vector<double> memory(12);
  const Section c = describe(memory.data(), {undistributed(3), undistributed(4)});
  EXPECT_EQ(c.data(), memory.data());
  EXPECT_EQ(c.byte_strides(), (std::vector<Index>{32, 8}));
  EXPECT_EQ(c.type(), DataType::of<double>());
  EXPECT_EQ(c.version(), protocol_0_9);
  EXPECT_FALSE(c.readonly());
  const Section fortran =
      describe(memory.data(), {undistributed(3), undistributed(4)}, Order::fortran);
  EXPECT_EQ(fortran.byte_strides(), (std::vector<Index>{8, 24}));
  const Section strided = describe(memory.data(), {undistributed(3)}, std::vector<Index>{4 * 8});
  EXPECT_EQ(strided.byte_strides(), (std::vector<Index>{32}));
}

TEST(Builders, DescribeKeepsConst) {
  const std::vector<float> memory(4);
  EXPECT_TRUE(describe(memory.data(), {undistributed(4)}).readonly());
  EXPECT_TRUE(describe(memory.data(), {undistributed(2)}, std::vector<Index>{8}).readonly());
  EXPECT_EQ(describe(memory.data(), {undistributed(4)}).type(), DataType::of<float>());
}

TEST(Builders, DescribeKeepsTheOwnerAlive) {
  auto memory = std::make_shared<std::vector<double>>(4);
  const std::weak_ptr<std::vector<double>> alive = memory;
  double* const data = memory->data();
  {
    const Section array = describe(data, {undistributed(4)}, Order::c, std::move(memory));
    const Section copy = array.as_readonly();
    EXPECT_FALSE(alive.expired());
  }
  EXPECT_TRUE(alive.expired());
}

TEST(Builders, DescribeWithoutMemory) {
  const Section array = describe(DataType::of<double>(), nullptr, {undistributed(4)});
  EXPECT_FALSE(array.buffer().has_memory());
  EXPECT_EQ(array.local_count(), 4);
}

TEST(Builders, DescribeJudgesDimensionsBeforeItCountsThem) {
  double value = 0;
  const Dimension no_blocks(10, Cyclic{{2, 0}, 0, 0});
  const Dimension backwards(10, Block{{2, 0}, {5, 3}, {}, {}, false});
  const Dimension off_grid(10, Block{{0, 0}, {0, 10}, {}, {}, false});
  const Dimension wide(10, Block{{3, 1}, {3, 6}, {}, {INT64_MAX, INT64_MAX}, true});
  for (const auto& [dimension, rule] :
       {std::pair(no_blocks, "C05 block_size"), std::pair(backwards, "B04 stop"),
        std::pair(off_grid, "D13 proc_grid_size"), std::pair(wide, "P13 padding")}) {
    EXPECT_EQ(refusal(describe(&value, {dimension})), rule);
    EXPECT_EQ(refusal(describe(&value, {dimension}, std::vector<Index>{8})), rule);
    EXPECT_EQ(local_count({dimension}), 0);
    EXPECT_EQ(refusal(allocate<double>({dimension})), rule);
  }
  EXPECT_EQ(refusal(describe(&value, {undistributed(2)}, std::vector<Index>{8, 8})), "T09 buffer");
}

TEST(Builders, CountsAreInSixtyFourBits) {
  EXPECT_EQ(local_count({}), 1);
  EXPECT_EQ(local_count({block(18, {2, 0}, BlockPadding{{1, 1}, {1, 1}}), undistributed(3)}), 30);
  const Index root = Index{1} << 31;
  EXPECT_EQ(local_count({undistributed(root), undistributed(root)}), root * root);
  EXPECT_EQ(local_count({undistributed(root * 2), undistributed(root)}), 0);
  EXPECT_EQ(local_count({undistributed(root * root), undistributed(0), undistributed(root)}), 0);
  double value = 0;
  EXPECT_EQ(refusal(describe(&value, {undistributed(root), undistributed(root)})), "T10 buffer")
      << "the elements fit, their bytes do not";
  EXPECT_EQ(refusal(allocate<double>({undistributed(root), undistributed(root)})), "T10 buffer");
}

TEST(Builders, AllocateGivesZeroedAlignedMemory) {
  for (const Index count : {0, 1, 7, 8, 9, 1000}) {
    const Section array = allocate<double>({undistributed(count), undistributed(3)});
    ASSERT_NE(array.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
    const auto* const values = static_cast<const double*>(array.data());
    EXPECT_EQ(std::count(values, values + 3 * count, 0.0), 3 * count);
    EXPECT_FALSE(array.readonly());
  }
  EXPECT_EQ(allocate<float>({undistributed(2), undistributed(3)}, Order::fortran).byte_strides(),
            (std::vector<Index>{4, 8}));
}

TEST(Builders, AllocatedMemoryLivesWithItsLastHolder) {
  class View final : public NativeView {
   public:
    void modified() override {}
  };
  View view;
  const double* data = nullptr;
  {
    const Section array = allocate<double>({undistributed(100)});
    static_cast<double*>(array.mutable_data())[99] = 5;
    data = static_cast<const double*>(array.data());
    view.watch(array.buffer().state());
  }
  EXPECT_EQ(data[99], 5) << "an import holds the memory";
}

/// Whether the kernel knows that the page at this address may be part of a huge page.
bool may_be_huge(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0, end = 0;
    char to = ' ';
    if (words >> std::hex >> begin >> to >> end && to == '-')
      inside = begin <= place && place < end;
    std::size_t shared = 0;
    if (inside && line.rfind("ShmemPmdMapped:", 0) == 0 &&
        std::istringstream(line.substr(line.find(':') + 1)) >> shared && shared > 0)
      return true;
    if (inside && line.rfind("VmFlags:", 0) == 0) return (line + ' ').find(" hg ") < line.size();
  }
  return false;
}

/// Whether the system keeps the hint; emulators of processors ignore it.
bool hints_are_kept() {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  const bool kept = madvise(memory, bytes, MADV_HUGEPAGE) == 0 && may_be_huge(memory);
  munmap(memory, bytes);
  return kept;
}

TEST(Builders, LargeMemoryMayBeInHugePages) {
  if (!hints_are_kept()) GTEST_SKIP() << "none here";
  const Section array = allocate<double>({undistributed(2000000)});
  const auto* const data = static_cast<const double*>(array.data());
  EXPECT_EQ(std::count(data, data + 2000000, 0.0), 2000000);
  for (const Index i : {Index{1000}, Index{1000000}, Index{1999000}})
    EXPECT_TRUE(may_be_huge(data + i)) << i;
}

TEST(Builders, MemoryThatIsNotThereIsAnErrorOfItsOwn) {
  const Index bytes = Index{1} << 62;
  EXPECT_EQ(refusal(allocate<char>({undistributed(bytes)})), "library.c++ aligned_alloc");
}

}  // namespace
}  // namespace daptor
