// SPDX-License-Identifier: BSD-3-Clause
// PETSc and ScaLAPACK work in GA's own memory.

#include <cmath>

#include <petscvec.h>

#include <daptor/builders.hpp>
#include <daptor/petsc.hpp>
#include <daptor/scalapack.hpp>

#include "../../scalapack/tests/scalapack.hpp"
#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

constexpr int one = 1;

TEST(Petsc, AVecIsOnTheMemoryOfAGlobalArray) {
  const OwnedGlobalArray made({6 * world_size() + 1});
  const DistArray array = export_array(made.handle());
  ASSERT_TRUE(array.described());
  const Comm comm = communicator(made.handle());
  write_labels(array, made.shape());
  const auto x = petsc::import_vec(array);
  const PetscScalar* values = nullptr;
  VecGetArrayRead(x.get(), &values);
  EXPECT_EQ(static_cast<const void*>(values), array.data());
  VecRestoreArrayRead(x.get(), &values);
  PetscScalar sum = 0;
  VecSum(x.get(), &sum);
  const double n = made.shape()[0];
  EXPECT_EQ(sum, n * (n + 1) / 2);
  // What PETSc writes GA gets, and what GA writes PETSc sums.
  VecScale(x.get(), 2);
  array.modified();
  double all = 0;
  for (int i = 0; i < made.shape()[0]; ++i) {
    double value = 0;
    NGA_Get(made.handle(), &i, &i, &value, &i);
    all += value;
  }
  EXPECT_EQ(all, n * (n + 1));
  GA_Sync();
  double three = 3;
  GA_Fill(made.handle(), &three);
  array.modified();
  VecSum(x.get(), &sum);
  EXPECT_EQ(sum, 3 * n);
  EXPECT_EQ(import_array(petsc::export_vec(x.get())), made.handle());
}

TEST(Scalapack, LuInTheMemoryOfAGlobalArray) {
  const int n = 50;
  Numbers grid = square_grid(world_size()), blocks{8, 8};
  const OwnedGlobalArray made({n, n}, [&](int handle) {
    GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
  });
  const DistArray array = export_array(made.handle());
  {
    WriteLease lease(array);
    for_each_owned(array, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
      const double distance = static_cast<double>(global[0] - 2 * global[1]);
      *element(array, local) = 1 / (1 + std::abs(distance)) + (global[0] == global[1] ? 4 : 0);
    });
    lease.close();
  }
  // Rows in C order are the columns of the transposed matrix, whose equations 'T' solves.
  const DistArray columns = scalapack::transposed(array);
  const scalapack::Grid places = scalapack::Grid::of(columns);
  const auto a = scalapack::import_matrix<double>(columns, places);
  EXPECT_EQ(static_cast<const void*>(a.data()), array.data());
  // The right-hand side of the solution 1, 2, ...: the sums of a row.
  const GridPosition at{world_size(), world_rank()};
  const DistArray right = allocate<double>({block(n, at)}).on(world());
  for_each_owned(right, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      const double distance = static_cast<double>(global[0] - 2 * j);
      sum += (1 / (1 + std::abs(distance)) + (global[0] == j ? 4 : 0)) * static_cast<double>(j + 1);
    }
    *element(right, local) = sum;
  });
  auto b = scalapack::copy_to_matrix<double>(right, places, {8, 8});
  std::vector<int> pivots(static_cast<std::size_t>(a.local_rows() + 8));
  int info = -1;
  pdgetrf_(&n, &n, a.data(), &one, &one, a.desc(), pivots.data(), &info);
  ASSERT_EQ(info, 0);
  pdgetrs_("T", &n, &one, a.data(), &one, &one, a.desc(), pivots.data(), b.data(), &one, &one,
           b.desc(), &info);
  ASSERT_EQ(info, 0);
  scalapack::copy_from_matrix(b, right);
  for_each_owned(right, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
    EXPECT_NEAR(*element(right, local), static_cast<double>(global[0] + 1), 1e-11);
  });
  a.modified();
}

}  // namespace
}  // namespace daptor::ga::test
