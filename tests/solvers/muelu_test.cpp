// SPDX-License-Identifier: BSD-3-Clause
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "../../examples/demo/allocations.hpp"
#include "../plugin/singular.hpp"
#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using solvers::muelu_preconditioner;
using solvers::operator_as_pc;

struct Solution {
  PetscInt iterations = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  double error = 0;
};

/// Solves A x = b for a known x.
Solution solve(Mat a, const Teuchos::RCP<solvers::Operator>& preconditioner, KSPType type = KSPCG) {
  OwnKsp ksp;
  KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(a)), ksp.address());
  KSPSetOperators(ksp, a, a);
  KSPSetType(ksp, type);
  KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 200);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  operator_as_pc(preconditioner, pc);
  const Vectors vectors = vectors_of(a);
  OwnVec x;
  VecDuplicate(vectors.right, x.address());
  MatMult(a, vectors.right, vectors.left);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, x));
  Solution solution;
  KSPGetIterationNumber(ksp, &solution.iterations);
  KSPGetConvergedReason(ksp, &solution.reason);
  solution.error = distance(x, vectors.right);
  return solution;
}

OwnPc pc_of(Mat a, const Teuchos::RCP<solvers::Operator>& preconditioner) {
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  PCSetOperators(pc, a, a);
  operator_as_pc(preconditioner, pc);
  return pc;
}

TEST(MueLu, needsFewIterationsOnEveryNumberOfRanks) {
  const OwnMat a = laplacian(100);
  const Solution solution = solve(a, muelu_preconditioner(a, Teuchos::ParameterList()));
  EXPECT_GT(solution.reason, 0);
  EXPECT_LE(solution.iterations, 10);
  EXPECT_LT(solution.error, 1e-5);
}

TEST(MueLu, worksWithEmptyRanksAndUnevenRows) {
  Counts rows(static_cast<std::size_t>(world_size()), 0);
  PetscInt left = 60 * 60;
  for (std::size_t r = 0; r + 1 < rows.size(); r += 2)
    left -= rows[r] = 100 + 7 * static_cast<PetscInt>(r);
  rows.back() += left;
  const OwnMat a = laplacian(60, rows);
  const Solution solution = solve(a, muelu_preconditioner(a, Teuchos::ParameterList()));
  EXPECT_GT(solution.reason, 0);
  EXPECT_LE(solution.iterations, 12);
  EXPECT_LT(solution.error, 1e-5);
}

/// A hierarchy of one level consists of its coarse solver.
TEST(MueLu, theCoarseSolverSolves) {
  const OwnMat a = laplacian(12);
  const auto exact = muelu_preconditioner(a, Teuchos::ParameterList());
  const Solution solution = solve(a, exact, KSPPREONLY);
  EXPECT_LT(solution.error, 1e-12);

  const OwnPc pc = pc_of(a, exact);
  const Vectors vectors = vectors_of(a);
  MatMult(a, vectors.right, vectors.left);
  OwnVec x;
  VecDuplicate(vectors.right, x.address());
  DAPTOR_EXPECT_OK(PCApply(pc, vectors.left, x));
  EXPECT_LT(distance(x, vectors.right), 1e-12);
}

TEST(MueLu, theCoarseSolverCanBeAnother) {
  const OwnMat a = laplacian(12);
  const auto jacobi =
      muelu_preconditioner(a, Teuchos::ParameterList(), solvers::CoarseSolver{"jacobi", ""});
  const Vectors vectors = vectors_of(a);
  const OwnPc pc = pc_of(a, jacobi);
  DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, vectors.left));
  VecScale(vectors.left, 4.0);
  EXPECT_LT(distance(vectors.left, vectors.right), 1e-14);

  PetscOptionsSetValue(nullptr, "-test_coarse_pc_type", "none");
  const auto none = muelu_preconditioner(a, Teuchos::ParameterList(),
                                         solvers::CoarseSolver{"redundant", "test_coarse_"});
  PetscOptionsClearValue(nullptr, "-test_coarse_pc_type");
  operator_as_pc(none, pc);
  DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, vectors.left));
  EXPECT_LT(distance(vectors.left, vectors.right), 1e-14);
}

/// If a level does not start from zero, the coarse solver corrects the present solution.
TEST(MueLu, worksInAWCycle) {
  Teuchos::ParameterList parameters;
  parameters.set("cycle type", "W");
  parameters.set("coarse: max size", 50);
  const OwnMat a = laplacian(100);
  const Solution solution = solve(a, muelu_preconditioner(a, parameters));
  EXPECT_GT(solution.reason, 0);
  EXPECT_LE(solution.iterations, 10);
}

TEST(MueLu, aCoarseSolverThatTheParametersNameIsUsed) {
  Teuchos::ParameterList parameters;
  parameters.set("coarse: type", "RELAXATION");
  const OwnMat a = laplacian(12);
  const auto relaxation = muelu_preconditioner(a, parameters);
  EXPECT_GT(solve(a, relaxation, KSPPREONLY).error, 1e-3);
  solvers::set_coarse_solver(relaxation);
  EXPECT_LT(solve(a, relaxation, KSPPREONLY).error, 1e-12);
}

TEST(MueLu, allocatesNothingOfTheLengthOfAVectorInTheShell) {
  const OwnMat a = laplacian(150);
  const auto m = muelu_preconditioner(a, Teuchos::ParameterList());
  const OwnPc pc = pc_of(a, m);
  const Vectors vectors = vectors_of(a);
  for (int i = 0; i < 2; ++i) DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, vectors.left));
  PetscInt local = 0;
  VecGetLocalSize(vectors.right, &local);
  allocations::start(static_cast<std::size_t>(local) * sizeof(PetscScalar) / 2);
  for (int i = 0; i < 100; ++i) PCApply(pc, vectors.right, vectors.left);
  const allocations::Count seen = allocations::stop();
  EXPECT_EQ(seen.number, 0U) << seen;
}

TEST(MueLu, aParameterThatItDoesNotKnowIsAnErrorOnAllRanks) {
  Teuchos::ParameterList parameters;
  parameters.set("no such thing", 3);
  const OwnMat a = laplacian(20);
  try {
    muelu_preconditioner(a, parameters);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const LibraryFailed& error) {
    EXPECT_EQ(error.rule(), "library.muelu");
    EXPECT_NE(std::string(error.what()).find("no such thing"), std::string::npos) << error.what();
  }
}

/// MueLu itself would fail on that rank, and leave the others waiting.
TEST(MueLu, parametersThatDifferBetweenRanksAreAnErrorOnAllRanks) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(20);
  for (int rank = 0; rank < world_size(); ++rank) {
    Teuchos::ParameterList parameters;
    parameters.sublist("smoother: params").set("relaxation: sweeps", rank == world_rank() ? 2 : 1);
    expect_refused_everywhere<InvalidArgument>("muelu.parameters",
                                               [&] { muelu_preconditioner(a, parameters); });
    try {
      muelu_preconditioner(a, parameters);
    } catch (const InvalidArgument& error) {
      for (const char* words : {"smoother: params/relaxation: sweeps", "'2 (int)'", "'1 (int)'"})
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
    solvers::CoarseSolver coarse;
    if (rank == world_rank()) coarse.pc_type = "svd";
    expect_refused_everywhere<InvalidArgument>(
        "muelu.parameters", [&] { muelu_preconditioner(a, Teuchos::ParameterList(), coarse); });
  }
}

/// MueLu takes it for granted, and would read past the end of its arrays.
TEST(MueLu, whatHasOtherSizesThanTheMatrixIsAnErrorOnAllRanks) {
  using Places = Tpetra::MultiVector<PetscReal>;
  using Modes = Tpetra::MultiVector<PetscScalar>;
  const OwnMat a = laplacian(20);
  PetscInt rows = 0;
  MatGetLocalSize(a, &rows, nullptr);
  for (int rank = 0; rank < world_size(); ++rank) {
    const auto odd = static_cast<std::size_t>(rows - (rank == world_rank() ? 1 : 0));
    const auto map = Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                          odd, 0, Tpetra::getDefaultComm()));
    Teuchos::ParameterList places, modes, equations;
    places.sublist("user data").set("Coordinates", Teuchos::rcp(new Places(map, 2)));
    modes.sublist("user data").set("Nullspace", Teuchos::rcp(new Modes(map, 1)));
    equations.set("number of equations", 401);
    const auto expect = [&](const char* rule, const Teuchos::ParameterList& parameters) {
      expect_refused_everywhere<InvalidArgument>(rule,
                                                 [&] { muelu_preconditioner(a, parameters); });
    };
    expect("pc.coordinates", places);
    expect("matrix.near-null-space", modes);
    expect("trilinos.parameter", equations);
  }
}

TEST(MueLu, aCoarseSolverThatDoesNotExistIsAnErrorOnAllRanks) {
  const OwnMat a = laplacian(20);
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] {
    muelu_preconditioner(a, Teuchos::ParameterList(), solvers::CoarseSolver{"no such pc", ""});
  });
}

TEST(MueLu, aPressureProblemIsSolved) {
  const OwnMat a = neumann(60);
  set_null_space(a);
  Teuchos::ParameterList parameters;
  parameters.set("coarse: max size", 200);
  const Solution solution = solve(a, muelu_preconditioner(a, parameters));
  EXPECT_GT(solution.reason, 0);
  EXPECT_LE(solution.iterations, 10);
}

TEST(MueLu, aSingularCoarseMatrixIsAnErrorOnAllRanksWhereTheSolverDoesNotStandIt) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) MatSetValue(a, r, r, r == 1 ? 0.0 : 1.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  const Silence silence;
  PetscOptionsSetValue(nullptr, "-muelu_coarse_redundant_pc_factor_shift_type", "none");
  expect_refused_everywhere<LibraryFailed>(
      "library.petsc", [&] { muelu_preconditioner(a, Teuchos::ParameterList()); });
  PetscOptionsClearValue(nullptr, "-muelu_coarse_redundant_pc_factor_shift_type");
  muelu_preconditioner(a, Teuchos::ParameterList());
}

TEST(MueLu, onlyMueLuHasACoarsestLevel) {
  const auto op = Teuchos::rcp(new Probe(map_of(3)));
  expect_refused_everywhere<InvalidArgument>("muelu.hierarchy",
                                             [&] { solvers::set_coarse_solver(op); });
  EXPECT_THROW(solvers::set_coarse_solver(Teuchos::null), InvalidArgument);
}

TEST(MueLu, aFaultOnOneRankIsThrownOnAll) {
  const OwnMat a = laplacian(20);
  Faults().expect_agreed([&] { muelu_preconditioner(a, Teuchos::ParameterList()); });
}

/// They may be destroyed in any order.
TEST(MueLu, theHierarchyMayGoBeforeOrAfterThePc) {
  const OwnMat a = laplacian(40);
  auto m = muelu_preconditioner(a, Teuchos::ParameterList());
  const OwnPc first = pc_of(a, m);
  { const OwnPc second = pc_of(a, m); }
  m = Teuchos::null;
  const Vectors vectors = vectors_of(a);
  DAPTOR_EXPECT_OK(PCApply(first, vectors.right, vectors.left));
}

}  // namespace
}  // namespace daptor::test
