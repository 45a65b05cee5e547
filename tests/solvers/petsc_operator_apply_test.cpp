// SPDX-License-Identifier: BSD-3-Clause
// A Mat applied to multivectors: in their memory, with any layout, columns, mode and factors, and
// without allocations.

#include <cmath>

#include "../../examples/demo/allocations.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#include "petsc_operators.hpp"

namespace daptor::test {
namespace {

using solvers::mat_as_operator;
using solvers::petsc_preconditioner;

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

/// Norms that PETSc has cached of vectors that are then written are discarded on all ranks.
TEST(PetscOperator, normsOfImportedVectorsAreRightAfterwards) {
  const OwnMat a = laplacian(8);
  const Op op = mat_as_operator(a);
  const Vectors vectors = vectors_of(a);
  const auto X = tpetra::import_multivector<double>(petsc::export_vec(vectors.right));
  const auto Y = tpetra::import_multivector<double>(petsc::export_vec(vectors.left));
  op->apply(*X.get(), *Y.get());  // the first one also looks at their Maps
  const std::string opening = first_point_of([&] { op->apply(*X.get(), *Y.get()); });
  for (int rank = -1; rank < world_size(); ++rank) {
    VecSet(vectors.left, 1.0);
    PetscReal norm = 0;
    VecNorm(vectors.left, NORM_1, &norm);
    {
      const Fault fault(opening, rank);  // -1: no fault
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

}  // namespace
}  // namespace daptor::test
