// SPDX-License-Identifier: BSD-3-Clause
// Matrices and blocks without rows, on any number of ranks: an empty preconditioner is the identity
// on empty vectors, and copies and shared matrices are empty.

#include <string>

#include <petscksp.h>

#include "../solvers/crs.hpp"
#include "daptor/daptor.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

const auto world = MPI_COMM_WORLD;
OwnMat empty_mat() {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 0, 0, 0, 0, 1, nullptr, 1, nullptr, a.address());
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

Teuchos::RCP<Crs> empty_crs(bool listed) {
  const auto comm = Tpetra::getDefaultComm();
  const auto map =
      listed ? Teuchos::rcp(new CrsMap(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                       Teuchos::ArrayView<const Global>(), 0, comm))
             : Teuchos::rcp(new CrsMap(0, 0, comm));
  const auto matrix = Teuchos::rcp(new Crs(map, 1));
  matrix->fillComplete();
  return matrix;
}

void expect_empty(Mat mat) {
  PetscInt rows = -1;
  PetscInt columns = -1;
  DAPTOR_EXPECT_OK(MatGetSize(mat, &rows, &columns));
  EXPECT_EQ(rows, 0);
  EXPECT_EQ(columns, 0);
}

TEST(NoRows, MatricesAreCopiedAndShared) {
  const OwnMat a = empty_mat();
  EXPECT_EQ(solvers::copy_matrix(a)->getGlobalNumRows(), 0U);
  EXPECT_EQ(solvers::share_matrix(a)->getGlobalNumRows(), 0U);
  for (const bool listed : {false, true}) {
    const auto crs = empty_crs(listed);
    const solvers::OwnedMat copy = solvers::copy_matrix(*crs);
    expect_empty(copy.get());
    solvers::copy_values(*crs, copy.get());
    const solvers::OwnedMat shared = solvers::share_matrix(crs);
    expect_empty(shared.get());
  }
}

/// Some ranks have no rows, others have some.
TEST(NoRows, OfSomeRanksAreShared) {
  for (int holder = 0; holder < world_size(); ++holder) {
    Counts rows(static_cast<std::size_t>(world_size()), 0);
    rows[static_cast<std::size_t>(holder)] = 3;
    const auto map = crs_map(rows, Ids::contiguous);
    const auto crs = Teuchos::rcp(new Crs(map, 1));
    for (PetscInt i = 0; i < mine(rows); ++i) {
      const Global row = map->getGlobalElement(i);
      const PetscScalar value = 2.0;
      crs->insertGlobalValues(row, 1, &value, &row);
    }
    crs->fillComplete();
    const solvers::OwnedMat shared = solvers::share_matrix(crs);
    PetscInt size = 0;
    DAPTOR_EXPECT_OK(MatGetSize(shared.get(), &size, nullptr));
    EXPECT_EQ(size, 3);
  }
}

TEST(NoRows, APetscPreconditionerIsTheIdentityOnNothing) {
  for (const bool listed : {false, true}) {
    const auto crs = empty_crs(listed);
    for (const char* options : {"-pc_type jacobi", "-pc_type bjacobi"}) {
      const auto preconditioner = solvers::petsc_preconditioner(crs, options);
      Tpetra::MultiVector<PetscScalar> x(crs->getDomainMap(), 2);
      Tpetra::MultiVector<PetscScalar> y(crs->getRangeMap(), 2);
      preconditioner->apply(x, y);
      EXPECT_EQ(y.getGlobalLength(), 0U);
    }
  }
}

TEST(NoRows, AnOperatorIsAPc) {
  const OwnMat a = empty_mat();
  OwnVec x;
  OwnVec y;
  DAPTOR_EXPECT_OK(MatCreateVecs(a, x.address(), y.address()));
  OwnPc pc;
  DAPTOR_EXPECT_OK(PCCreate(PETSC_COMM_WORLD, pc.address()));
  const auto crs = empty_crs(false);
  solvers::operator_as_pc(Teuchos::RCP<const solvers::Operator>(crs), pc);
  DAPTOR_EXPECT_OK(PCSetOperators(pc, a, a));
  DAPTOR_EXPECT_OK(PCApply(pc, x, y));
}

TEST(NoRows, ArraysOfSizeZero) {
  const DistArray a = allocate<PetscScalar>({block(0, {world_size(), world_rank()})}).on(world);
  for (const auto numbering : {Numbering::natural, Numbering::contiguous}) {
    const tpetra::MapOptions options{numbering, tpetra::Part::owned, 0};
    EXPECT_EQ(tpetra::import_map(a, options)->getGlobalNumElements(), 0U);
    const auto x = tpetra::import_vector<PetscScalar>(a, options);
    EXPECT_EQ(x.get()->getGlobalLength(), 0U);
    const DistArray back = tpetra::export_multivector(x.get());
    EXPECT_EQ(back.dimension(0), block(0, {world_size(), world_rank()}, IndexRange{0, 0}));
    const auto vec = petsc::import_vec(back);
    PetscInt size = -1;
    DAPTOR_EXPECT_OK(VecGetSize(vec.get(), &size));
    EXPECT_EQ(size, 0);
  }
}

OwnMat tridiagonal(PetscInt size) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, size, size, 3, nullptr, 2, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) {
    MatSetValue(a, r, r, 2.5, INSERT_VALUES);
    if (r > 0) MatSetValue(a, r, r - 1, -1.0, INSERT_VALUES);
    if (r + 1 < size) MatSetValue(a, r, r + 1, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// Fields, of which the second is empty in this step.
void solve_fields(const OwnMat& a, const char* inner) {
  const std::string options =
      std::string("-fieldsplit_a_pc_type ") + inner + " -fieldsplit_b_pc_type " + inner;
  const WithOptions chosen(options.c_str());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  Owned<IS, ISDestroy> all;
  Owned<IS, ISDestroy> none;
  ISCreateStride(PETSC_COMM_WORLD, last - first, first, 1, all.address());
  ISCreateStride(PETSC_COMM_WORLD, 0, last, 1, none.address());
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOperators(ksp, a, a);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCFIELDSPLIT);
  PCFieldSplitSetIS(pc, "a", all);
  PCFieldSplitSetIS(pc, "b", none);
  DAPTOR_EXPECT_OK(KSPSetFromOptions(ksp));
  OwnVec x;
  OwnVec b;
  MatCreateVecs(a, x.address(), b.address());
  VecSet(b, 1.0);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, b, x)) << inner;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  KSPGetConvergedReason(ksp, &reason);
  EXPECT_GT(reason, 0) << inner;
}

TEST(NoRows, AFieldOfAFieldsplit) {
  const OwnMat a = tridiagonal(40);
  for (const char* inner : {"ifpack2", "muelu"}) solve_fields(a, inner);
}

TEST(NoRows, AMatrixOfThePlugin) {
  const WithOptions with("-pc_muelu_set \"reuse: type=full\"");
  const OwnMat a = empty_mat();
  for (const char* type : {"ifpack2", "muelu"}) {
    OwnPc pc;
    OwnVec x;
    OwnVec y;
    MatCreateVecs(a, x.address(), y.address());
    DAPTOR_EXPECT_OK(PCCreate(PETSC_COMM_WORLD, pc.address()));
    DAPTOR_EXPECT_OK(PCSetType(pc, type)) << type;
    DAPTOR_EXPECT_OK(PCSetFromOptions(pc)) << type;
    DAPTOR_EXPECT_OK(PCSetOperators(pc, a, a));
    DAPTOR_EXPECT_OK(PCSetUp(pc)) << type;
    DAPTOR_EXPECT_OK(PCApply(pc, x, y)) << type;
    // New values, of which there are none.
    const Mat mat = a;
    const auto object = reinterpret_cast<PetscObject>(mat);
    PetscObjectState state = 0;
    DAPTOR_EXPECT_OK(PetscObjectStateGet(object, &state));
    DAPTOR_EXPECT_OK(PetscObjectStateSet(object, state + 1));
    DAPTOR_EXPECT_OK(PCSetUp(pc)) << type;
    DAPTOR_EXPECT_OK(PCApply(pc, x, y)) << type;
    // The matrix of the next step has rows.
    const OwnMat grown = tridiagonal(12);
    DAPTOR_EXPECT_OK(PCReset(pc));
    DAPTOR_EXPECT_OK(PCSetOperators(pc, grown, grown));
    DAPTOR_EXPECT_OK(PCSetUp(pc)) << type;
  }
}

}  // namespace
}  // namespace daptor::test
