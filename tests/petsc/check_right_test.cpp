// SPDX-License-Identifier: BSD-3-Clause
// What PETSc itself makes is right: check() finds nothing about it.

#include <petscdmcomposite.h>
#include <petscdmda.h>
#include <petscdmplex.h>
#include <petscdmstag.h>

#include "checked.hpp"

namespace {

using namespace daptor_test;

void expect_nothing_about_all_of(DM dm) {
  VecHandle global, local;
  MatHandle mat;
  DAPTOR_EXPECT_OK(DMCreateGlobalVector(dm, global.out()));
  DAPTOR_EXPECT_OK(DMCreateLocalVector(dm, local.out()));
  DAPTOR_EXPECT_OK(DMCreateMatrix(dm, mat.out()));
  expect_nothing(dm);
  expect_nothing(global.get());
  expect_nothing(local.get());
  DAPTOR_EXPECT_OK(MatShift(mat.get(), 1));
  expect_nothing(mat.get());
  VecHandle right, left;
  DAPTOR_EXPECT_OK(MatCreateVecs(mat.get(), right.out(), left.out()));
  expect_nothing(right.get());
  expect_nothing(left.get());
  MatHandle copy;
  DAPTOR_EXPECT_OK(MatDuplicate(mat.get(), MAT_COPY_VALUES, copy.out()));
  expect_nothing(copy.get());
}

const std::vector<DMBoundaryType> grid_ends{DM_BOUNDARY_NONE, DM_BOUNDARY_GHOSTED,
                                            DM_BOUNDARY_PERIODIC, DM_BOUNDARY_MIRROR};

TEST(CheckRight, Grids) {
  const PetscInt nx = 2 * daptor::test::world_size() + 4;  // mirrors need two points on each rank
  const PetscInt ny = nx + 1;
  for (const DMBoundaryType x : grid_ends)
    for (const DMBoundaryType y : grid_ends)
      for (const DMDAStencilType stencil : {DMDA_STENCIL_STAR, DMDA_STENCIL_BOX}) {
        const bool mirrored = x == DM_BOUNDARY_MIRROR || y == DM_BOUNDARY_MIRROR;
        if (mirrored && stencil == DMDA_STENCIL_BOX) continue;  // PETSc has none
        SCOPED_TRACE(std::string(DMBoundaryTypes[x]) + " x " + DMBoundaryTypes[y]);
        DmHandle dm;
        DAPTOR_EXPECT_OK(DMDACreate2d(world, x, y, stencil, nx, ny, PETSC_DECIDE, PETSC_DECIDE, 2,
                                      1, nullptr, nullptr, dm.out()));
        DAPTOR_EXPECT_OK(DMSetUp(dm.get()));
        expect_nothing_about_all_of(dm.get());
      }
}

TEST(CheckRight, GridsInOneAndThreeDimensions) {
  for (const DMBoundaryType end : {DM_BOUNDARY_NONE, DM_BOUNDARY_PERIODIC}) {
    DmHandle line, cube;
    DAPTOR_EXPECT_OK(DMDACreate1d(world, end, 16, 1, 2, nullptr, line.out()));
    DAPTOR_EXPECT_OK(DMSetUp(line.get()));
    expect_nothing_about_all_of(line.get());
    DAPTOR_EXPECT_OK(DMDACreate3d(world, end, DM_BOUNDARY_NONE, end, DMDA_STENCIL_BOX, 4, 5, 6,
                                  PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, nullptr, nullptr,
                                  nullptr, cube.out()));
    DAPTOR_EXPECT_OK(DMSetUp(cube.get()));
    expect_nothing_about_all_of(cube.get());
  }
}

TEST(CheckRight, StaggeredGrids) {
  for (const DMBoundaryType end : {DM_BOUNDARY_NONE, DM_BOUNDARY_GHOSTED, DM_BOUNDARY_PERIODIC}) {
    DmHandle dm;
    DAPTOR_EXPECT_OK(DMStagCreate2d(world, end, DM_BOUNDARY_NONE, 6, 7, PETSC_DECIDE, PETSC_DECIDE,
                                    1, 1, 1, DMSTAG_STENCIL_BOX, 1, nullptr, nullptr, dm.out()));
    DAPTOR_EXPECT_OK(DMSetUp(dm.get()));
    expect_nothing_about_all_of(dm.get());
  }
}

/// A mesh with one value in each vertex, some of which are constrained.
TEST(CheckRight, Mesh) {
  DmHandle dm, distributed;
  const PetscInt faces[] = {3, 3};
#if PETSC_VERSION_GE(3, 22, 0)
  DAPTOR_EXPECT_OK(DMPlexCreateBoxMesh(world, 2, PETSC_FALSE, faces, nullptr, nullptr, nullptr,
                                       PETSC_TRUE, 0, PETSC_FALSE, dm.out()));
#else
  DAPTOR_EXPECT_OK(DMPlexCreateBoxMesh(world, 2, PETSC_FALSE, faces, nullptr, nullptr, nullptr,
                                       PETSC_TRUE, dm.out()));
#endif
  // The default of Debian's PETSc with 64-bit indices crashes.
  PetscPartitioner partitioner = nullptr;
  DAPTOR_EXPECT_OK(DMPlexGetPartitioner(dm.get(), &partitioner));
  DAPTOR_EXPECT_OK(PetscPartitionerSetType(partitioner, PETSCPARTITIONERSIMPLE));
  DAPTOR_EXPECT_OK(DMPlexDistribute(dm.get(), 0, nullptr, distributed.out()));
  if (distributed.get() != nullptr) dm = std::move(distributed);
  PetscSection section = nullptr;
  PetscInt start = 0, stop = 0, all = 0, behind = 0;
  DAPTOR_EXPECT_OK(DMPlexGetChart(dm.get(), &all, &behind));
  DAPTOR_EXPECT_OK(DMPlexGetDepthStratum(dm.get(), 0, &start, &stop));
  DAPTOR_EXPECT_OK(PetscSectionCreate(world, &section));
  DAPTOR_EXPECT_OK(PetscSectionSetChart(section, all, behind));
  for (PetscInt p = start; p < stop; ++p) DAPTOR_EXPECT_OK(PetscSectionSetDof(section, p, 1));
  DAPTOR_EXPECT_OK(PetscSectionSetUp(section));
  DAPTOR_EXPECT_OK(DMSetLocalSection(dm.get(), section));
  DAPTOR_EXPECT_OK(PetscSectionDestroy(&section));
  expect_nothing(dm.get());
  expect_nothing_about_all_of(dm.get());
}

TEST(CheckRight, CompositeOfPeriodicGrids) {
  DmHandle composite, line;
  DAPTOR_EXPECT_OK(DMDACreate1d(world, DM_BOUNDARY_PERIODIC, 8, 1, 1, nullptr, line.out()));
  DAPTOR_EXPECT_OK(DMSetUp(line.get()));
  DAPTOR_EXPECT_OK(DMCompositeCreate(world, composite.out()));
  DAPTOR_EXPECT_OK(DMCompositeAddDM(composite.get(), line.get()));
  DAPTOR_EXPECT_OK(DMCompositeAddDM(composite.get(), line.get()));
  DAPTOR_EXPECT_OK(DMSetUp(composite.get()));
  ISLocalToGlobalMapping mapping = nullptr;
  DAPTOR_EXPECT_OK(DMGetLocalToGlobalMapping(composite.get(), &mapping));
  expect_nothing(composite.get());
}

TEST(CheckRight, GhostedVecs) {
  std::vector<PetscInt> ghosts;
  if (size_of() > 1)
    ghosts = {5 * ((rank_of() + 1) % size_of()), 5 * ((rank_of() + 1) % size_of()) + 3};
  const VecHandle vec = ghosted(ghosts);
  norm_of(vec.get());
  expect_nothing(vec.get());
  VecHandle blocked;
  std::vector<PetscInt> blocks;
  if (size_of() > 1) blocks = {2 * ((rank_of() + 1) % size_of())};
  DAPTOR_EXPECT_OK(VecCreateGhostBlock(world, 3, 6, PETSC_DETERMINE,
                                       static_cast<PetscInt>(blocks.size()), blocks.data(),
                                       blocked.out()));
  DAPTOR_EXPECT_OK(VecSet(blocked.get(), 2));
  norm_of(blocked.get());
  expect_nothing(blocked.get());
}

TEST(CheckRight, Subdomains) {
  MatHandle mat;
  const PetscInt size = 4 * size_of() + 1;
  std::vector<PetscInt> nodes(5);
  std::iota(nodes.begin(), nodes.end(), 4 * rank_of());
  const MappingHandle mapping = mapping_of(nodes, 1);
  DAPTOR_EXPECT_OK(MatCreateIS(world, 1, PETSC_DECIDE, PETSC_DECIDE, size, size, mapping.get(),
                               mapping.get(), mat.out()));
  DAPTOR_EXPECT_OK(MatISSetPreallocation(mat.get(), 1, nullptr, 1, nullptr));
  for (PetscInt i = 0; i < 5; ++i)
    DAPTOR_EXPECT_OK(MatSetValueLocal(mat.get(), i, i, 1, ADD_VALUES));
  DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  expect_nothing(mat.get());
}

TEST(CheckRight, Matrices) {
  const MatHandle mat = laplacian();
  expect_nothing(mat.get());
  MatHandle transposed, product;
  DAPTOR_EXPECT_OK(MatSetOption(mat.get(), MAT_SYMMETRIC, PETSC_TRUE));
  for (const char* type : {MATBAIJ, MATSBAIJ, MATDENSE, MATSELL}) {
    SCOPED_TRACE(type);
    MatHandle other;
    DAPTOR_EXPECT_OK(MatConvert(mat.get(), type, MAT_INITIAL_MATRIX, other.out()));
    expect_nothing(other.get());
  }
  DAPTOR_EXPECT_OK(MatTranspose(mat.get(), MAT_INITIAL_MATRIX, transposed.out()));
  expect_nothing(transposed.get());
  DAPTOR_EXPECT_OK(
      MatMatMult(mat.get(), mat.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()));
  expect_nothing(product.get());
  const MatHandle rectangle = [] {
    MatHandle made;
    DAPTOR_EXPECT_OK(MatCreateAIJ(world, 5, 3, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 1,
                                  nullptr, made.out()));
    DAPTOR_EXPECT_OK(MatAssemblyBegin(made.get(), MAT_FINAL_ASSEMBLY));
    DAPTOR_EXPECT_OK(MatAssemblyEnd(made.get(), MAT_FINAL_ASSEMBLY));
    return made;
  }();
  expect_nothing(rectangle.get());
  MatHandle unfinished;
  DAPTOR_EXPECT_OK(MatCreate(world, unfinished.out()));
  expect_nothing(unfinished.get());
}

TEST(CheckRight, NullSpaceOfTheNeumannProblem) {
  const MatHandle mat = laplacian();
  const PetscInt last = 5 * size_of() - 1;
  if (rank_of() == 0) {
    DAPTOR_EXPECT_OK(MatSetValue(mat.get(), 0, 0, 1, INSERT_VALUES));
  }
  if (rank_of() == size_of() - 1) {
    DAPTOR_EXPECT_OK(MatSetValue(mat.get(), last, last, 1, INSERT_VALUES));
  }
  DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  const SpaceHandle space = null_space({}, true);
  DAPTOR_EXPECT_OK(MatSetNullSpace(mat.get(), space.get()));
  DAPTOR_EXPECT_OK(MatSetNearNullSpace(mat.get(), space.get()));
  expect_nothing(mat.get());
  // The right-hand side is not in the range of the matrix, and PETSc knows what to remove of it.
  DAPTOR_EXPECT_OK(MatSetOption(mat.get(), MAT_SYMMETRIC, PETSC_TRUE));
  const KspHandle ksp = solver(mat.get(), KSPCG, PCJACOBI);
  const VecHandle b = five_each(), x = five_each();
  write(b.get(), 0, 0, 9);
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
  expect_nothing(ksp.get());
}

/// Expects nothing about a solver but that its last solve has diverged, if it has.
void expect_at_most_divergence(KSP ksp) {
  KSPConvergedReason reason{};
  DAPTOR_EXPECT_OK(KSPGetConvergedReason(ksp, &reason));
  if (reason < 0)
    expect_found("check.ksp.diverged", ksp, std::nullopt, daptor::Severity::warning);
  else
    expect_nothing(ksp);
}

TEST(CheckRight, Solvers) {
  const MatHandle mat = laplacian();
  const VecHandle b = five_each(), x = five_each();
  for (const char* type : {KSPCG, KSPGMRES, KSPBCGS, KSPPREONLY, KSPLSQR, KSPMINRES, KSPRICHARDSON})
    for (const char* preconditioner : {PCJACOBI, PCBJACOBI, PCNONE}) {
      SCOPED_TRACE(std::string(type) + " with " + preconditioner);
      const KspHandle ksp = solver(mat.get(), type, preconditioner);
      expect_nothing(ksp.get());
      DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
      expect_at_most_divergence(ksp.get());
      DAPTOR_EXPECT_OK(KSPSolveTranspose(ksp.get(), b.get(), x.get()));
      expect_at_most_divergence(ksp.get());
    }
}

/// Least squares, with the matrix of the normal equations for the preconditioner.
TEST(CheckRight, LeastSquares) {
  MatHandle mat, normal;
  DAPTOR_EXPECT_OK(MatCreateAIJ(world, 5, 2, PETSC_DETERMINE, PETSC_DETERMINE, 2, nullptr, 2,
                                nullptr, mat.out()));
  for (PetscInt i = 0; i < 5; ++i)
    DAPTOR_EXPECT_OK(MatSetValue(mat.get(), 5 * rank_of() + i, 2 * rank_of() + i % 2,
                                 static_cast<PetscScalar>(i + 1), INSERT_VALUES));
  DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(
      MatTransposeMatMult(mat.get(), mat.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, normal.out()));
  const KspHandle ksp = solver(mat.get(), KSPLSQR, PCJACOBI);
  DAPTOR_EXPECT_OK(KSPSetOperators(ksp.get(), mat.get(), normal.get()));
  const VecHandle b = vec_of(5), x = vec_of(2);
  DAPTOR_EXPECT_OK(VecSet(b.get(), 1));
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
  expect_nothing(ksp.get());

  const MatHandle of_rows = diagonal(5);
  const KspHandle transposed = solver(mat.get(), KSPLSQR, PCNONE);
  DAPTOR_EXPECT_OK(KSPSetOperators(transposed.get(), mat.get(), of_rows.get()));
  DAPTOR_EXPECT_OK(KSPSolveTranspose(transposed.get(), x.get(), b.get()));
  expect_nothing(transposed.get());
}

/// A matrix of matrices, and Vecs of Vecs.
TEST(CheckRight, Nested) {
  const MatHandle one = laplacian(), other = laplacian();
  Mat blocks[]{one.get(), nullptr, nullptr, other.get()};
  MatHandle mat;
  DAPTOR_EXPECT_OK(MatCreateNest(world, 2, nullptr, 2, nullptr, blocks, mat.out()));
  VecHandle x, b;
  DAPTOR_EXPECT_OK(MatCreateVecs(mat.get(), x.out(), b.out()));
  DAPTOR_EXPECT_OK(VecSet(b.get(), 1));
  expect_nothing(mat.get());
  expect_nothing(b.get());
  for (const char* type : {KSPMINRES, KSPGMRES}) {
    const KspHandle ksp = solver(mat.get(), type, PCNONE);
    DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
    expect_nothing(ksp.get());
  }
}

/// A ring of elements, each rank with those before and behind its own, of which PETSc does not
/// know.
TEST(CheckRight, PeriodicGridOfAProgram) {
  std::vector<PetscInt> ring = owned_indices();
  const PetscInt all = 5 * size_of();
  ring.insert(ring.begin(), (ring.front() + all - 1) % all);
  ring.push_back((ring.back() + 1) % all);
  const MatHandle mat = laplacian();
  const MappingHandle mapping = mapping_of(ring, 1);
  DAPTOR_EXPECT_OK(MatSetLocalToGlobalMapping(mat.get(), mapping.get(), mapping.get()));
  EXPECT_TRUE(daptor::petsc::check(mat.get())) << daptor::petsc::check(mat.get());
  VecHandle right;
  DAPTOR_EXPECT_OK(MatCreateVecs(mat.get(), right.out(), nullptr));
  expect_nothing(right.get());
}

TEST(CheckRight, IndexSets) {
  const VecHandle vec = five_each();
  const MatHandle mat = laplacian();
  const PetscInt first = 5 * rank_of();
  IsHandle stride, blocks, reversed;
  const PetscInt numbers[]{2 * rank_of() + 1, 2 * rank_of()};
  DAPTOR_EXPECT_OK(ISCreateStride(world, 3, first, 2, stride.out()));
  DAPTOR_EXPECT_OK(ISCreateBlock(world, 2, 2, numbers, PETSC_COPY_VALUES, blocks.out()));
  DAPTOR_EXPECT_OK(ISCreateStride(world, 5, first + 4, -1, reversed.out()));
  for (IS set : {stride.get(), blocks.get(), reversed.get()}) {
    expect_nothing(set);
    EXPECT_TRUE(daptor::petsc::check(set, vec.get()).findings().empty());
    EXPECT_TRUE(daptor::petsc::check(set, mat.get()).findings().empty());
  }
  // Subdomains that overlap, each a set of its rank.
  const IsHandle all = index_set({0, 1, 2});
  EXPECT_TRUE(daptor::petsc::check(all.get(), mat.get()).findings().empty());
  IsHandle permutation;
  const PetscInt order[]{2, 0, 1};
  DAPTOR_EXPECT_OK(
      ISCreateGeneral(PETSC_COMM_SELF, 3, order, PETSC_COPY_VALUES, permutation.out()));
  DAPTOR_EXPECT_OK(ISSetPermutation(permutation.get()));
  expect_nothing(permutation.get());
}

PetscErrorCode at_once(KSP, PetscInt, PetscReal, KSPConvergedReason* reason, void*) {
  *reason = KSP_CONVERGED_RTOL;
  return PetscErrorCode{};
}

// Residuals that are large beside the right-hand side, with which PETSc does not compare them.
TEST(CheckRight, SolversWithOtherMeasures) {
  const MatHandle mat = laplacian();
  const VecHandle b = five_each(), x = five_each();
  const KspHandle early = solver(mat.get(), KSPCG, PCJACOBI);
  DAPTOR_EXPECT_OK(KSPSetConvergenceTest(early.get(), at_once, nullptr, nullptr));
  DAPTOR_EXPECT_OK(KSPSolve(early.get(), b.get(), x.get()));
  expect_nothing(early.get());
  const KspHandle from_guess = solver(mat.get(), KSPRICHARDSON, PCJACOBI);
  DAPTOR_EXPECT_OK(KSPSetInitialGuessNonzero(from_guess.get(), PETSC_TRUE));
  DAPTOR_EXPECT_OK(KSPSetTolerances(from_guess.get(), 0.1, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  for (const double rhs : {0.0, 1.0}) {
    SCOPED_TRACE("right-hand side " + std::to_string(rhs));
    DAPTOR_EXPECT_OK(VecSet(b.get(), rhs));
    DAPTOR_EXPECT_OK(VecSet(x.get(), 1e6));
    DAPTOR_EXPECT_OK(KSPSolve(from_guess.get(), b.get(), x.get()));
    KSPConvergedReason reason{};
    DAPTOR_EXPECT_OK(KSPGetConvergedReason(from_guess.get(), &reason));
    EXPECT_EQ(reason, KSP_CONVERGED_RTOL);
    expect_nothing(from_guess.get());
    DAPTOR_EXPECT_OK(KSPConvergedDefaultSetUIRNorm(from_guess.get()));
  }
}

TEST(CheckRight, Scatters) {
  const VecHandle vec = five_each();
  VecHandle all, zero;
  ScatterHandle to_all, to_zero;
  DAPTOR_EXPECT_OK(VecScatterCreateToAll(vec.get(), to_all.out(), all.out()));
  DAPTOR_EXPECT_OK(VecScatterCreateToZero(vec.get(), to_zero.out(), zero.out()));
  expect_nothing(to_all.get());
  expect_nothing(to_zero.get());
  const VecHandle two(local_vec(2));
  // The same value twice, and each in two places.
  const ScatterHandle spread = scatter_of(vec.get(), {1, 1}, two.get(), {0, 1});
  const ScatterHandle again = scatter_of(vec.get(), {1, 1}, two.get(), {0, 0});
  expect_nothing(spread.get());
  expect_nothing(again.get());
  const VecHandle other = five_each();
  const ScatterHandle across = scatter_of(vec.get(), owned_indices(), other.get(), owned_indices());
  expect_nothing(across.get());
}

TEST(CheckRight, OnOtherCommunicators) {
  const VecHandle vec(local_vec(3));
  expect_nothing(vec.get());
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(world, rank_of() % 2, 0, &half);
  VecHandle split;
  DAPTOR_EXPECT_OK(VecCreateMPI(half, 2, PETSC_DETERMINE, split.out()));
  DAPTOR_EXPECT_OK(VecSet(split.get(), 1));
  expect_nothing(split.get());
  MPI_Comm_free(&half);
}

}  // namespace
