// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support.hpp"

namespace daptor::test {
namespace {

TEST(Plugin, solvesOnEveryNumberOfRanks) {
  const OwnMat a = laplacian(100);
  expect_solved(ksp_of(a, "muelu"), 9);
  expect_solved(ksp_of(a, "ifpack2", KSPGMRES), 300);
}

TEST(Plugin, solvesWithEmptyRanks) {
  Counts rows(static_cast<std::size_t>(world_size()), 0);
  rows.back() = 60 * 60;
  const OwnMat a = laplacian(60, rows);
  expect_solved(ksp_of(a, "muelu"), 10);
  expect_solved(ksp_of(a, "ifpack2", KSPGMRES), 300);
}

TEST(Plugin, severalAtOnce) {
  const OwnMat a = laplacian(60);
  const OwnMat b = laplacian(50);
  const OwnKsp first = ksp_of(a, "muelu");
  {
    const OwnKsp second = ksp_of(b, "muelu");
    const OwnKsp third = ksp_of(a, "ifpack2", KSPGMRES);
    expect_solved(first, 10);
    expect_solved(second, 10);
    expect_solved(third, 200);
  }
  expect_solved(first, 10);
}

/// Only some processes have a preconditioner of Trilinos, which must not wait for the others.
TEST(Plugin, worksOnPartOfTheProcesses) {
  MPI_Comm part = MPI_COMM_NULL;
  const bool chosen = world_rank() == 0 || world_rank() == 2;
  MPI_Comm_split(MPI_COMM_WORLD, chosen ? 0 : MPI_UNDEFINED, 0, &part);
  if (chosen) {
    OwnMat a;
    MatCreateAIJ(part, PETSC_DECIDE, PETSC_DECIDE, 5000, 5000, 3, nullptr, 2, nullptr, a.address());
    PetscInt first = 0;
    PetscInt last = 0;
    MatGetOwnershipRange(a, &first, &last);
    for (PetscInt r = first; r < last; ++r) {
      MatSetValue(a, r, r, 2.1, INSERT_VALUES);
      if (r > 0) MatSetValue(a, r, r - 1, -1.0, INSERT_VALUES);
      if (r + 1 < 5000) MatSetValue(a, r, r + 1, -1.0, INSERT_VALUES);
    }
    MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
    expect_solved(ksp_of(a, "muelu"), 10);
    expect_solved(ksp_of(a, "ifpack2"), 50);
  }
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

/// A hierarchy of one level, and RILUK of a diagonal matrix, are exact, so old values would show.
void expectNewValuesTaken(const char* type, const char* options, Mat a) {
  const WithOptions with(options);
  const OwnKsp ksp = ksp_of(a, type, KSPPREONLY);
  const std::vector<Point> of_a_copy = points_of([&] { solvers::copy_matrix(a); });
  const auto copied = [&](const std::function<void()>& call) {
    const std::vector<std::string> passed = passed_here(call);
    return std::any_of(passed.begin(), passed.end(), [&](const std::string& name) {
      return std::any_of(of_a_copy.begin(), of_a_copy.end(),
                         [&](const Point& point) { return point.name == name; });
    });
  };
  const auto expect_exact = [&] { EXPECT_LT(solve(ksp).error, 1e-11) << type << ' ' << options; };
  EXPECT_TRUE(copied(expect_exact));
  for (const double factor : {3.0, -0.25}) {
    MatScale(a, factor);
    MatShift(a, factor);
    EXPECT_FALSE(copied(expect_exact)) << "the pattern was copied again";
  }
}

OwnMat diagonal_matrix(PetscScalar odd) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r)
    MatSetValue(a, r, r, r == 1 ? odd : PetscScalar(2 + r), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

TEST(Plugin, onlyValuesAreRefreshedWhereOnlyTheyChange) {
  expectNewValuesTaken("muelu", "", laplacian(20));
  expectNewValuesTaken("ifpack2", "", diagonal_matrix(5.0));
  for (const char* reuse : {"S", "tP", "RP", "RAP"})
    expectNewValuesTaken("muelu", (std::string("-pc_muelu_reuse ") + reuse).c_str(), laplacian(20));
}

TEST(Plugin, keptInterpolationSolvesWithNewValues) {
  const WithOptions with("-pc_muelu_reuse RP");
  const OwnMat a = laplacian(100);
  const OwnKsp ksp = ksp_of(a, "muelu");
  expect_solved(ksp, 9);
  MatScale(a, 1000.0);
  MatShift(a, 1.0);
  expect_solved(ksp, 9);
}

TEST(Plugin, anotherPatternIsTakenAnew) {
  const OwnMat a = laplacian(20);
  const OwnMat b = scattered_matrix(Counts(static_cast<std::size_t>(world_size()), 20),
                                    Counts(static_cast<std::size_t>(world_size()), 20));
  MatShift(b, 30.0);
  const OwnKsp ksp = ksp_of(a, "muelu", KSPPREONLY);
  EXPECT_LT(solve(ksp).error, 1e-11);
  KSPReset(ksp);
  KSPSetOperators(ksp, b, b);
  EXPECT_LT(solve(ksp).error, 1e-11);
  MatSetOption(b, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
  MatSetOption(b, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_FALSE);
  MatSetOption(b, MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(b, &first, &last);
  for (PetscInt r = first; r < last; ++r) MatSetValue(b, r, 0, 1.5, ADD_VALUES);
  MatAssemblyBegin(b, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(b, MAT_FINAL_ASSEMBLY);
  EXPECT_LT(solve(ksp).error, 1e-11);
}

/// Two fields, each with a preconditioner of its own.
TEST(Plugin, nestsInAFieldsplit) {
  OwnMat one = laplacian(60);
  OwnMat a;
  PetscInt local = 0;
  PetscInt first = 0;
  MatGetLocalSize(one, &local, nullptr);
  MatGetOwnershipRange(one, &first, nullptr);
  MatCreateAIJ(PETSC_COMM_WORLD, 2 * local, 2 * local, PETSC_DETERMINE, PETSC_DETERMINE, 6, nullptr,
               6, nullptr, a.address());
  MatSetBlockSize(a, 2);
  for (PetscInt r = first; r < first + local; ++r) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    MatGetRow(one, r, &count, &columns, &values);
    for (PetscInt k = 0; k < count; ++k)
      for (PetscInt field = 0; field < 2; ++field)
        MatSetValue(a, 2 * r + field, 2 * columns[k] + field, values[k], INSERT_VALUES);
    MatRestoreRow(one, r, &count, &columns, &values);
    MatSetValue(a, 2 * r, 2 * r + 1, 0.1, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  const WithOptions with(
      "-pc_fieldsplit_block_size 2 -pc_fieldsplit_type multiplicative "
      "-fieldsplit_0_pc_type muelu -fieldsplit_0_pc_muelu_coarse_size 200 "
      "-fieldsplit_0_ksp_type preonly -fieldsplit_1_ksp_type preonly "
      "-fieldsplit_1_pc_type muelu -fieldsplit_1_pc_muelu_coarse_pc_type svd "
      "-fieldsplit_1_pc_muelu_coarse_size 100");
  expect_solved(ksp_of(a, "fieldsplit", KSPGMRES), 15);
}

TEST(Plugin, aFaultOnOneRankIsAnErrorOnAllAndCanBeTriedAgain) {
  const OwnMat a = laplacian(12);
  const std::pair<const char*, const char*> cases[] = {
      {"muelu", ""}, {"ifpack2", ""}, {"ifpack2", "-pc_ifpack2_type RELAXATION"}};
  for (const auto& [type, options] : cases) {
    const WithOptions with(options);
    // KSPSetUp_GMRES allocates again, and leaks its old memory, if PCSetUp has failed before.
    expect_faults_refused([&a, &type = type] { return ksp_of(a, type, KSPGMRES); },
                          [](const OwnKsp& failed) { return PCSetUp(pc_of(failed)); });
    const OwnKsp ksp = ksp_of(a, type, KSPGMRES);
    expect_solved(ksp, 300);
  }
}

TEST(Plugin, aFaultWhileValuesAreTakenIsAnErrorOnAll) {
  const OwnMat a = laplacian(30);
  double factor = 2;
  const auto with_new_values = [&] {
    OwnKsp ksp = ksp_of(a, "muelu");
    DAPTOR_EXPECT_OK(KSPSetUp(ksp));
    MatScale(a, factor);
    factor = 1 / factor;
    return ksp;
  };
  expect_faults_refused(with_new_values, [](const OwnKsp& ksp) { return PCSetUp(pc_of(ksp)); });
}

TEST(Plugin, anApplicationThatFailsOnOneRankStopsTheSolveOnAll) {
  const OwnMat a = laplacian(40);
  for (const char* type : {"muelu", "ifpack2"})
    for (int rank = 0; rank < world_size(); ++rank) {
      const OwnKsp ksp = ksp_of(a, type, KSPGMRES);
      KSPSetUp(ksp);
      const Vectors vectors = vectors_of(a);
      const std::string opening = first_point_of(
          [&] { DAPTOR_EXPECT_OK(PCApply(pc_of(ksp), vectors.right, vectors.left)); });
      const Fault fault(opening, rank);
      const Solution solution = solve(ksp);
      EXPECT_EQ(static_cast<int>(solution.code), 0);
      EXPECT_EQ(solution.reason, KSP_DIVERGED_PC_FAILED);
    }
}

TEST(Plugin, whatIsNoNumberIsRefusedAtSetUp) {
  for (const char* type : {"muelu", "ifpack2"}) {
    const OwnMat nan = diagonal_matrix(std::numeric_limits<double>::quiet_NaN());
    const OwnKsp ksp = ksp_of(nan, type);
    expect_refused("not finite", [&] { return KSPSetUp(ksp); });
  }
}

TEST(Plugin, aSingularCoarseProblemIsNamedWhereTheSolverDoesNotStandIt) {
  const OwnMat a = diagonal_matrix(0.0);
  {
    const WithOptions with("-pc_muelu_coarse_redundant_pc_factor_shift_type none");
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_refused("coarse", [&] { return KSPSetUp(ksp); });
  }
  const WithOptions with("-pc_muelu_coarse_pc_type svd");
  const OwnKsp other = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(other));
}

TEST(Plugin, coordinatesOfAnotherNumberOfNodesAreRefused) {
  const OwnMat a = laplacian(20);
  const OwnKsp ksp = ksp_of(a, "muelu");
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  std::vector<PetscReal> coordinates(6, 0.5);
  DAPTOR_EXPECT_OK(PCSetCoordinates(pc, 2, 3, coordinates.data()));
  expect_refused("3 nodes in the coordinates", [&] { return KSPSetUp(ksp); });
}

TEST(Plugin, aMatrixOfAnotherTypeIsRefusedWithARemedy) {
  OwnMat a = laplacian(20);
  OwnMat b;
  MatConvert(a, MATDENSE, MAT_INITIAL_MATRIX, b.address());
  const OwnKsp ksp = ksp_of(b, "muelu");
  expect_refused("MatConvert", [&] { return KSPSetUp(ksp); });
}

double dot(Vec x, Vec y) {
  PetscScalar value = 0;
  VecDot(x, y, &value);
  return PetscRealPart(value);
}

TEST(Plugin, theTransposeIsOne) {
  const WithOptions with("-pc_ifpack2_type ILUT");
  const OwnMat a = laplacian(20);
  PetscInt first = 0;
  MatGetOwnershipRange(a, &first, nullptr);
  MatSetValue(a, first, first + 1, -3.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  const OwnKsp ksp = ksp_of(a, "ifpack2");
  KSPSetUp(ksp);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  const Vectors vectors = vectors_of(a);
  OwnVec x, y;
  VecDuplicate(vectors.right, x.address());
  VecDuplicate(vectors.right, y.address());
  VecPointwiseMult(vectors.left, vectors.right, vectors.right);
  DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, x));
  DAPTOR_EXPECT_OK(PCApplyTranspose(pc, vectors.left, y));
  EXPECT_NEAR(dot(x, vectors.left), dot(vectors.right, y), 1e-10);
}

TEST(Plugin, whereThereIsNoTransposeTheErrorSaysSo) {
  const OwnMat a = laplacian(20);
  const OwnKsp ksp = ksp_of(a, "muelu");
  KSPSetUp(ksp);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  const Vectors vectors = vectors_of(a);
  const Reported reported;
  EXPECT_EQ(static_cast<int>(PCApplyTranspose(pc, vectors.right, vectors.left)),
            static_cast<int>(PETSC_ERR_SUP));
  EXPECT_TRUE(reported.says("no transpose")) << reported.text();
}

TEST(Plugin, aTypeCanBeChangedAndAPcReset) {
  const OwnMat a = laplacian(30);
  const OwnKsp ksp = ksp_of(a, "muelu", KSPGMRES);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  for (const char* type : {"ifpack2", "muelu", "jacobi", "muelu"}) {
    DAPTOR_EXPECT_OK(PCSetType(pc, type));
    expect_solved(ksp, 300);
  }
  DAPTOR_EXPECT_OK(PCReset(pc));  // PETSc forgets the matrix too
  KSPSetOperators(ksp, a, a);
  expect_solved(ksp, 10);
}

TEST(Plugin, rightPreconditioningWorksToo) {
  const OwnMat a = laplacian(60);
  const OwnKsp ksp = ksp_of(a, "muelu", KSPGMRES);
  KSPSetPCSide(ksp, PC_RIGHT);
  expect_solved(ksp, 10);
}

}  // namespace
}  // namespace daptor::test
