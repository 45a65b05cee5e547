// SPDX-License-Identifier: BSD-3-Clause
// Singular problems, which MueLu accepts without an option, as GAMG does.

#include <algorithm>
#include <vector>

#include "singular.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

PetscInt iterations_on_own_image(KSP ksp) {
  Mat a = nullptr;
  KSPGetOperators(ksp, &a, nullptr);
  const Vectors vectors = vectors_of(a);
  MatMult(a, vectors.right, vectors.left);
  OwnVec x;
  VecDuplicate(vectors.right, x.address());
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, x));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  KSPGetConvergedReason(ksp, &reason);
  EXPECT_GT(reason, 0);
  // The solution is right whatever its part in the null space.
  OwnVec image;
  VecDuplicate(vectors.left, image.address());
  MatMult(a, x, image);
  EXPECT_LT(distance(image, vectors.left), 1e-5);
  PetscInt iterations = 0;
  KSPGetIterationNumber(ksp, &iterations);
  return iterations;
}

TEST(Singular, APressureProblemIsSolved) {
  for (const char* options : {"", "-pc_muelu_coarse_size 200", "-pc_muelu_coarse_pc_type lu",
                              "-pc_muelu_coarse_pc_type svd"})
    for (const PetscInt m : {20, 60}) {
      if (m == 60 && std::string(options).find("svd") != std::string::npos) continue;
      // PETSc has no factorization of its own for a matrix on several processes.
      if (world_size() > 1 && std::string(options).find(" lu") != std::string::npos) continue;
      const WithOptions with(options);
      const OwnMat a = neumann(m);
      set_null_space(a);
      EXPECT_LE(iterations_on_own_image(ksp_of(a, "muelu")), 10) << m << ' ' << options;
    }
}

TEST(Singular, AlsoWhereNobodySaysThatItIs) {
  for (const PetscInt m : {20, 60}) {
    const OwnKsp ksp = ksp_of(neumann(m), "muelu");
    // A norm that ignores the null space, into which rounding errors lead.
    KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED);
    EXPECT_LE(iterations_on_own_image(ksp), 12) << m;
  }
}

/// In a hierarchy of one level, only the coarse solver acts.
TEST(Singular, TheCoarseSolverLeavesNothingInTheNullSpace) {
  const OwnMat a = neumann(15);
  set_null_space(a);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  const Vectors vectors = vectors_of(a);
  OwnVec y;
  VecDuplicate(vectors.right, y.address());
  // No solution has this right-hand side: the null space is removed from it too.
  MatMult(a, vectors.right, vectors.left);
  VecShift(vectors.left, 3.0);
  DAPTOR_EXPECT_OK(PCApply(pc, vectors.left, y));
  PetscScalar sum = 0;
  PetscReal size = 0;
  VecSum(y, &sum);
  VecNorm(y, NORM_INFINITY, &size);
  EXPECT_LT(PetscAbsScalar(sum), 1e-9);
  EXPECT_LT(size, 100.0);
  OwnVec image;
  VecDuplicate(y, image.address());
  MatMult(a, y, image);
  VecShift(vectors.left, -3.0);
  EXPECT_LT(distance(image, vectors.left), 1e-9);
}

/// With a diagonal scaling, a vector that is not constant spans the null space.
TEST(Singular, ANullSpaceThatIsNotConstantReachesMueLu) {
  const auto scaled = [](bool told) {
    const WithOptions with("-pc_muelu_coarse_size 200");
    const OwnMat a = neumann(60);
    const Vectors vectors = vectors_of(a);
    PetscInt first = 0;
    PetscInt last = 0;
    VecGetOwnershipRange(vectors.left, &first, &last);
    for (PetscInt r = first; r < last; ++r)
      VecSetValue(vectors.left, r, r % 3 == 0 ? 5.0 : 1.0, INSERT_VALUES);
    VecAssemblyBegin(vectors.left);
    VecAssemblyEnd(vectors.left);
    MatDiagonalScale(a, vectors.left, vectors.left);
    VecReciprocal(vectors.left);
    VecNormalize(vectors.left, nullptr);
    if (told) set_null_space(a, vectors.left);
    return iterations_on_own_image(ksp_of(a, "muelu"));
  };
  const PetscInt told = scaled(true);
  EXPECT_LE(told, 12);
  EXPECT_GT(scaled(false), 2 * told);
}

/// Three unknowns at each node of an m x m grid, coupled as by the Laplacian. The last of several
/// ranks owns a single node, whose neighbours are all on other ranks: it becomes an aggregate by
/// itself.
OwnMat grid_with_a_single_node(PetscInt m) {
  const PetscInt others = m * m - 1;
  const PetscInt ranks = std::max(1, world_size() - 1);
  PetscInt mine = others / ranks + (world_rank() < others % ranks ? 1 : 0);
  if (world_size() == 1) mine = m * m;
  if (world_size() > 1 && world_rank() == world_size() - 1) mine = 1;
  OwnMat a;
  MatCreate(PETSC_COMM_WORLD, a.address());
  MatSetSizes(a, 3 * mine, 3 * mine, PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetBlockSize(a, 3);
  MatSetType(a, MATAIJ);
  MatSetUp(a);
  MatSetOption(a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt node = row / 3;
    MatSetValue(a, row, row, 4.5, INSERT_VALUES);
    MatSetValue(a, row, 3 * node + (row + 1) % 3, 0.5, INSERT_VALUES);
    MatSetValue(a, row, 3 * node + (row + 2) % 3, 0.5, INSERT_VALUES);
    if (node >= m) MatSetValue(a, row, row - 3 * m, -1.0, INSERT_VALUES);
    if (node + m < m * m) MatSetValue(a, row, row + 3 * m, -1.0, INSERT_VALUES);
    if (node % m > 0) MatSetValue(a, row, row - 3, -1.0, INSERT_VALUES);
    if (node % m + 1 < m) MatSetValue(a, row, row + 3, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// Attaches six near-null vectors, of as many polynomials in the place of a node.
void set_six_modes(Mat a, PetscInt m) {
  std::vector<OwnVec> modes(6);
  std::vector<Vec> handles;
  for (OwnVec& mode : modes) {
    MatCreateVecs(a, mode.address(), nullptr);
    PetscInt first = 0;
    PetscInt last = 0;
    VecGetOwnershipRange(mode, &first, &last);
    const auto which = static_cast<PetscInt>(handles.size());
    for (PetscInt row = first; row < last; ++row) {
      const PetscInt line = row / 3 / m;
      const double x = static_cast<double>(line) / static_cast<double>(m);
      const double y = static_cast<double>(row / 3 % m) / static_cast<double>(m);
      if (row % 3 == which % 3) VecSetValue(mode, row, which < 3 ? 1.0 : x - y, INSERT_VALUES);
    }
    VecAssemblyBegin(mode);
    VecAssemblyEnd(mode);
    for (Vec before : handles) {
      PetscScalar product = 0;
      VecDot(mode, before, &product);
      VecAXPY(mode, -product, before);
    }
    VecNormalize(mode, nullptr);
    handles.push_back(mode);
  }
  MatNullSpace space = nullptr;
  MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 6, handles.data(), &space);
  DAPTOR_EXPECT_OK(MatSetNearNullSpace(a, space));
  MatNullSpaceDestroy(&space);
}

/// The three unknowns of an aggregate of one node cannot represent six modes: coarse unknowns would
/// be left without any entry in the matrix, not even on its diagonal. It is the coarsest matrix, or
/// one above it.
TEST(Singular, AnAggregateOfFewerUnknownsThanModesIsNoObstacle) {
  const OwnMat a = grid_with_a_single_node(12);
  set_six_modes(a, 12);
  for (const char* options : {"-pc_muelu_coarse_size 250", "-pc_muelu_coarse_size 100"}) {
    const WithOptions with(options);
    expect_solved(ksp_of(a, "muelu"), 20);
  }
  // PETSc's factorization takes the rows without entries, which a smoother does not.
  const std::string unrepaired = " -pc_muelu_set \"rap: fix zero diagonals=false\"";
  {
    const WithOptions with(("-pc_muelu_coarse_size 250" + unrepaired).c_str());
    expect_solved(ksp_of(a, "muelu"), 20);
  }
  if (world_size() == 1) return;
  const WithOptions with(("-pc_muelu_coarse_size 100" + unrepaired).c_str());
  // MueLu refuses it in Trilinos 13.2 ("a coarse matrix has zeros on its diagonal"), Daptor itself
  // where MueLu of 16.1 has not ("level 1 of MueLu's hierarchy: rows ..., whose diagonal is zero").
  expect_refused("diagonal", [&] { return KSPSetUp(ksp_of(a, "muelu")); });
}

}  // namespace
}  // namespace daptor::test
