// SPDX-License-Identifier: BSD-3-Clause
// What a program can ask check() and ValueWatch for; that -daptor_check finds the same is in
// tests/doctor/rules.c.

#include <petsc/private/petscimpl.h>
#include <petscdmplex.h>

#include "checked.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::check;
using daptor::petsc::ValueWatch;

/// The entries of this rank's block of the diagonal.
PetscScalar* own_entries(Mat mat) {
  Mat own = mat;
  if (size_of() > 1) {
    DAPTOR_EXPECT_OK(MatMPIAIJGetSeqAIJ(mat, &own, nullptr, nullptr));
  }
  PetscScalar* entries = nullptr;
  DAPTOR_EXPECT_OK(MatSeqAIJGetArray(own, &entries));
  PetscScalar* const kept = entries;
  DAPTOR_EXPECT_OK(MatSeqAIJRestoreArray(own, &entries));
  return kept;
}

TEST(CheckRules, EntriesWrittenBehindPetscsBack) {
  on_each_rank([](int culprit) {
    const MatHandle mat = laplacian();
    PetscScalar* const kept = own_entries(mat.get());
    ValueWatch watch(mat.get());
    EXPECT_TRUE(watch.look().findings().empty());
    if (rank_of() == culprit) kept[1] = 7;
    expect_report("check.mat.unnoticed-write", watch.look(), culprit);
    EXPECT_TRUE(watch.look().findings().empty());
    DAPTOR_EXPECT_OK(MatScale(mat.get(), 2));
    EXPECT_TRUE(watch.look().findings().empty());
  });
}

TEST(CheckRules, ValuesThatWaitForAnAssembly) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    values(vec.get());  // PETSc forgets the norm on all ranks
    if (rank_of() == culprit) {
      DAPTOR_EXPECT_OK(VecSetValue(vec.get(), 5 * ((culprit + 1) % size_of()) + 2, 1, ADD_VALUES));
    }
    expect_found("check.vec.unassembled", vec.get(), culprit);
    DAPTOR_EXPECT_OK(VecAssemblyBegin(vec.get()));
    DAPTOR_EXPECT_OK(VecAssemblyEnd(vec.get()));
    expect_nothing(vec.get());
  });
}

TEST(CheckRules, RanksThatAddAndInsert) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    values(vec.get());
    const InsertMode mode = rank_of() == culprit ? ADD_VALUES : INSERT_VALUES;
    DAPTOR_EXPECT_OK(VecSetValue(vec.get(), 5 * rank_of(), 1, mode));
    expect_found("check.vec.add-and-insert", vec.get(), culprit);
    const MatHandle mat = laplacian();
    DAPTOR_EXPECT_OK(MatSetValue(mat.get(), 5 * rank_of(), 5 * rank_of(), 1, mode));
    expect_found("check.mat.add-and-insert", mat.get(), culprit);
    // Without values for other ranks, each may have its own mode.
    DAPTOR_EXPECT_OK(MatSetOption(mat.get(), MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
    expect_nothing(mat.get());
    DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
    DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  });
}

TEST(CheckRules, NestedVecsKeepTheirState) {
  const VecHandle one = five_each(), other = five_each();
  Vec parts[] = {one.get(), other.get()};
  VecHandle nest;
  DAPTOR_EXPECT_OK(VecCreateNest(world, 2, nullptr, parts, nest.out()));
  PetscReal norm = 0;
  PetscObjectState before = 0, after = 0;
  DAPTOR_EXPECT_OK(VecNorm(nest.get(), NORM_2, &norm));
  DAPTOR_EXPECT_OK(PetscObjectStateGet(reinterpret_cast<PetscObject>(nest.get()), &before));
  expect_nothing(nest.get());
  DAPTOR_EXPECT_OK(PetscObjectStateGet(reinterpret_cast<PetscObject>(nest.get()), &after));
  EXPECT_EQ(before, after);
  on_each_rank([&](int culprit) {
    write(other.get(), culprit, 3, 9);
    expect_found("check.vec.stale-norm", nest.get(), std::nullopt);
    DAPTOR_EXPECT_OK(PetscObjectStateIncrease(reinterpret_cast<PetscObject>(nest.get())));
    expect_nothing(nest.get());
    write(other.get(), culprit, 3, std::numeric_limits<PetscReal>::quiet_NaN());
    const daptor::Finding finding = expect_found("check.vec.not-finite", nest.get(), culprit);
    EXPECT_NE(finding.found.str().find("block 1: NaN at index"), std::string::npos) << finding;
    write(other.get(), culprit, 3, 1);
    DAPTOR_EXPECT_OK(VecNorm(nest.get(), NORM_2, &norm));
  });
}

TEST(CheckRules, BlocksOfANestedMatrix) {
  on_each_rank([](int culprit) {
    const MatHandle one = laplacian(), other = diagonal(5);
    Mat blocks[] = {one.get(), nullptr, nullptr, other.get()};
    MatHandle nest;
    DAPTOR_EXPECT_OK(MatCreateNest(world, 2, nullptr, 2, nullptr, blocks, nest.out()));
    expect_nothing(nest.get());
    auto indices = owned_indices();
    if (rank_of() == culprit) indices.push_back(5 * size_of());
    const MappingHandle mapping = mapping_of(indices, 1);
    DAPTOR_EXPECT_OK(MatSetLocalToGlobalMapping(one.get(), mapping.get(), mapping.get()));
    const daptor::Report report = check(nest.get());
    ASSERT_TRUE(report.has("check.mapping.range")) << report;
    EXPECT_NE(report.findings().front().found.str().find("; it is block (0, 0) of Mat"),
              std::string::npos)
        << report;
  });
}

TEST(CheckRules, NullVectorsThatAreNotOrthonormal) {
  const MatHandle mat = laplacian();
  const VecHandle ones = five_each();
  const SpaceHandle longer = null_space({ones.get()}, false);
  DAPTOR_EXPECT_OK(MatSetTransposeNullSpace(mat.get(), longer.get()));
  expect_found("check.mat.null-vectors", mat.get(), std::nullopt);
  DAPTOR_EXPECT_OK(VecNormalize(ones.get(), nullptr));
  expect_nothing(mat.get());
}

TEST(CheckRules, SymmetryThatIsNone) {
  on_each_rank([](int culprit) {
    const MatHandle mat = laplacian(
        [&](PetscInt row, PetscInt column) { return row == 5 * culprit + 2 && column == row + 1; });
    expect_nothing(mat.get());
    DAPTOR_EXPECT_OK(MatSetOption(mat.get(), MAT_SYMMETRIC, PETSC_TRUE));
    expect_found("check.mat.told-symmetric", mat.get(), std::nullopt);
    const MatHandle right = laplacian();
    DAPTOR_EXPECT_OK(MatSetOption(right.get(), MAT_SPD, PETSC_TRUE));
    expect_nothing(right.get());
    DAPTOR_EXPECT_OK(MatScale(right.get(), -1));
    DAPTOR_EXPECT_OK(MatSetOption(right.get(), MAT_SPD, PETSC_TRUE));
    expect_found("check.mat.told-positive", right.get(), std::nullopt);
  });
}

TEST(CheckRules, ASolveThatHasDiverged) {
  const MatHandle mat = laplacian();
  const KspHandle ksp = solver(mat.get(), KSPCG, PCNONE);
  const VecHandle x = five_each(), b = five_each();
  DAPTOR_EXPECT_OK(KSPSetTolerances(ksp.get(), 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 1));
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
  expect_found("check.ksp.diverged", ksp.get(), std::nullopt, daptor::Severity::warning);
}

/// A mesh with one value in each vertex.
DmHandle mesh() {
  DmHandle dm, spread;
  const PetscInt faces[] = {4, 4};
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
  DAPTOR_EXPECT_OK(DMPlexDistribute(dm.get(), 0, nullptr, spread.out()));
  if (spread.get() != nullptr) dm = std::move(spread);
  PetscSection section = nullptr;
  PetscInt first = 0, last = 0;
  DAPTOR_EXPECT_OK(PetscSectionCreate(world, &section));
  DAPTOR_EXPECT_OK(DMPlexGetDepthStratum(dm.get(), 0, &first, &last));
  DAPTOR_EXPECT_OK(PetscSectionSetChart(section, first, last));
  for (PetscInt point = first; point < last; ++point)
    DAPTOR_EXPECT_OK(PetscSectionSetDof(section, point, 1));
  DAPTOR_EXPECT_OK(PetscSectionSetUp(section));
  DAPTOR_EXPECT_OK(DMSetLocalSection(dm.get(), section));
  DAPTOR_EXPECT_OK(PetscSectionDestroy(&section));
  return dm;
}

TEST(CheckRules, VecsOfAnotherMesh) {
  const DmHandle dm = mesh();
  VecHandle global, local;
  DAPTOR_EXPECT_OK(DMCreateGlobalVector(dm.get(), global.out()));
  DAPTOR_EXPECT_OK(DMCreateLocalVector(dm.get(), local.out()));
  EXPECT_TRUE(check(dm.get(), global.get(), local.get()).findings().empty());
  PetscInt count = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(global.get(), &count));
  on_each_rank([&](int culprit) {
    const VecHandle other = vec_of(count + (rank_of() == culprit ? 1 : 0));
    expect_report("check.dm.vec", check(dm.get(), other.get(), local.get()), culprit);
  });
}

}  // namespace
