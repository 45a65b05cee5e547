// SPDX-License-Identifier: BSD-3-Clause
// What MueLu is given besides the matrix is looked at on all ranks before its set-up, which one
// rank alone could leave.

#include "support.hpp"

namespace daptor::test {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// A vector with 1 everywhere, except on one rank, whose elements are all `value`.
OwnVec ones_but(Mat a, double value, int rank) {
  OwnVec vec;
  MatCreateVecs(a, vec.address(), nullptr);
  PetscInt first = 0;
  PetscInt last = 0;
  VecGetOwnershipRange(vec, &first, &last);
  for (PetscInt i = first; i < last; ++i)
    VecSetValue(vec, i, rank == world_rank() ? value : 1.0 + 0.01 * static_cast<double>(i),
                INSERT_VALUES);
  VecAssemblyBegin(vec);
  VecAssemblyEnd(vec);
  return vec;
}

void attach(Mat a, Vec one, Vec other) {
  MatNullSpace space = nullptr;
  Vec vectors[] = {one, other};
  MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 2, vectors, &space);
  DAPTOR_EXPECT_OK(MatSetNearNullSpace(a, space));
  MatNullSpaceDestroy(&space);
}

/// Vectors that MatNullSpaceCreate takes: of length 1.
void normalize(Vec vec) {
  PetscReal norm = 0;
  VecNorm(vec, NORM_2, &norm);
  if (norm > 0) VecScale(vec, 1.0 / norm);
}

TEST(Inputs, aNearNullVectorThatIsZeroOnOneRankIsRefusedOnAll) {
  for (const char* options : {"-pc_muelu_coarse_size 100", ""})
    for (int rank = 0; rank < world_size(); ++rank) {
      const WithOptions with(options);
      const OwnMat a = laplacian(50);  // of which MueLu makes two levels
      const OwnVec good = ones_but(a, 0.0, -1);
      const OwnVec bad = ones_but(a, 0.0, rank);
      normalize(good);
      normalize(bad);
      attach(a, good, bad);
      const OwnKsp ksp = ksp_of(a, "muelu");
      const Reported reported;
      EXPECT_NE(static_cast<int>(KSPSetUp(ksp)), 0);
      for (const std::string& words :
           {std::string("matrix.near-null-space error, rank ") + std::to_string(rank),
            std::string("near-null vector 1, which is 0"), std::string("MatSetNearNullSpace")})
        EXPECT_TRUE(reported.says(words.c_str())) << words << " in " << reported.text();
    }
}

TEST(Inputs, aNearNullVectorThatNoLevelUsesIsAccepted) {
  const OwnMat a = laplacian(6);
  const OwnVec good = ones_but(a, 0.0, -1);
  const OwnVec bad = ones_but(a, 0.0, world_size() - 1);
  if (world_size() > 1) attach(a, good, bad);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
}

TEST(Inputs, whatIsNoNumberIsRefusedAndNamed) {
  for (int rank = 0; rank < world_size(); ++rank) {
    const OwnMat a = laplacian(40);
    const OwnVec good = ones_but(a, 0.0, -1);
    const OwnVec bad = ones_but(a, nan_value, rank);
    attach(a, good, bad);
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_refused("near-null vector 1, whose local element 0 is not a finite number",
                   [&] { return KSPSetUp(ksp); });

    const OwnMat b = laplacian(40);
    const OwnKsp other = ksp_of(b, "muelu");
    PC pc = nullptr;
    KSPGetPC(other, &pc);
    PetscInt nodes = 0;
    MatGetLocalSize(b, &nodes, nullptr);
    std::vector<PetscReal> places(static_cast<std::size_t>(2 * nodes), 0.5);
    if (rank == world_rank()) places[3] = nan_value;
    DAPTOR_EXPECT_OK(PCSetCoordinates(pc, 2, nodes, places.data()));
    expect_refused("coordinate 1, whose local element 1 is not a finite number",
                   [&] { return KSPSetUp(other); });
  }
}

/// Half of a rank's elements: MueLu itself finds it, and its words come with cause and remedy.
TEST(Inputs, whatMueLuItselfFindsComesWithCauseAndRemedy) {
  if (world_size() > 1) return;
  const WithOptions with("-pc_muelu_coarse_size 100");
  const OwnMat a = laplacian(40);
  const OwnVec good = ones_but(a, 0.0, -1);
  const OwnVec bad = ones_but(a, 0.0, -1);
  PetscScalar* values = nullptr;
  VecGetArray(bad, &values);
  std::fill(values, values + 800, 0.0);
  VecRestoreArray(bad, &values);
  normalize(good);
  normalize(bad);
  attach(a, good, bad);
  const OwnKsp ksp = ksp_of(a, "muelu");
  expect_refused("near-null vector is 0 in all rows of an aggregate",
                 [&] { return KSPSetUp(ksp); });
}

/// As PCs of KSPLSQR see it, whose second matrix is often the first.
TEST(Inputs, aMatrixThatIsNotSquareIsRefusedOnAll) {
  const PetscInt few = world_rank() == world_size() - 1 ? 1 : 0;
  const struct {
    PetscInt rows, columns;
    const char* words;
  } sizes[] = {{6, 4, " columns"}, {4, 6, " columns"}, {4 + few, 4, " columns"}};
  for (const auto& [rows, columns, words] : sizes)
    for (const char* const type : {"muelu", "ifpack2"}) {
      OwnMat a;
      MatCreateAIJ(PETSC_COMM_WORLD, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 1,
                   nullptr, a.address());
      MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
      MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
      OwnKsp ksp;
      KSPCreate(PETSC_COMM_WORLD, ksp.address());
      KSPSetOperators(ksp, a, a);
      KSPSetType(ksp, KSPLSQR);
      DAPTOR_EXPECT_OK(PCSetType(pc_of(ksp), type));
      const Reported reported;
      EXPECT_NE(static_cast<int>(PCSetUp(pc_of(ksp))), 0);
      EXPECT_TRUE(reported.says("matrix.square") && reported.says(words)) << reported.text();
    }
}

TEST(Inputs, aTypeThatDiffersIsRefusedOnAll) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(10);
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOperators(ksp, a, a);
  DAPTOR_EXPECT_OK(PCSetType(pc_of(ksp), world_rank() == 0 ? "muelu" : "ifpack2"));
  expect_refused("-pc_type", [&] { return PCSetUp(pc_of(ksp)); });
}

}  // namespace
}  // namespace daptor::test
