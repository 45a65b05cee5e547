// SPDX-License-Identifier: BSD-3-Clause
// The statement C11 of the Global Arrays documentation's sparse matrices: the core's product,
// PETSc's and Tpetra's on the same arrays give the same numbers.

#include <random>

#include <petscmat.h>
#include <Tpetra_CrsMatrix.hpp>

#include "../csr/matrices.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

/// Each process's part of the columns, as the libraries divide them.
Bounds column_bounds(const Whole& all) {
  return even_bounds(all.columns);
}

std::vector<double> in_core(const CsrArrays& matrix, const Whole& all) {
  auto x = counting<double>(column_bounds(all));
  auto y = block_of<double>(even_bounds(all.rows()), [](Index) { return -7; });
  multiply(matrix, in_blocks(x, column_bounds(all)), in_blocks(y, even_bounds(all.rows())));
  return y;
}

std::vector<double> in_petsc(const petsc::OwnedMat& mat) {
  Vec x = nullptr, y = nullptr;
  MatCreateVecs(mat.get(), &x, &y);
  PetscInt first = 0, count = 0;
  VecGetOwnershipRange(x, &first, nullptr);
  VecGetLocalSize(x, &count);
  PetscScalar* values = nullptr;
  VecGetArray(x, &values);
  for (PetscInt i = 0; i < count; ++i) values[i] = static_cast<double>(first + i + 1);
  VecRestoreArray(x, &values);
  DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
  VecGetLocalSize(y, &count);
  const PetscScalar* sums = nullptr;
  VecGetArrayRead(y, &sums);
  std::vector<double> found;
  for (PetscInt i = 0; i < count; ++i) found.push_back(PetscRealPart(sums[i]));
  VecRestoreArrayRead(y, &sums);
  VecDestroy(&x);
  VecDestroy(&y);
  return found;
}

std::vector<double> in_tpetra(const CsrArrays& matrix) {
  const auto crs = tpetra::import_csr<double>(matrix);
  Tpetra::Vector<double> x(crs->getDomainMap()), y(crs->getRangeMap());
  const auto values = x.getDataNonConst();
  for (int i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(x.getMap()->getGlobalElement(i) + 1);
  crs->apply(x, y);
  const auto sums = y.getData();
  return {sums.begin(), sums.end()};
}

TEST(CsrAcross, C11TheLibrariesGiveTheSameNumbersOnTheSameArrays) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const Whole all = seed == 0 ? text_matrix() : random_matrix(random);
    if (all.rows() == 0) continue;
    auto held = aligned_part<double>(all, even_bounds(all.rows()), seed % 2);
    const CsrArrays matrix = held.arrays();
    const std::vector<double> ours = in_core(matrix, all);
    EXPECT_EQ(ours, in_petsc(petsc::copy_csr(matrix))) << seed;
    EXPECT_EQ(ours, in_tpetra(matrix)) << seed;
    auto even = even_part<double>(all, seed % 2);
    EXPECT_EQ(ours, in_core(even.arrays(), all)) << seed;
    EXPECT_EQ(ours, in_tpetra(align_rows(even.arrays()))) << seed;
  }
}

/// PETSc shares the values if each rank has its own columns.
TEST(CsrAcross, C11AndOnSharedValuesWhereEachRankHasItsOwnColumns) {
  Whole all;
  all.columns = 3 * world_size();
  for (Index r = 0; r < all.columns; ++r)
    all.row({r - r % 3, r - r % 3 + 2}, {static_cast<int>(r) + 1, 2});
  auto held = aligned_part<double>(all, even_bounds(all.columns), 1);
  const CsrArrays matrix = held.arrays();
  const auto mat = petsc::import_csr(matrix);
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(in_core(matrix, all), in_petsc(mat));
    EXPECT_EQ(in_core(matrix, all), in_tpetra(matrix));
    for (double& value : held.values) value *= 3;
    matrix.values.modified();
  }
}

}  // namespace
}  // namespace daptor::test
