// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include "../../examples/demo/allocations.hpp"
#include "crs.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using solvers::ksp_as_operator;
using solvers::mat_as_operator;
using solvers::Operator;
using solvers::pc_as_operator;
using solvers::petsc_preconditioner;
using solvers::petsc_solver;
using Op = Teuchos::RCP<Operator>;
using test::distance;
using test::memory_of;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

MultiVector columns_on(const Teuchos::RCP<const Map>& map, std::size_t count, int seed = 0) {
  MultiVector X(map, count);
  for (std::size_t j = 0; j < count; ++j) {
    const auto x = X.getDataNonConst(j);
    for (int i = 0; i < x.size(); ++i)
      x[i] = scattered(static_cast<PetscInt>(map->getGlobalElement(i)),
                       static_cast<PetscInt>(j) + 31 * seed);
  }
  return X;
}

double distance(const MultiVector& X, const MultiVector& Y) {
  MultiVector difference(X, Teuchos::Copy);
  difference.update(-1.0, Y, 1.0);
  double largest = 0;
  for (std::size_t j = 0; j < X.getNumVectors(); ++j)
    largest = std::max(largest, difference.getVector(j)->normInf());
  return largest;
}

const double* memory_of(const MultiVector& X) {
  return X.getLocalViewHost(Tpetra::Access::ReadOnly).data();
}

/// alpha Op(X) + beta Y, computed with a Tpetra matrix.
MultiVector expected(const solvers::CrsMatrix& a, const MultiVector& X, const MultiVector& Y,
                     Teuchos::ETransp mode, double alpha, double beta) {
  MultiVector result(Y, Teuchos::Copy);
  MultiVector copy(X, Teuchos::Copy);
  a.apply(copy, result, mode, alpha, beta);
  return result;
}

/// The vectors to which a matrix-free Mat for y = 3 x was applied, and how often.
struct Seen {
  const PetscScalar* x = nullptr;
  const PetscScalar* y = nullptr;
  int applications = 0;
};

PetscErrorCode look(Mat mat, Vec x, Vec y) {
  Seen* seen = nullptr;
  MatShellGetContext(mat, &seen);
  ++seen->applications;
  seen->x = memory_of(x);
  seen->y = memory_of(y);
  VecCopy(x, y);
  return VecScale(y, 3.0);
}

OwnMat shell_of(Seen& seen, PetscInt count) {
  OwnMat shell;
  MatCreateShell(PETSC_COMM_WORLD, count, count, PETSC_DETERMINE, PETSC_DETERMINE, &seen,
                 shell.address());
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(look));
  return shell;
}

PetscInt some_count() {
  constexpr PetscInt counts[] = {5, 0, 1, 12, 3, 0, 7, 2};
  return counts[world_rank() % 8];
}

OwnPc pc_of(Mat a, PCType type) {
  OwnPc pc;
  PCCreate(PetscObjectComm(reinterpret_cast<PetscObject>(a)), pc.address());
  PCSetOperators(pc, a, a);
  PCSetType(pc, type);
  return pc;
}

OwnKsp ksp_of(Mat a, KSPType type, PCType pc_type) {
  OwnKsp ksp;
  KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(a)), ksp.address());
  KSPSetOperators(ksp, a, a);
  KSPSetType(ksp, type);
  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 500);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  PCSetType(pc, pc_type);
  return ksp;
}

/// A diagonal matrix with three rows per rank; each entry is `value` of its global row.
template <class F>
OwnMat diagonal(F&& value) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) MatSetValue(a, r, r, value(r), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

TEST(PetscOperator, aMatrixFreeMatIsAppliedInTheMemoryOfTheMultiVectors) {
  Seen seen;
  const Op op = mat_as_operator(shell_of(seen, some_count()));
  EXPECT_FALSE(op->hasTransposeApply());
  for (int round = 0; round < 3; ++round) {
    const MultiVector X = columns_on(op->getDomainMap(), 1, round);
    MultiVector Y(op->getRangeMap(), 1);
    op->apply(X, Y);
    EXPECT_EQ(seen.x, memory_of(X));
    EXPECT_EQ(seen.y, memory_of(Y));
    MultiVector three(X, Teuchos::Copy);
    three.scale(3.0);
    EXPECT_EQ(distance(three, Y), 0.0);
  }
  EXPECT_EQ(seen.applications, 3);
  EXPECT_EQ(solvers::status(*op).columns, 3);
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  expect_refused_everywhere<InvalidArgument>("operator.transpose",
                                             [&] { op->apply(X, Y, Teuchos::TRANS); });
}

TEST(PetscOperator, thereAndBackIsTheSameMemory) {
  const auto probe = Teuchos::rcp(new Probe(map_of(some_count())));
  const solvers::OwnedMat mat = solvers::operator_as_mat(probe, PETSC_COMM_WORLD);
  const Op op = mat_as_operator(mat.get(), {probe->getDomainMap(), probe->getRangeMap()});
  EXPECT_EQ(op->getDomainMap(), probe->getDomainMap());
  EXPECT_TRUE(op->hasTransposeApply());
  const MultiVector X = columns_on(op->getDomainMap(), 3);
  MultiVector Y(op->getRangeMap(), 3);
  op->apply(X, Y);
  EXPECT_EQ(probe->applications, 3);
  if (some_count() > 0) {
    EXPECT_EQ(probe->x_data, X.getData(2).getRawPtr());
    EXPECT_EQ(probe->y_data, Y.getData(2).getRawPtr());
  }
  MultiVector direct(op->getRangeMap(), 1);
  for (std::size_t j = 0; j < 3; ++j) {
    probe->apply(*X.getVector(j), direct, Teuchos::NO_TRANS, 1, 0);
    EXPECT_EQ(distance(direct, *Y.getVector(j)), 0.0);
  }
  op->apply(X, Y, Teuchos::TRANS);
  EXPECT_EQ(probe->last_mode, Teuchos::TRANS);
}

TEST(PetscOperator, aCrsMatrixThereAndBack) {
  const OwnMat a = laplacian(9);
  const auto copy = solvers::copy_matrix(a);
  const solvers::OwnedMat mat = solvers::operator_as_mat(copy, PETSC_COMM_WORLD);
  const Op op = mat_as_operator(mat.get(), {copy->getDomainMap(), copy->getRangeMap()});
  const MultiVector X = columns_on(op->getDomainMap(), 2);
  MultiVector Y(op->getRangeMap(), 2);
  op->apply(X, Y);
  EXPECT_LT(distance(Y, expected(*copy, X, Y, Teuchos::NO_TRANS, 1, 0)), 1e-14);
}

TEST(PetscOperator, multipliesAsTheMatrixWhateverTheLayout) {
  const auto layouts = row_layouts(23);
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const OwnMat a = scattered_matrix(layouts[i], layouts[(i + 2) % layouts.size()]);
    const auto copy = solvers::copy_matrix(a);
    const Op op = mat_as_operator(a);
    EXPECT_TRUE(op->getRangeMap()->isSameAs(*copy->getRangeMap()));
    EXPECT_TRUE(op->getDomainMap()->isSameAs(*copy->getDomainMap()));
    for (const Teuchos::ETransp mode : {Teuchos::NO_TRANS, Teuchos::TRANS, Teuchos::CONJ_TRANS})
      for (const std::size_t count : {std::size_t{1}, std::size_t{4}}) {
        const bool plain = mode == Teuchos::NO_TRANS;
        const auto X = columns_on(plain ? op->getDomainMap() : op->getRangeMap(), count);
        auto Y = columns_on(plain ? op->getRangeMap() : op->getDomainMap(), count, 5);
        for (const auto& [alpha, beta] :
             {std::pair{1.0, 0.0}, {2.5, 0.0}, {1.0, 1.0}, {-1.0, 0.5}, {0.0, 2.0}, {0.0, 0.0}}) {
          const MultiVector right = expected(*copy, X, Y, mode, alpha, beta);
          if (beta == 0.0) Y.putScalar(nan_value);  // must not be read
          op->apply(X, Y, mode, alpha, beta);
          EXPECT_LT(distance(Y, right), 1e-12) << mode << ' ' << alpha << ' ' << beta;
        }
      }
  }
}

TEST(PetscOperator, takesColumnsWithGapsPickedOnesAndItsOwnResult) {
  const OwnMat a = laplacian(7);
  const auto copy = solvers::copy_matrix(a);
  const Op op = mat_as_operator(a);
  MultiVector all = columns_on(op->getDomainMap(), 9);
  const std::vector<std::size_t> odd{1, 5, 3};
  const std::vector<std::size_t> even{8, 0, 2};
  const auto X = all.subView(Teuchos::ArrayView<const std::size_t>(odd));
  const auto Y = all.subViewNonConst(Teuchos::ArrayView<const std::size_t>(even));
  const MultiVector picked = expected(*copy, *X, *Y, Teuchos::NO_TRANS, 1, 0);
  op->apply(*X, *Y);
  EXPECT_LT(distance(*Y, picked), 1e-13);

  // The stride of these vectors is greater than their length.
  const std::size_t local = all.getLocalLength();
  const auto larger = map_of(static_cast<long long>(local) + 3);
  MultiVector wide = columns_on(larger, 3);
  MultiVector wide_result(larger, 3);
  wide_result.putScalar(7.0);
  const auto inner = wide.offsetView(op->getDomainMap(), 2);
  const auto inner_result = wide_result.offsetViewNonConst(op->getRangeMap(), 1);
  const MultiVector strided = expected(*copy, *inner, *inner_result, Teuchos::NO_TRANS, 1, 0);
  op->apply(*inner, *inner_result);
  EXPECT_LT(distance(*inner_result, strided), 1e-13);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto column = wide_result.getData(j);
    EXPECT_EQ(column[0], 7.0);
    EXPECT_EQ(column[column.size() - 1], 7.0);
  }

  for (const std::size_t count : {std::size_t{1}, std::size_t{2}})
    for (const double beta : {0.0, 2.0}) {
      MultiVector both = columns_on(op->getDomainMap(), count);
      const MultiVector right = expected(*copy, both, both, Teuchos::NO_TRANS, 1, beta);
      op->apply(both, both, Teuchos::NO_TRANS, 1, beta);
      EXPECT_LT(distance(both, right), 1e-13);
    }
}

TEST(PetscOperator, noColumnsAreNoApplication) {
  Seen seen;
  const Op op = mat_as_operator(shell_of(seen, some_count()));
  const MultiVector X = columns_on(op->getDomainMap(), 2);
  MultiVector Y(op->getRangeMap(), 2);
  op->apply(X, Y, Teuchos::NO_TRANS, 0.0, 0.0);
  EXPECT_EQ(seen.applications, 0);
  MultiVector one(op->getRangeMap(), 1);
  expect_refused_everywhere<InvalidArgument>("operator.vectors", [&] { op->apply(X, one); });
}

TEST(PetscOperator, takesVectorsOnOtherMapsThatFit) {
  Seen seen;
  const PetscInt count = some_count();
  const Op op = mat_as_operator(shell_of(seen, count));
  for (int round = 0; round < 8; ++round) {
    const MultiVector X = columns_on(map_of(count), 1);
    MultiVector Y(map_of(count), 1);
    op->apply(X, Y);
    EXPECT_EQ(seen.x, memory_of(X));
  }
  const MultiVector longer = columns_on(map_of(count + (world_rank() == 0 ? 1 : 0)), 1);
  MultiVector Y(op->getRangeMap(), 1);
  expect_refused_everywhere<InvalidArgument>("operator.vectors", [&] { op->apply(longer, Y); });
  op->apply(columns_on(op->getDomainMap(), 1), Y);
}

TEST(PetscOperator, refusesMapsThatDoNotFit) {
  Seen seen;
  const OwnMat shell = shell_of(seen, some_count());
  expect_refused_everywhere<InvalidArgument>("operator.map-size", [&] {
    mat_as_operator(shell, {map_of(some_count() + (world_rank() == world_size() - 1)), {}});
  });
  if (world_size() == 1) return;
  expect_refused_everywhere<InvalidArgument>("operator.map-size", [&] {
    const auto map = map_of(some_count());
    mat_as_operator(shell, {world_rank() == 1 ? map : Teuchos::null, {}});
  });
  const std::vector<Map::global_ordinal_type> shared{world_rank(), world_rank() + 1};
  const auto overlapping = Teuchos::rcp(new Map(
      Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
      Teuchos::ArrayView<const Map::global_ordinal_type>(shared), 0, Tpetra::getDefaultComm()));
  const OwnMat two = shell_of(seen, 2);
  expect_refused_everywhere<NotRepresentable>("operator.map", [&] {
    mat_as_operator(two, {overlapping, {}});
  });
  const OwnMat own = [&] {
    OwnMat mat;
    MatCreateSeqDense(PETSC_COMM_SELF, 2, 2, nullptr, mat.address());
    return mat;
  }();
  expect_refused<InvalidArgument>("operator.communicator", [&] {
    mat_as_operator(own, {map_of(2), {}});
  });
}

TEST(PetscOperator, refusesWhatHasNoMatrix) {
  EXPECT_THROW(mat_as_operator(nullptr), InvalidArgument);
  EXPECT_THROW(pc_as_operator(nullptr), InvalidArgument);
  EXPECT_THROW(ksp_as_operator(nullptr), InvalidArgument);
  EXPECT_THROW(petsc_preconditioner(nullptr, ""), InvalidArgument);
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  expect_refused_everywhere<InvalidArgument>("operator.matrix", [&] { pc_as_operator(pc); });
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  expect_refused_everywhere<InvalidArgument>("operator.matrix", [&] { ksp_as_operator(ksp); });
  OwnMat mat;
  MatCreate(PETSC_COMM_WORLD, mat.address());
  expect_refused_everywhere<InvalidArgument>("operator.matrix", [&] { mat_as_operator(mat); });
  const auto probe = Teuchos::rcp(new Probe(map_of(2)));
  expect_refused_everywhere<InvalidArgument>("operator.foreign", [&] { solvers::status(*probe); });
  expect_refused_everywhere<InvalidArgument>("operator.foreign",
                                             [&] { solvers::set_up_again(*probe); });
}

TEST(PetscOperator, knowsWhatIsBehindIt) {
  const OwnMat a = laplacian(4);
  const OwnPc pc = pc_of(a, PCJACOBI);
  const OwnKsp ksp = ksp_of(a, KSPCG, PCJACOBI);
  EXPECT_EQ(solvers::behind_mat(*mat_as_operator(a)), a.object);
  EXPECT_EQ(solvers::behind_pc(*mat_as_operator(a)), nullptr);
  EXPECT_EQ(solvers::behind_pc(*pc_as_operator(pc)), pc.object);
  EXPECT_EQ(solvers::behind_ksp(*ksp_as_operator(ksp)), ksp.object);
  EXPECT_NE(pc_as_operator(pc)->description().find("PC (jacobi)"), std::string::npos);
}

TEST(PetscOperator, aPcIsAppliedAsPetscAppliesIt) {
  const OwnMat a = laplacian(13);
  for (PCType type : {PCJACOBI, PCGAMG, PCHYPRE, PCBJACOBI, PCSOR}) {
    const OwnPc pc = pc_of(a, type);
    const Op op = pc_as_operator(pc);
    const MultiVector X = columns_on(op->getDomainMap(), 3);
    MultiVector Y(op->getRangeMap(), 3);
    op->apply(X, Y);
    const Vectors vectors = vectors_of(a);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto x = X.getData(j);
      const auto y = Y.getData(j);
      VecPlaceArray(vectors.right, x.getRawPtr());
      DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, vectors.left));
      VecResetArray(vectors.right);
      VecPlaceArray(vectors.right, y.getRawPtr());
      EXPECT_LT(distance(vectors.right, vectors.left), 1e-13) << type;
      VecResetArray(vectors.right);
    }
  }
}

TEST(PetscOperator, aFactorizationSolvesForManyColumnsAtOnce) {
  const OwnMat a = laplacian(11);
  const auto copy = solvers::copy_matrix(a);
  for (const bool through_ksp : {false, true}) {
    const std::string options = "-pc_type lu -pc_factor_mat_solver_type mumps";
    const Op op = through_ksp ? petsc_solver(a, "-ksp_type preonly " + options)
                              : petsc_preconditioner(a, options);
    for (const std::size_t count : {std::size_t{1}, std::size_t{5}, std::size_t{2}}) {
      const MultiVector X = columns_on(op->getRangeMap(), count);
      MultiVector B(op->getDomainMap(), count);
      copy->apply(X, B);
      const MultiVector before(B, Teuchos::Copy);
      MultiVector solution(op->getRangeMap(), count);
      op->apply(B, solution);
      EXPECT_LT(distance(solution, X), 1e-11);
      EXPECT_EQ(distance(B, before), 0.0);
      ASSERT_TRUE(op->hasTransposeApply());
      op->apply(B, solution, Teuchos::TRANS);
      EXPECT_LT(distance(solution, X), 1e-11);  // the matrix is symmetric
    }
    EXPECT_EQ(solvers::status(*op).columns, 16);
  }
}

TEST(PetscOperator, aKspIsAnInnerSolver) {
  const OwnMat a = laplacian(12);
  const auto copy = solvers::copy_matrix(a);
  const OwnKsp ksp = ksp_of(a, KSPCG, PCJACOBI);
  const Op op = ksp_as_operator(ksp);
  const MultiVector X = columns_on(op->getRangeMap(), 2);
  MultiVector B(op->getDomainMap(), 2);
  copy->apply(X, B);
  MultiVector solution(op->getRangeMap(), 2);
  solution.putScalar(nan_value);
  op->apply(B, solution);
  EXPECT_LT(distance(solution, X), 1e-8);
  solvers::OperatorStatus status = solvers::status(*op);
  EXPECT_EQ(status.columns, 2);
  EXPECT_EQ(status.failed, 0);
  EXPECT_GT(status.iterations, 10);
  EXPECT_GT(status.last_reason, 0);

  KSPSetInitialGuessNonzero(ksp, PETSC_TRUE);
  solution.putScalar(nan_value);
  op->apply(B, solution);
  EXPECT_LT(distance(solution, X), 1e-8);

  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 2);
  op->apply(B, solution);
  status = solvers::status(*op);
  EXPECT_EQ(status.failed, 2);
  EXPECT_EQ(status.last_reason, KSP_DIVERGED_ITS);
  KSPSetErrorIfNotConverged(ksp, PETSC_TRUE);
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] { op->apply(B, solution); });
}

TEST(PetscOperator, aVectorThatIsNotANumberIsNotConvergedTo) {
  const OwnMat a = laplacian(8);
  const Op op = petsc_solver(a, "-ksp_type cg -pc_type jacobi");
  MultiVector B = columns_on(op->getDomainMap(), 1);
  if (world_rank() == 0) B.getDataNonConst(0)[0] = nan_value;
  MultiVector X(op->getRangeMap(), 1);
  op->apply(B, X);
  EXPECT_EQ(solvers::status(*op).failed, 1);
  EXPECT_EQ(solvers::status(*op).last_reason, KSP_DIVERGED_NANORINF);
}

TEST(PetscOperator, allocatesNothingOfTheLengthOfAVector) {
  const OwnMat a = laplacian(150);
  PetscInt local = 0;
  MatGetLocalSize(a, &local, nullptr);
  for (const char* options : {"-pc_type gamg", "-pc_type jacobi", ""}) {
    const Op op = *options == '\0' ? mat_as_operator(a) : petsc_preconditioner(a, options);
    const std::size_t count = *options == '\0' ? 3 : 1;
    std::vector<MultiVector> all;
    for (int i = 0; i < 4; ++i) all.push_back(columns_on(op->getDomainMap(), count, i));
    for (std::size_t i = 0; i < 2; ++i) {
      op->apply(all[i], all[i + 1]);
      op->apply(*all[i].getVector(0), *all[i + 1].getVectorNonConst(0));
    }
    allocations::start(static_cast<std::size_t>(local) * sizeof(PetscScalar) / 2);
    for (std::size_t i = 0; i < 100; ++i) {
      op->apply(all[i % 4], all[(i + 1) % 4]);
      op->apply(*all[i % 4].getVector(0), *all[(i + 1) % 4].getVectorNonConst(0));
    }
    const allocations::Count seen = allocations::stop();
    EXPECT_EQ(seen.number, 0U) << options << ": " << seen;
  }
}

TEST(PetscOperator, columnsAreMultipliedAnewAfterTheMatrixChanged) {
  const OwnMat a = laplacian(8);
  const Op op = mat_as_operator(a);
  const MultiVector X = columns_on(op->getDomainMap(), 3);
  MultiVector Y(op->getRangeMap(), 3);
  op->apply(X, Y);
  MatScale(a, 2.0);
  for (int round = 0; round < 2; ++round) {
    op->apply(X, Y);
    const auto copy = solvers::copy_matrix(a);
    EXPECT_LT(distance(Y, expected(*copy, X, Y, Teuchos::NO_TRANS, 1, 0)), 1e-13);
    // Entries where there were none before, some of them in columns of other ranks.
    MatSetOption(a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
    PetscInt first = 0;
    PetscInt last = 0;
    MatGetOwnershipRange(a, &first, &last);
    if (last > first) MatSetValue(a, first, 63, 5.0, ADD_VALUES);
    if (last > first) MatSetValue(a, first, 0, 5.0, ADD_VALUES);
    MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  }
}

TEST(PetscOperator, aPcFollowsItsMatrix) {
  const OwnMat a = laplacian(8);
  const Op op = petsc_preconditioner(a, "-pc_type jacobi");
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  MatScale(a, 2.0);
  const MultiVector before(Y, Teuchos::Copy);
  op->apply(X, Y);
  Y.scale(2.0);
  EXPECT_LT(distance(before, Y), 1e-14);
  solvers::set_up_again(*op);
  op->apply(X, Y, Teuchos::NO_TRANS, 2.0);
  EXPECT_LT(distance(before, Y), 1e-14);
}

/// Norms that PETSc has cached of vectors that are then written are discarded on all ranks.
TEST(PetscOperator, normsOfImportedVectorsAreRightAfterwards) {
  const OwnMat a = laplacian(8);
  const Op op = mat_as_operator(a);
  const Vectors vectors = vectors_of(a);
  const auto X =
      tpetra::import_multivector<double>(petsc::export_vec(vectors.right), PETSC_COMM_WORLD);
  const auto Y =
      tpetra::import_multivector<double>(petsc::export_vec(vectors.left), PETSC_COMM_WORLD);
  for (int rank = -1; rank < world_size(); ++rank) {
    VecSet(vectors.left, 1.0);
    PetscReal norm = 0;
    VecNorm(vectors.left, NORM_1, &norm);
    {
      const Fault fault("solvers.petsc_apply.open", rank);  // -1: no fault
      op->apply(*X.get(), *Y.get());
    }
    VecNorm(vectors.left, NORM_1, &norm);
    OwnVec right;
    VecDuplicate(vectors.left, right.address());
    MatMult(a, vectors.right, right);
    PetscReal expected_norm = 0;
    VecNorm(right, NORM_1, &expected_norm);
    if (rank == -1) {
      EXPECT_NEAR(norm, expected_norm, 1e-12 * expected_norm);
    } else {
      EXPECT_TRUE(std::isnan(norm));
    }
  }
}

TEST(PetscOperator, aFaultOnOneRankIsThrownOnAll) {
  const OwnMat a = laplacian(6);
  for (const char* point : {"solvers.petsc_operator.check", "solvers.petsc_operator.wrap",
                            "solvers.options.parse", "solvers.options.used"})
    expect_faults_agreed(point, [&] { petsc_preconditioner(a, "-pc_type jacobi"); });
  const Op op = mat_as_operator(a);
  for (int rank = 0; rank < world_size(); ++rank) {
    MultiVector Y(op->getRangeMap(), 2);
    const MultiVector X = columns_on(map_of(static_cast<long long>(Y.getLocalLength())), 2);
    {
      expect_fault_agreed("solvers.petsc_apply.maps", rank, [&] { op->apply(X, Y); });
    }
    {
      const Fault fault("solvers.petsc_apply.open", rank);  // for several columns all ranks throw
      expect_refused_everywhere<LibraryFailed>("library.c++", [&] { op->apply(X, Y); });
    }
    op->apply(X, Y);
  }
}

/// One rank cannot hand over its vectors: all ranks apply, the result is not a number, and no rank
/// waits.
TEST(PetscOperator, aFaultBeforeAnApplicationGivesNaNInsteadOfAHang) {
  const OwnMat a = laplacian(6);
  for (const char* kind : {"mat", "pc", "ksp"})
    for (int rank = 0; rank < world_size(); ++rank) {
      const Op op = kind[0] == 'm'   ? mat_as_operator(a)
                    : kind[0] == 'p' ? petsc_preconditioner(a, "-pc_type jacobi")
                                     : petsc_solver(a, "-ksp_type cg -pc_type jacobi");
      const MultiVector X = columns_on(op->getDomainMap(), 1);
      MultiVector Y(op->getRangeMap(), 1);
      {
        const Fault fault("solvers.petsc_apply.open", rank);
        op->apply(X, Y);
      }
      EXPECT_EQ(solvers::status(*op).not_handed_over, rank == world_rank() ? 1 : 0);
      EXPECT_TRUE(std::isnan(Y.getVector(0)->norm2()));
      op->apply(X, Y);
      EXPECT_FALSE(std::isnan(Y.getVector(0)->norm2())) << kind;
    }
}

TEST(PetscOperator, aPcThatCannotBeSetUpIsAnErrorOnAllRanks) {
  const OwnMat singular = diagonal([](PetscInt row) { return row == 1 ? 0.0 : 1.0; });
  const Silence silence;
  for (const char* options : {"-pc_type lu -pc_factor_mat_solver_type mumps",
                              "-pc_type bjacobi -sub_pc_type lu", "-pc_type no_such_type"})
    expect_refused_everywhere<LibraryFailed>("library.petsc",
                                             [&] { petsc_preconditioner(singular, options); });
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] {
    petsc_solver(singular, "-ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps");
  });
}

/// PETSc notices the failure only when the PC is applied.
TEST(PetscOperator, aPcWhoseInnerSolverFailsGivesNaN) {
  const OwnMat singular = diagonal([](PetscInt row) { return row == 1 ? 0.0 : 1.0; });
  const Op op = petsc_preconditioner(singular, "-pc_type redundant");
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  EXPECT_FALSE(std::isfinite(Y.getVector(0)->norm2()));
  EXPECT_EQ(solvers::status(*op).failed, 1);
}

/// The PC has been set up, and fails when its matrix has become singular on one rank.
TEST(PetscOperator, aPcThatFailsLaterGivesNaN) {
  const OwnMat a = diagonal([](PetscInt row) { return 1.0 + row; });
  const Op op = petsc_preconditioner(a, "-pc_type bjacobi -sub_pc_type lu");
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  EXPECT_FALSE(std::isnan(Y.getVector(0)->norm2()));
  PetscInt first = 0;
  MatGetOwnershipRange(a, &first, nullptr);
  if (world_rank() == world_size() - 1) MatSetValue(a, first, first, 0.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  op->apply(X, Y);
  EXPECT_FALSE(std::isfinite(Y.getVector(0)->norm2()));
  EXPECT_EQ(solvers::status(*op).failed, world_rank() == world_size() - 1 ? 1 : 0);
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] { solvers::set_up_again(*op); });
}

PetscErrorCode fail(Mat, Vec, Vec) {
  SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER, "the shell's own words");
}

TEST(PetscOperator, anErrorOfPetscIsThrownWithItsText) {
  Seen seen;
  const OwnMat shell = shell_of(seen, some_count());
  const Op op = mat_as_operator(shell);
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(fail));
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] {
    try {
      op->apply(X, Y);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the shell's own words"), std::string::npos);
      throw;
    }
  });
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(look));
  op->apply(X, Y);
  EXPECT_EQ(seen.x, memory_of(X));
}

/// On the matrix's own Maps, whatever their global indices, and after its values have changed.
TEST(PetscOperator, aTpetraMatrixIsPreconditionedOnItsOwnMaps) {
  const Counts rows = row_layouts(24)[2];
  for (const Ids ids : {Ids::contiguous, Ids::backwards, Ids::dealt}) {
    const auto map = crs_map(rows, ids);
    const auto a = Teuchos::rcp(new Crs(map, 2));
    PetscInt next = start(rows, world_rank());
    for (int i = 0; i < static_cast<int>(mine(rows)); ++i, ++next) {
      const Global id = map->getGlobalElement(i);
      const double value = 1.0 + next;
      a->insertGlobalValues(id, 1, &value, &id);
    }
    a->fillComplete();
    const Op op = petsc_preconditioner(a, "-pc_type jacobi");
    EXPECT_EQ(op->getDomainMap(), a->getRangeMap());
    EXPECT_EQ(op->getRangeMap(), a->getDomainMap());
    const MultiVector X = columns_on(map, 2);
    MultiVector B(map, 2);
    MultiVector Y(map, 2);
    for (int round = 0; round < 2; ++round) {
      a->apply(X, B);
      op->apply(B, Y);
      EXPECT_LT(distance(X, Y), 1e-13);
      a->resumeFill();
      a->scale(4.0);
      a->fillComplete();
      solvers::set_up_again(*op);
    }
    expect_faults_agreed("solvers.petsc_solver.renew", [&] { solvers::set_up_again(*op); });
    const Op inner = petsc_solver(a, "-ksp_type cg -pc_type jacobi -ksp_rtol 1e-12");
    a->apply(X, B);
    inner->apply(B, Y);
    EXPECT_LT(distance(X, Y), 1e-10);
  }
  EXPECT_THROW(petsc_preconditioner(Teuchos::RCP<const Crs>(), ""), InvalidArgument);
}

TEST(PetscOptions, areThoseOfTheLineAlone) {
  const OwnMat a = laplacian(10);
  PetscOptionsSetValue(nullptr, "-pc_type", "none");
  PetscOptionsSetValue(nullptr, "-mg_levels_ksp_max_it", "7");
  const Op op = petsc_preconditioner(a,
                                     "-pc_type\n gamg\t-pc_gamg_threshold 0.02 "
                                     "-mg_levels_ksp_type 'richardson' -pc_gamg_agg_nsmooths 0");
  PCType type = nullptr;
  PCGetType(solvers::behind_pc(*op), &type);
  EXPECT_STREQ(type, PCGAMG);
  const Op plain = petsc_preconditioner(a, "");
  PCGetType(solvers::behind_pc(*plain), &type);
  EXPECT_STRNE(type, PCNONE);
  std::array<char, 16> value{};
  PetscBool found = PETSC_FALSE;
  PetscOptionsGetString(nullptr, nullptr, "-pc_type", value.data(), value.size(), &found);
  EXPECT_STREQ(value.data(), "none");
  PetscOptionsHasName(nullptr, nullptr, "-pc_gamg_threshold", &found);
  EXPECT_EQ(found, PETSC_FALSE);
  PetscBool used = PETSC_TRUE;
  PetscOptionsUsed(nullptr, "mg_levels_ksp_max_it", &used);
  EXPECT_EQ(used, PETSC_FALSE);
  PetscOptionsClearValue(nullptr, "-pc_type");
  PetscOptionsClearValue(nullptr, "-mg_levels_ksp_max_it");
}

TEST(PetscOptions, aNameThatNobodyAsksForIsNamed) {
  const OwnMat a = laplacian(10);
  expect_refused_everywhere<InvalidArgument>("options.unknown", [&] {
    try {
      petsc_preconditioner(a, "-pc_type gamg -pc_gamg_treshold 0.02 -sub_pc_type ilu");
    } catch (const Error& error) {
      EXPECT_EQ(error.finding().found.rfind("-pc_gamg_treshold, -sub_pc_type", 0), 0U)
          << error.what();
      throw;
    }
  });
  for (const char* line : {"-options_file x", "-prefix_push x_", "-pc_typ none"})
    expect_refused_everywhere<InvalidArgument>("options.unknown",
                                               [&] { petsc_preconditioner(a, line); });
  EXPECT_NO_THROW(petsc_preconditioner(a,
                                       "-pc_type bjacobi -sub_pc_type ilu "
                                       "-sub_pc_factor_levels 1"));
  EXPECT_NO_THROW(petsc_solver(a, "-ksp_type gmres -ksp_rtol 1e-3 -ksp_max_it 4 -pc_type none"));
}

TEST(PetscOptions, whatIsNoOptionIsRefused) {
  const OwnMat a = laplacian(4);
  for (const char* line : {"gamg", "-pc_type gamg hypre", "-pc_type 'gamg"})
    expect_refused_everywhere<InvalidArgument>("options.syntax",
                                               [&] { petsc_preconditioner(a, line); });
  EXPECT_NO_THROW(petsc_solver(a, "-ksp_type richardson -ksp_richardson_scale -1"));
}

TEST(PetscOptions, mustBeTheSameOnAllRanks) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(4);
  for (int rank = 0; rank < world_size(); ++rank)
    expect_refused_everywhere<InvalidArgument>("options.differ", [&] {
      petsc_preconditioner(a, rank == world_rank() ? "-pc_type jacobi" : "-pc_type none");
    });
}

/// Handles may be destroyed in any order; PETSc's objects live as long as an operator needs them.
TEST(PetscOperator, outlivesTheHandlesOfItsObjects) {
  Op op;
  {
    const OwnMat a = laplacian(6);
    const OwnPc pc = pc_of(a, PCGAMG);
    op = pc_as_operator(pc);
  }
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  EXPECT_GT(Y.getVector(0)->norm2(), 0.0);
}

}  // namespace
}  // namespace daptor::test
