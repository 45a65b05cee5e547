// SPDX-License-Identifier: BSD-3-Clause
// A Mat of PETSc's in blocks, solved by ScaLAPACK in PETSc's memory.

#include <vector>

#include <daptor/petsc.hpp>

#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

TEST(PetscBlocks, AreFactoredInPetscsMemory) {
  const Index n = 8 * world_size();
  Mat mat = nullptr;
  const auto size = static_cast<PetscInt>(n);
  ASSERT_EQ(MatCreateScaLAPACK(world, 4, 4, size, size, 0, 0, &mat), 0);
  ASSERT_EQ(MatSetUp(mat), 0);
  ASSERT_EQ(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY), 0);
  ASSERT_EQ(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY), 0);
  {
    const DistArray array = petsc::export_dense(mat);
    const Grid grid = Grid::of(array);
    const Matrix<double> a = import_matrix<double>(array, grid);
    EXPECT_EQ(a.data(), array.data());

    // Diagonal n, 1 elsewhere; the solution is 1 everywhere.
    const BlockCyclic rows(n, 4, grid.rows()), columns(n, 4, grid.columns());
    for (Index j = 0; j < a.local_columns(); ++j)
      for (Index i = 0; i < a.local_rows(); ++i) {
        const bool diagonal =
            rows.global_of(Part::place(grid.row(), i, rows), BlockNumbering::stored) ==
            columns.global_of(Part::place(grid.column(), j, columns), BlockNumbering::stored);
        a.data()[i + j * a.leading_dimension()] = diagonal ? static_cast<double>(n) : 1.0;
      }
    Part b({n, 1, 4, 4}, grid);
    std::fill(b.values.begin(), b.values.end(), static_cast<double>(2 * n - 1));
    const Matrix<double> right = import_matrix<double>(b.array(), grid);
    std::vector<int> pivots(static_cast<std::size_t>(a.local_rows() + 4));
    const int order = static_cast<int>(n);
    int info = -1;
    pdgetrf_(&order, &order, a.data(), &one, &one, a.desc(), pivots.data(), &info);
    ASSERT_EQ(info, 0);
    pdgetrs_("N", &order, &one, a.data(), &one, &one, a.desc(), pivots.data(), right.data(), &one,
             &one, right.desc(), &info);
    ASSERT_EQ(info, 0);
    for (Index i = 0; i < b.local_rows * b.local_columns; ++i)
      EXPECT_NEAR(b.values[static_cast<std::size_t>(i)], 1.0, 1e-12);
    a.modified();
  }
  EXPECT_EQ(MatDestroy(&mat), 0);
}

}  // namespace
}  // namespace daptor::scalapack::test
