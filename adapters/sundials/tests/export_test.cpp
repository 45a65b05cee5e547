// SPDX-License-Identifier: BSD-3-Clause
#include <nvector/nvector_mpiplusx.h>
#include <nvector/nvector_parallel.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "daptor/consistent.hpp"
#include "daptor/lease.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/sundials/nvector.hpp"
#include "daptor/validate.hpp"
#include "support.hpp"

namespace daptor::sundials::test {
namespace {

/// Uneven, with an empty rank in the middle: rank + 1 elements, and none on rank 1.
Index count_here() {
  return world_rank() == 1 ? 0 : world_rank() + 1;
}

Index start_here() {
  Index start = 0;
  for (int rank = 0; rank < world_rank(); ++rank) start += rank == 1 ? 0 : rank + 1;
  return start;
}

Index count_everywhere() {
  Index count = count_here();
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, world);
  return count;
}

OwnedNVector make_parallel(SUNContext context, Index count, Index global) {
  return OwnedNVector(N_VNew_Parallel(world, count, global, context));
}

TEST(Export, IsABlockOnTheSameMemory) {
  const Context context;
  const OwnedNVector v = make_parallel(context, count_here(), count_everywhere());
  const DistArray a = export_nvector(v.get());
  EXPECT_TRUE(validate(a));
  EXPECT_EQ(a.global_shape(), std::vector<Index>{count_everywhere()});
  EXPECT_EQ(a.local_shape(), std::vector<Index>{count_here()});
  EXPECT_EQ(a.dimension(0).as<Block>()->owned.start, start_here());
  EXPECT_FALSE(a.readonly());
  EXPECT_EQ(a.comm(), Comm(world));
  if (count_here() > 0) {
    EXPECT_EQ(a.data(), N_VGetArrayPointer(v.get()));
  }
  // To an N_Vector again.
  const ImportedNVector again = import_nvector(a, context);
  N_VConst(2.0, again.get());
  EXPECT_EQ(N_VL1Norm(v.get()), 2.0 * static_cast<double>(count_everywhere()));
}

TEST(Export, OfMpiPlusX) {
  const Context context;
  const OwnedNVector inner(N_VNew_Serial(count_here(), context));
  const OwnedNVector v(N_VMake_MPIPlusX(world, inner.get(), context));
  const DistArray a = export_nvector(v.get());
  EXPECT_TRUE(validate(a));
  EXPECT_EQ(a.global_shape(), std::vector<Index>{count_everywhere()});
  if (count_here() > 0) {
    EXPECT_EQ(a.data(), N_VGetArrayPointer(inner.get()));
  }
}

TEST(Export, RefusesOtherKindsAndMissingMemory) {
  const Context context;
  const OwnedNVector serial(N_VNew_Serial(3, context));
  expect_refused<NotRepresentable>("sundials.nvector.kind", [&] { export_nvector(serial.get()); });
  expect_refused<InvalidArgument>("sundials.nvector.null", [] { export_nvector(nullptr); });
  const OwnedNVector empty(N_VNewEmpty_Parallel(world, 2, 2 * world_size(), context));
  for (int victim = 0; victim < world_size(); ++victim) {
    double memory[2] = {1, 1};
    N_VSetArrayPointer(world_rank() == victim ? nullptr : memory, empty.get());
    expect_refused_everywhere<InvalidArgument>(
        "sundials.nvector.memory", [&] { export_nvector(empty.get()); }, victim);
    N_VSetArrayPointer(nullptr, empty.get());
  }
}

TEST(Export, AFaultOnOneRankIsThrownOnAll) {
  const Context context;
  const OwnedNVector v = make_parallel(context, count_here(), count_everywhere());
  Faults().expect_agreed([&] { export_nvector(v.get()); });
}

TEST(Export, IsStaleOnOtherMemory) {
  const Context context;
  const OwnedNVector v = make_parallel(context, 3, 3 * world_size());
  double* const before = N_VGetArrayPointer(v.get());
  const DistArray a = export_nvector(v.get());
  for (int victim = 0; victim < world_size(); ++victim) {
    double other[3] = {};
    if (world_rank() == victim) {
      N_VSetArrayPointer(other, v.get());
      expect_refused<Stale>("stale", [&] { ReadLease lease(a); });
      expect_refused<Stale>("stale", [&] { WriteLease lease(a); });
    }
    expect_refused_everywhere<Stale>(
        "stale", [&] { import_nvector(a, context); }, victim);
    N_VSetArrayPointer(before, v.get());
  }
  EXPECT_NO_THROW(ReadLease lease(a));
}

/// The vector that an integrator makes of the imported one, in the array's own layout: elements of
/// the same place are the same ones.
void expect_like(std::vector<Dimension> dimensions, Order order = Order::c) {
  const Context context;
  const DistArray a = allocate<double>(std::move(dimensions), order).on(world);
  const OwnedNVector v = make_parallel(context, a.owned_count(), [&] {
    Index count = a.owned_count();
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, world);
    return count;
  }());
  const DistArray b = export_nvector(v.get(), a);
  ASSERT_TRUE(b.described()) << b.defect().report();
  EXPECT_TRUE(validate(b));
  EXPECT_EQ(b.global_shape(), a.global_shape());
  EXPECT_EQ(b.local_shape(), a.owned_shape());
  if (a.owned_count() > 0) {
    EXPECT_EQ(b.data(), N_VGetArrayPointer(v.get()));
  }
  N_VConst(7.0, v.get());
  redistribute(b, a);
  const DistArray c = allocate<double>(b.dimensions()).on(world);
  redistribute(a, c);
  const auto* const values = static_cast<const double*>(c.data());
  EXPECT_EQ(std::count(values, values + c.local_count(), 7.0), a.owned_count());
}

TEST(ExportLike, Rows) {
  expect_like(rows());
}
TEST(ExportLike, RowsWithGhosts) {
  expect_like({block(4 * world_size(), line(), BlockPadding({2, 1}, {}, true)), undistributed(3)});
}
TEST(ExportLike, ColumnsWithGhosts) {
  expect_like(padded_columns());
  expect_like(padded_columns(), Order::fortran);
}
TEST(ExportLike, ListsWithGhosts) {
  const Index n = 2 * world_size(), first = 2 * world_rank();
  expect_like({owned_then_ghosts(n, line(), {first + 1, first}, {(first + 2) % n})});
}

TEST(ExportLike, KeepsTheOrderOfMemory) {
  const Context context;
  const DistArray a =
      allocate<double>({undistributed(3), block(2 * world_size(), line())}, Order::fortran)
          .on(world);
  const ImportedNVector v = import_nvector(a, context);
  const OwnedNVector clone(N_VClone(v.get()));
  const DistArray b = export_nvector(clone.get(), a);
  EXPECT_TRUE(b.same_layout(a));
  EXPECT_EQ(b.comm(), a.comm());
}

TEST(ExportLike, KeepsTheOrderOfStridesWithGaps) {
  const Context context;
  const OwnedNVector v = make_parallel(context, 8, 8 * world_size());
  const auto strides = [&](std::vector<Dimension> dimensions, Order order) {
    const DistArray a = allocate<double>(std::move(dimensions), order).on(world);
    return export_nvector(v.get(), a).byte_strides();
  };
  const Dimension divided = block(4 * world_size(), line(), BlockPadding({1, 1}, {}, true));
  EXPECT_EQ(strides({undistributed(2), divided}, Order::c), (std::vector<Index>{32, 8}));
  EXPECT_EQ(strides({divided, undistributed(2)}, Order::fortran), (std::vector<Index>{8, 32}));
}

TEST(ExportLike, TakesTheLocalVectorOfAProcess) {
  const Context context;
  const DistArray a = allocate<double>(rows()).on(world);
  const OwnedNVector v(N_VNew_Serial(a.owned_count(), context));
  EXPECT_TRUE(validate(export_nvector(v.get(), a)));
}

TEST(ExportLike, WhatDoesNotFitOnOneRankIsRefusedOnAll) {
  const Context context;
  const DistArray a = allocate<double>({block(2 * world_size(), line())}).on(world);
  const OwnedNVector fits(N_VNew_Serial(2, context)), longer(N_VNew_Serial(3, context));
  const OwnedNVector alone(N_VNew_Parallel(MPI_COMM_SELF, 2, 2, context));
  const DistArray floats = allocate<float>(a.dimensions()).on(world);
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool here = world_rank() == victim;
    const auto refused = [&](const std::string& rule, N_Vector vector, const DistArray& like) {
      DistArray b;
      EXPECT_NO_THROW(b = export_nvector(here ? vector : fits.get(), here ? like : a));
      expect_refused_everywhere(
          rule, [&] { require_consistent(b); }, victim);
    };
    refused("sundials.nvector.length", longer.get(), a);
    refused("sundials.nvector.null", nullptr, a);
    refused("sundials.nvector.type", fits.get(), floats);
    refused("array.empty", fits.get(), Section().on(world));
    if (world_size() > 1) refused("sundials.nvector.communicator", alone.get(), a);
  }
}

}  // namespace
}  // namespace daptor::sundials::test
