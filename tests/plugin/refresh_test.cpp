// SPDX-License-Identifier: BSD-3-Clause
// Preconditioners whose matrix gets other values, against new ones.

#include <cmath>
#include <string>

#include "support.hpp"

namespace daptor::test {
namespace {

constexpr PetscInt points = 20;  // along each side of a grid

/// Diffusion through a medium whose coefficients vary by the factor 1 + `contrast`.
OwnMat diffusion(double contrast) {
  const PetscInt all = points * points;
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, all, all, 5, nullptr, 4, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt row = first; row < last; ++row) {
    double diagonal = 0.1;
    const auto couple = [&](PetscInt other) {
      const double between =
          1 + contrast * std::abs(std::sin(3.0 * static_cast<double>(row + other)));
      MatSetValue(a, row, other, -between, INSERT_VALUES);
      diagonal += between;
    };
    if (row >= points) couple(row - points);
    if (row % points > 0) couple(row - 1);
    if (row % points < points - 1) couple(row + 1);
    if (row < all - points) couple(row + points);
    MatSetValue(a, row, row, diagonal, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// How far the results of two preconditioners are apart, relative to one of them.
double difference(KSP one, KSP other, Mat a) {
  const Vectors vectors = vectors_of(a);
  OwnVec second;
  VecDuplicate(vectors.left, second.address());
  DAPTOR_EXPECT_OK(PCApply(pc_of(one), vectors.right, vectors.left));
  DAPTOR_EXPECT_OK(PCApply(pc_of(other), vectors.right, second));
  PetscReal norm = 0;
  VecNorm(second, NORM_INFINITY, &norm);
  return distance(vectors.left, second) / norm;
}

struct Case {
  const char* type;
  const char* options;
};

constexpr char schwarz_smoother[] =
    " -pc_muelu_coarse_size 20 -pc_muelu_algorithm unsmoothed -pc_muelu_smoother SCHWARZ "
    "-pc_muelu_set \"smoother: params/schwarz: overlap level=1\"";

TEST(Refresh, GivesWhatANewPreconditionerIs) {
  int number = 0;
  for (const auto& [type, options] :
       {Case{"ifpack2", "-pc_ifpack2_type RILUK"}, Case{"ifpack2", "-pc_ifpack2_type ILUT"},
        Case{"ifpack2",
             "-pc_ifpack2_type RELAXATION -pc_ifpack2_relaxation \"Symmetric Gauss-Seidel\""},
        Case{"ifpack2", "-pc_ifpack2_type DIAGONAL"},
        Case{"ifpack2", "-pc_ifpack2_type SCHWARZ -pc_ifpack2_overlap 1"},
        Case{"ifpack2", "-pc_ifpack2_type RILUK -pc_ifpack2_overlap 1"},
        Case{"ifpack2", "-pc_ifpack2_type AMESOS2"},
        Case{"ifpack2",
             "-pc_ifpack2_type BLOCK_RELAXATION -pc_ifpack2_set \"partitioner: "
             "type=linear; partitioner: local parts=5\""},
        Case{"muelu", schwarz_smoother}, Case{"muelu", "-pc_muelu_reuse S"},
        Case{"muelu", "-pc_muelu_reuse tP"}, Case{"muelu", "-pc_muelu_reuse RP"},
        Case{"muelu", "-pc_muelu_reuse S -pc_muelu_threshold 0.1"}}) {
    std::string all = options;
    if (all.find("reuse") != std::string::npos)
      all += all.find("threshold") == std::string::npos ? schwarz_smoother
                                                        : " -pc_muelu_coarse_size 20";
    SCOPED_TRACE(all);
    const WithOptions with(all.c_str());
    const OwnMat a = diffusion(0.3);
    const OwnKsp ksp = ksp_of(a, type);
    DAPTOR_EXPECT_OK(KSPSetUp(ksp));
    const OwnMat next = diffusion(5);
    MatCopy(next, a, SAME_NONZERO_PATTERN);
    DAPTOR_EXPECT_OK(KSPSetUp(ksp));
    const OwnKsp fresh = ksp_of(a, type);
    DAPTOR_EXPECT_OK(KSPSetUp(fresh));
    EXPECT_LT(difference(ksp, fresh, a), 1e-12);
    if (!tried(number++, 4)) continue;
    const OwnMat old = diffusion(0.3);
    const OwnKsp before = ksp_of(old, type);
    DAPTOR_EXPECT_OK(KSPSetUp(before));
    EXPECT_GT(difference(ksp, before, a), 1e-3) << "the values matter";
  }
}

/// What is kept may be less good, but solves the new problem and no other.
TEST(Refresh, KeptPartsSolveTheNewProblem) {
  int number = 0;
  for (const char* reuse : {"none", "tP", "emin", "S", "RP", "RAP", "full"}) {
    if (!tried(number++, 3)) continue;
    SCOPED_TRACE(reuse);
    const WithOptions with(
        (std::string("-pc_muelu_coarse_size 20 -pc_muelu_reuse ") + reuse).c_str());
    const OwnMat a = diffusion(0.3);
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_solved(ksp, 30);
    for (const double factor : {10.0, 0.01}) {
      MatScale(a, factor);
      MatShift(a, 0.1 * factor);
      expect_solved(ksp, 100);
    }
  }
}

/// With `full` the preconditioner is the one of the first values, whatever the values are now.
TEST(Refresh, FullKeepsAllOfTheHierarchy) {
  const WithOptions with("-pc_muelu_coarse_size 20 -pc_muelu_reuse full");
  const OwnMat a = diffusion(0.3);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  const OwnMat next = diffusion(5);
  MatCopy(next, a, SAME_NONZERO_PATTERN);
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  const OwnMat old = diffusion(0.3);
  const OwnKsp before = ksp_of(old, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(before));
  EXPECT_LT(difference(ksp, before, a), 1e-12);
}

/// (M x, y) against (x, M' y), relative to their size.
double mismatch_of_transpose(PC pc, Mat a) {
  const Vectors vectors = vectors_of(a);
  OwnVec applied, transposed;
  VecDuplicate(vectors.right, applied.address());
  VecDuplicate(vectors.right, transposed.address());
  VecPointwiseMult(vectors.left, vectors.right, vectors.right);
  DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, applied));
  DAPTOR_EXPECT_OK(PCApplyTranspose(pc, vectors.left, transposed));
  PetscScalar one = 0;
  PetscScalar other = 0;
  VecDot(applied, vectors.left, &one);
  VecDot(transposed, vectors.right, &other);
  return PetscAbsScalar(one - other) / PetscAbsScalar(one);
}

TEST(Refresh, TransposesAreRightOrRefused) {
  for (const bool symmetric : {false, true})
    for (const char* options : {"ILUT", "RELAXATION", "CHEBYSHEV -pc_ifpack2_degree 3",
                                "RELAXATION -pc_ifpack2_relaxation \"Symmetric Gauss-Seidel\"",
                                "RELAXATION -pc_ifpack2_relaxation Gauss-Seidel"}) {
      SCOPED_TRACE(options);
      const std::string type = options;
      const WithOptions with(("-pc_ifpack2_type " + type).c_str());
      const OwnMat a = diffusion(2);
      if (!symmetric) {
        OwnVec factors;
        MatCreateVecs(a, factors.address(), nullptr);
        fill(factors);
        VecShift(factors, 5.0);
        MatDiagonalScale(a, factors, nullptr);
      }
      MatSetOption(a, MAT_SYMMETRIC, symmetric ? PETSC_TRUE : PETSC_FALSE);
      const OwnKsp ksp = ksp_of(a, "ifpack2");
      DAPTOR_EXPECT_OK(KSPSetUp(ksp));
      const bool always = type == "ILUT" || type == "RELAXATION";
      const bool itself =
          type.find("CHEBYSHEV") == 0 || type.find("Symmetric") != std::string::npos;
      if (always || (symmetric && itself)) {
        EXPECT_LT(mismatch_of_transpose(pc_of(ksp), a), 1e-12);
      } else {
        const Vectors vectors = vectors_of(a);
        const Reported reported;
        EXPECT_EQ(static_cast<int>(PCApplyTranspose(pc_of(ksp), vectors.left, vectors.right)),
                  static_cast<int>(PETSC_ERR_SUP));
        EXPECT_TRUE(reported.says("transpose")) << reported.text();
      }
    }
}

}  // namespace
}  // namespace daptor::test
