// SPDX-License-Identifier: BSD-3-Clause
// PETSc's own multigrid uses MueLu's hierarchy.

#include "support.hpp"

namespace daptor::test {
namespace {

void free_grids(PetscInt levels, Mat* array) {
  for (PetscInt k = 0; k + 1 < levels; ++k) MatDestroy(&array[k]);
  static_cast<void>(PetscFree(array));
}

/// A PC's answers to the two queries of PETSc's hybrid multigrid; this object owns the arrays.
struct Answer {
  explicit Answer(PC pc) {
    PetscInt again = 0;
    DAPTOR_EXPECT_OK(PCGetInterpolations(pc, &levels, &interpolations));
    DAPTOR_EXPECT_OK(PCGetCoarseOperators(pc, &again, &operators));
    EXPECT_EQ(again, levels);
  }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() {
    for (Mat* array : {interpolations, operators}) free_grids(levels, array);
  }
  PetscInt levels = 0;
  Mat* interpolations = nullptr;
  Mat* operators = nullptr;
};

/// Each coarse matrix is the product of the transposed interpolation, the finer matrix and the
/// interpolation.
void expect_galerkin(const Answer& answer, Mat finest) {
  for (PetscInt k = 0; k + 1 < answer.levels; ++k) {
    Mat const finer = k + 2 == answer.levels ? finest : answer.operators[k + 1];
    OwnMat product;
    DAPTOR_EXPECT_OK(
        MatPtAP(finer, answer.interpolations[k], MAT_INITIAL_MATRIX, 2.0, product.address()));
    PetscReal size = 0;
    PetscReal difference = 0;
    MatNorm(product, NORM_FROBENIUS, &size);
    DAPTOR_EXPECT_OK(MatAXPY(product, -1.0, answer.operators[k], DIFFERENT_NONZERO_PATTERN));
    MatNorm(product, NORM_FROBENIUS, &difference);
    EXPECT_GT(size, 0);
    EXPECT_LT(difference, 1e-12 * size) << "level " << k << " of " << answer.levels;
  }
}

constexpr const char* small = "-pc_muelu_coarse_size 20";
constexpr const char* moving =
    "-pc_muelu_coarse_size 20 -pc_muelu_repartition true "
    "-pc_muelu_set \"repartition: min rows per proc=150; repartition: target rows per proc=150\"";

TEST(Grids, AreMueLusOwn) {
  for (const char* options : {small, moving}) {
    const WithOptions with(options);
    const OwnMat a = laplacian(60);
    const OwnKsp ksp = ksp_of(a, "muelu");
    DAPTOR_EXPECT_OK(KSPSetUp(ksp));
    const Answer answer(pc_of(ksp));
    EXPECT_GE(answer.levels, 3);
    expect_galerkin(answer, a);
  }
}

TEST(Grids, OfUnevenRows) {
  Counts rows(static_cast<std::size_t>(world_size()), 0);
  PetscInt left = 60 * 60;
  for (std::size_t r = 0; r + 1 < rows.size(); r += 2)
    left -= rows[r] = 100 + 7 * static_cast<PetscInt>(r);
  rows.back() += left;
  for (const char* options : {small, moving}) {
    const WithOptions with(options);
    const OwnMat a = laplacian(60, rows);
    const OwnKsp ksp = ksp_of(a, "muelu");
    DAPTOR_EXPECT_OK(KSPSetUp(ksp));
    expect_galerkin(Answer(pc_of(ksp)), a);
  }
}

/// Two unknowns at each point of an n by n grid, which are not coupled.
OwnMat two_unknowns(PetscInt n) {
  const PetscInt points = n * n;
  const PetscInt mine = points / world_size() + (world_rank() < points % world_size() ? 1 : 0);
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 2 * mine, 2 * mine, PETSC_DETERMINE, PETSC_DETERMINE, 5, nullptr,
               4, nullptr, a.address());
  MatSetBlockSize(a, 2);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt row = first; row < last; ++row) {
    MatSetValue(a, row, row, 4.0, INSERT_VALUES);
    for (const PetscInt column : {row - 2 * n, row - 2, row + 2, row + 2 * n})
      if (column >= 0 && column < 2 * points) MatSetValue(a, row, column, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

TEST(Grids, HaveABlockSizeOnRanksWithoutRowsToo) {
  const WithOptions with(moving);
  const OwnMat a = two_unknowns(40);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  const Answer answer(pc_of(ksp));
  ASSERT_GE(answer.levels, 3);
  PetscInt rows = 0;
  MatGetLocalSize(answer.operators[0], &rows, nullptr);
  if (world_size() > 1) {
    EXPECT_EQ(least(rows), 0);
  }
  for (PetscInt k = 0; k + 1 < answer.levels; ++k)
    for (Mat mat : {answer.operators[k], answer.interpolations[k]}) {
      PetscInt of_rows = 0;
      PetscInt of_columns = 0;
      MatGetBlockSizes(mat, &of_rows, &of_columns);
      EXPECT_EQ(of_rows, 2) << "level " << k;
      EXPECT_EQ(of_columns, 2) << "level " << k;
    }
  expect_galerkin(answer, a);
}

TEST(Grids, OutliveThePc) {
  const WithOptions with(small);
  const OwnMat a = laplacian(60);
  std::unique_ptr<Answer> answer;
  {
    const OwnKsp ksp = ksp_of(a, "muelu");
    DAPTOR_EXPECT_OK(KSPSetUp(ksp));
    answer = std::make_unique<Answer>(pc_of(ksp));
  }
  expect_galerkin(*answer, a);
}

TEST(Grids, OneLevelHasNone) {
  const OwnMat a = laplacian(15);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  EXPECT_EQ(Answer(pc_of(ksp)).levels, 1);
}

TEST(Grids, NeedASetUp) {
  const OwnMat a = laplacian(15);
  const OwnKsp ksp = ksp_of(a, "muelu");
  PetscInt levels = 0;
  Mat* matrices = nullptr;
  expect_refused("PCSetUp", [&] { return PCGetInterpolations(pc_of(ksp), &levels, &matrices); });
  expect_refused("PCSetUp", [&] { return PCGetCoarseOperators(pc_of(ksp), &levels, &matrices); });
}

TEST(Grids, AFaultOnOneRankIsAnErrorOnAll) {
  const WithOptions with(small);
  const OwnMat a = laplacian(40);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  for (const auto get : {PCGetInterpolations, PCGetCoarseOperators})
    expect_faults_refused([&] { return pc_of(ksp); },
                          [&](PC pc) {
                            PetscInt levels = 0;
                            Mat* matrices = nullptr;
                            const PetscErrorCode code = get(pc, &levels, &matrices);
                            if (static_cast<int>(code) == 0) free_grids(levels, matrices);
                            return code;
                          });
  expect_galerkin(Answer(pc_of(ksp)), a);
}

/// PETSc's cycles, smoothers and coarse solver work on MueLu's levels.
TEST(Grids, ServePetscsOwnMultigrid) {
  for (const char* options :
       {"",
        "-hmg_inner_pc_muelu_repartition true -hmg_inner_pc_muelu_set "
        "\"repartition: min rows per proc=150; repartition: target rows per proc=150\"",
        "-pc_mg_cycle_type w -mg_levels_ksp_type richardson -mg_levels_pc_type sor"}) {
    const WithOptions with(
        (std::string("-hmg_inner_pc_type muelu -hmg_inner_pc_muelu_coarse_size 20 ") + options)
            .c_str());
    const OwnMat a = laplacian(60);
    const OwnKsp ksp = ksp_of(a, "hmg");
    expect_solved(ksp, 12);
    // Changes the values.
    MatScale(a, 3.0);
    MatShift(a, 1.0);
    expect_solved(ksp, 12);
    PetscInt levels = 0;
    PCMGGetLevels(pc_of(ksp), &levels);
    EXPECT_GE(levels, 3);
  }
}

}  // namespace
}  // namespace daptor::test
