// SPDX-License-Identifier: BSD-3-Clause
// hypre's vectors and matrices as arrays and back, and BoomerAMG in the memory of a MultiVector
// beside PETSc's hypre, to the last digit. With another hypre than PETSc's, the latter is left out.
#include <gtest/gtest.h>

#include <petscksp.h>
#include <petscmathypre.h>
#include <petscpkg_version.h>

#include <daptor/hypre.hpp>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/csr_product.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/validate.hpp"
#include "everywhere.hpp"
#include "form_rows.hpp"

#define main laplace_main
#include "hypre/examples/laplace.cpp"  // NOLINT(bugprone-suspicious-include)
#undef main

#if HYPRE_RELEASE_NUMBER / 100 == \
    100 * PETSC_PKG_HYPRE_VERSION_MAJOR + PETSC_PKG_HYPRE_VERSION_MINOR
#define DAPTOR_TEST_PETSCS_HYPRE
#endif

namespace daptor::hypre::test {
namespace {

using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;
using daptor::test::line;
using daptor::test::world_rank;
using daptor::test::world_size;

const MPI_Comm world = MPI_COMM_WORLD;

class Running final : public testing::Environment {
  void SetUp() override { HYPRE_Init(); }
};
const testing::Environment* const running = testing::AddGlobalTestEnvironment(new Running);

/// 4 elements on each process but the last of several, which has none.
Dimension uneven() {
  const Index owners = std::max(1, world_size() - 1);
  const auto bound = [&](Index rank) { return 4 * std::min(rank, owners); };
  return block(4 * owners, line(), IndexRange{bound(world_rank()), bound(world_rank() + 1)});
}

TEST(ImportVector, WorksInTheArraysMemory) {
  const DistArray a = allocate<double>({uneven()}).on(world);
  auto v = import_vector(a);
  HYPRE_ParVectorSetConstantValues(v.get(), 3.0);
  v.modified();
  const auto* const values = static_cast<const double*>(a.data());
  EXPECT_EQ(std::count(values, values + a.owned_count(), 3.0), a.owned_count());
  double product = 0;
  HYPRE_ParVectorInnerProd(v.get(), v.get(), &product);
  EXPECT_EQ(product, 9.0 * static_cast<double>(a.dimension(0).global_size()));
  // And back.
  const DistArray again = describe(v.ij());
  EXPECT_EQ(again.data(), a.data());
  EXPECT_EQ(again.dimension(0), a.dimension(0));
  EXPECT_TRUE(validate(again));
  const DistArray b = allocate<double>({uneven()}).on(world);
  v.rebind(b);
  HYPRE_ParVectorSetConstantValues(v.get(), 5.0);
  EXPECT_EQ(std::count(values, values + a.owned_count(), 3.0), a.owned_count());
  // hypre's own way to set values works, too.
  if (a.owned_count() > 0) {
    const auto row = static_cast<HYPRE_BigInt>(a.dimension(0).as<Block>()->owned.start);
    const double seven = 7.0;
    EXPECT_EQ(HYPRE_IJVectorSetValues(v.ij(), 1, &row, &seven), 0);
    EXPECT_EQ(*static_cast<const double*>(b.data()), 7.0);
  }
}

TEST(ImportVector, GhostsStayOutside) {
  const Index n = 4 * world_size();
  const std::vector<Index> ghosts = {(4 * world_rank() + 4) % n};
  const DistArray a =
      allocate<double>(
          {block_then_ghosts(n, line(), world_size() > 1 ? ghosts : std::vector<Index>{})})
          .on(world);
  const auto v = import_vector(a);
  HYPRE_ParVectorSetConstantValues(v.get(), 1.0 + world_rank());
  v.modified();
  update_padding(a);
  if (world_size() > 1) {
    EXPECT_EQ(static_cast<const double*>(a.data())[4], 1.0 + (world_rank() + 1) % world_size());
  }
}

TEST(ImportVector, RefusalsAndFaultsAreThoseOfAllRanks) {
  daptor::test::expect_form<double>("hypre.vector", [](const DistArray& a) { import_vector(a); },
                                    {".order"});
  const DistArray a = allocate<double>({uneven()}).on(world);
  Faults().expect_agreed([&] { import_vector(a); });
}

#if HYPRE_RELEASE_NUMBER >= 22900
TEST(ImportVector, WithoutHypreIsRefused) {
  const DistArray a = allocate<double>({uneven()}).on(world);
  HYPRE_Finalize();
  expect_refused_everywhere<InvalidArgument>("hypre.not-initialized", [&] { import_vector(a); });
  HYPRE_Init();
  EXPECT_TRUE(import_vector(a));
}
#endif

TEST(Describe, SeveralComponents) {
  HYPRE_IJVector v = nullptr;
  const HYPRE_BigInt first = 3 * world_rank();
  HYPRE_IJVectorCreate(world, first, first + 2, &v);
  HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
  HYPRE_IJVectorSetNumComponents(v, 2);
  HYPRE_IJVectorInitialize(v);
  for (HYPRE_Int k = 0; k < 2; ++k) {
    HYPRE_IJVectorSetComponent(v, k);
    for (HYPRE_BigInt row = first; row < first + 3; ++row) {
      const double value = 100.0 * k + row;
      HYPRE_IJVectorSetValues(v, 1, &row, &value);
    }
  }
  const DistArray a = describe(v);
  ASSERT_EQ(a.ndim(), 2);
  const auto X = tpetra::import_multivector<double>(a);
  EXPECT_EQ(X.get()->getNumVectors(), 2U);
  EXPECT_EQ(X.get()->getData(1)[2], 100.0 + first + 2);
  HYPRE_IJVectorDestroy(v);
}

#ifdef DAPTOR_TEST_PETSCS_HYPRE
/// PETSc's choices for BoomerAMG, as `-pc_hypre_boomeramg_...` has them by default.
void set_as_petsc_does(HYPRE_Solver amg) {
  HYPRE_BoomerAMGSetMaxLevels(amg, 25);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_BoomerAMGSetTol(amg, 0.0);
  HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
  HYPRE_BoomerAMGSetMaxRowSum(amg, 0.9);
  HYPRE_BoomerAMGSetCoarsenType(amg, 6);
  HYPRE_BoomerAMGSetMeasureType(amg, 0);
  HYPRE_BoomerAMGSetAggNumLevels(amg, 0);
  HYPRE_BoomerAMGSetNumPaths(amg, 1);
  HYPRE_BoomerAMGSetNumSweeps(amg, 1);
  HYPRE_BoomerAMGSetRelaxType(amg, 6);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, 6, 1);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, 6, 2);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, 9, 3);
  HYPRE_BoomerAMGSetRelaxWt(amg, 1.0);
  HYPRE_BoomerAMGSetOuterWt(amg, 1.0);
  HYPRE_BoomerAMGSetRelaxOrder(amg, 1);
  HYPRE_BoomerAMGSetInterpType(amg, 0);
  HYPRE_BoomerAMGSetTruncFactor(amg, 0.0);
  HYPRE_BoomerAMGSetPMaxElmts(amg, 0);
  HYPRE_BoomerAMGSetPrintLevel(amg, 0);
}

/// Both columns of B, in the memory of X and B, by hypre.
void solve_in(const DistArray& X, const DistArray& B, HYPRE_ParCSRMatrix A) {
  const auto column = [](const DistArray& of, Index k) {
    auto* const data = static_cast<double*>(of.mutable_data());
    return daptor::describe(data + k * of.byte_strides().front() / 8, of.local_count() / 2,
                            {of.dimension(1)})
        .on(of.comm());
  };
  auto x = import_vector(column(X, 0)), b = import_vector(column(B, 0));
  HYPRE_Solver amg = nullptr;
  HYPRE_BoomerAMGCreate(&amg);
  set_as_petsc_does(amg);
  HYPRE_BoomerAMGSetup(amg, A, b.get(), x.get());
  for (Index k = 0; k < 2; ++k) {
    x.rebind(column(X, k));
    b.rebind(column(B, k));
    HYPRE_BoomerAMGSolve(amg, A, b.get(), x.get());
  }
  X.modified();
  HYPRE_BoomerAMGDestroy(amg);
}

TEST(BoomerAMG, OnAMultiVectorIsPetscsToTheLastDigit) {
  const laplace::Equations equations(30, world);
  const auto parcsr =
      laplace::object_of<HYPRE_ParCSRMatrix>(equations.matrix, HYPRE_IJMatrixGetObject);
  const CsrArrays rows = copy_csr(parcsr);
  const auto M = petsc::copy_csr(rows);
  // PETSc's copy, whose entries are in the order in which PETSc's hypre sums them up.
  Mat converted = nullptr;
  MatConvert(M.get(), MATHYPRE, MAT_INITIAL_MATRIX, &converted);
  hypre_ParCSRMatrix* A = nullptr;
  MatHYPREGetParCSR(converted, &A);
  const auto T = tpetra::copy_csr<double>(rows);
  using MultiVector = Tpetra::MultiVector<double>;
  const auto X = Teuchos::rcp(new MultiVector(T->getDomainMap(), 2));
  const auto B = Teuchos::rcp(new MultiVector(T->getDomainMap(), 2));
  const auto x = Teuchos::rcp(new MultiVector(T->getDomainMap(), 2));
  B->randomize();
  solve_in(tpetra::export_multivector(X), tpetra::export_multivector(B),
           reinterpret_cast<HYPRE_ParCSRMatrix>(A));

  const auto op = solvers::petsc_preconditioner(M.get(), "-pc_type hypre");
  op->apply(*B, *x);
  EXPECT_GT(x->getVector(0)->norm2(), 0.0);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto ours = X->getData(k), petscs = x->getData(k);
    EXPECT_TRUE(std::equal(ours.begin(), ours.end(), petscs.begin())) << "column " << k;
  }
  MatDestroy(&converted);
}
#endif

/// A square matrix of hypre. Rank r has `rows(r)` rows; entry 0 of a row is its diagonal.
struct Matrix {
  Matrix(const std::function<Index(int)>& rows, bool coupled) {
    HYPRE_BigInt first = 0, all = 0;
    for (int r = 0; r < world_size(); ++r) {
      if (r == world_rank()) first = all;
      all += static_cast<HYPRE_BigInt>(rows(r));
    }
    const auto count = static_cast<HYPRE_BigInt>(rows(world_rank()));
    HYPRE_IJMatrixCreate(world, first, first + count - 1, first, first + count - 1, &ij);
    HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(ij);
    for (HYPRE_BigInt row = first; row < first + count; ++row) {
      std::vector<HYPRE_BigInt> columns;
      for (HYPRE_BigInt c = all; c-- > 0;)
        if ((c * 3 + row) % 2 == 0 && (coupled || (c >= first && c < first + count)))
          columns.push_back(c);
      std::vector<double> values;
      for (const HYPRE_BigInt c : columns) values.push_back(100.0 * row + c + 1);
      auto length = static_cast<HYPRE_Int>(columns.size());
      HYPRE_IJMatrixSetValues(ij, 1, &length, &row, columns.data(), values.data());
    }
    HYPRE_IJMatrixAssemble(ij);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { HYPRE_IJMatrixDestroy(ij); }
  HYPRE_ParCSRMatrix get() const {
    return laplace::object_of<HYPRE_ParCSRMatrix>(ij, HYPRE_IJMatrixGetObject);
  }

  HYPRE_IJMatrix ij = nullptr;
};

#ifdef DAPTOR_TEST_PETSCS_HYPRE
/// PETSc 3.22 gives a process without rows one row.
bool same_rows_everywhere(Mat a, Mat b) {
  PetscInt rows[2] = {};
  MatGetLocalSize(a, &rows[0], nullptr);
  MatGetLocalSize(b, &rows[1], nullptr);
  int same = rows[0] == rows[1] ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, world);
  return same == 1;
}
#endif

void expect_petscs_copy(HYPRE_ParCSRMatrix A) {
  const petsc::OwnedMat described = petsc::copy_csr(describe(A));
  const petsc::OwnedMat copied = petsc::copy_csr(hypre::copy_csr(A));
  PetscBool equal = PETSC_FALSE;
  MatEqual(described.get(), copied.get(), &equal);
  EXPECT_EQ(equal, PETSC_TRUE);
#ifdef DAPTOR_TEST_PETSCS_HYPRE
  Mat petscs = nullptr;
  MatCreateFromParCSR(reinterpret_cast<hypre_ParCSRMatrix*>(A), MATAIJ, PETSC_COPY_VALUES, &petscs);
  if (same_rows_everywhere(petscs, described.get())) {
    MatEqual(petscs, described.get(), &equal);
    EXPECT_EQ(equal, PETSC_TRUE);
  }
  MatDestroy(&petscs);
#endif
}

TEST(DescribeMatrix, IsPetscsCopy) {
  const Matrix all_have_rows([](int rank) { return Index{40 + rank}; }, true);
  expect_petscs_copy(all_have_rows.get());
  const auto rows = [](int rank) { return Index{rank == 1 ? 0 : 40 + rank}; };
  for (const bool coupled : {true, false}) {
    const Matrix matrix(rows, coupled);
    expect_petscs_copy(matrix.get());
    const SplitRows described = describe(matrix.get());
    EXPECT_EQ(described.own.values.data(),
              hypre_CSRMatrixData(
                  hypre_ParCSRMatrixDiag(reinterpret_cast<hypre_ParCSRMatrix*>(matrix.get()))));
    EXPECT_EQ(described.other_columns.owned_count() > 0,
              coupled && world_size() > 1 && !described.rows.empty());
    Faults().expect_agreed([&] { petsc::copy_csr(described); });
  }
  const Matrix empty([](int /*rank*/) { return Index{0}; }, false);
  expect_petscs_copy(empty.get());
  EXPECT_THROW(describe(HYPRE_ParCSRMatrix{}), InvalidArgument);
}

TEST(CopyCsr, ThereAndBack) {
  const laplace::Equations equations(6, world);
  const auto parcsr =
      laplace::object_of<HYPRE_ParCSRMatrix>(equations.matrix, HYPRE_IJMatrixGetObject);
  const CsrArrays rows = copy_csr(parcsr);
  const DistArray b = describe(equations.b);
  const DistArray y = allocate<double>(b.dimensions()).on(world);
  multiply(rows, b, y);
  const DistArray z = allocate<double>(b.dimensions()).on(world);
  const auto b_vector = import_vector(b), z_vector = import_vector(z);
  const OwnedMatrix again = copy_csr(rows);
  HYPRE_ParCSRMatrixMatvec(1.0, again.get(), b_vector.get(), 0.0, z_vector.get());
  const auto* const found = static_cast<const double*>(z.data());
  EXPECT_TRUE(std::equal(found, found + z.owned_count(), static_cast<const double*>(y.data())));
  Faults().expect_agreed([&] { copy_csr(parcsr); });
  Faults().expect_agreed([&] { copy_csr(rows); });
}

TEST(Examples, Laplace) {
  EXPECT_TRUE(laplace::run(20));
}

}  // namespace
}  // namespace daptor::hypre::test
