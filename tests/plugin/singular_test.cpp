// SPDX-License-Identifier: BSD-3-Clause
// Singular problems, which MueLu accepts without an option, as GAMG does.

#include "singular.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

const auto* const loaded = ::testing::AddGlobalTestEnvironment(new Loaded);

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

}  // namespace
}  // namespace daptor::test
