// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <petsc/private/petscimpl.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "../../examples/demo/allocations.hpp"
#include "daptor/petsc.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "probe.hpp"
#include "solvers/src/failed_reason.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using solvers::operator_as_mat;
using solvers::operator_as_pc;
using solvers::OwnedMat;

constexpr PetscInt local_counts[] = {5, 0, 1, 12, 3, 0, 7, 2};

PetscInt local_count() {
  return local_counts[world_rank() % 8];
}

Teuchos::RCP<Probe> probe() {
  return Teuchos::rcp(new Probe(map_of(local_count())));
}

OwnVec vec(PetscInt count = local_count()) {
  OwnVec x;
  VecCreateMPI(PETSC_COMM_WORLD, count, PETSC_DETERMINE, x.address());
  fill(x);
  return x;
}

/// PETSc applies a PC only if it has a matrix.
OwnPc pc_for(Mat mat) {
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  PCSetOperators(pc, mat, mat);
  return pc;
}

OwnPc pc_of(const Teuchos::RCP<Probe>& op) {
  const OwnedMat mat = operator_as_mat(probe(), PETSC_COMM_WORLD);
  OwnPc pc = pc_for(mat.get());
  operator_as_pc(op, pc);
  return pc;
}

/// The point at which a rank may be unable to hand over its Vecs.
std::string opening_of(Mat mat, Vec x, Vec y) {
  return first_point_of([&] { DAPTOR_EXPECT_OK(MatMult(mat, x, y)); });
}

void expect_result(Vec x, Vec y) {
  PetscInt first = 0;
  PetscInt last = 0;
  VecGetOwnershipRange(x, &first, &last);
  const PetscScalar* a = nullptr;
  const PetscScalar* b = nullptr;
  VecGetArrayRead(x, &a);
  VecGetArrayRead(y, &b);
  for (PetscInt i = 0; i < last - first; ++i)
    EXPECT_DOUBLE_EQ(b[i], 2.0 * a[i] + static_cast<double>(first + i));
  VecRestoreArrayRead(x, &a);
  VecRestoreArrayRead(y, &b);
}

TEST(Shell, theMatAppliesTheOperatorInTheMemoryOfTheVecs) {
  const auto op = probe();
  const OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
  const OwnVec x = vec();
  const OwnVec y = vec();
  DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
  EXPECT_EQ(op->x_data, memory_of(x));
  EXPECT_EQ(op->y_data, memory_of(y));
  EXPECT_TRUE(op->same_maps);
  EXPECT_TRUE(op->one_and_zero);
  EXPECT_EQ(op->columns, 1U);
  expect_result(x, y);
}

TEST(Shell, thePcAppliesTheOperatorInTheMemoryOfTheVecs) {
  const auto op = probe();
  const OwnPc pc = pc_of(op);
  const OwnVec x = vec();
  const OwnVec y = vec();
  DAPTOR_EXPECT_OK(PCApply(pc, x, y));
  EXPECT_EQ(op->x_data, memory_of(x));
  EXPECT_EQ(op->y_data, memory_of(y));
  expect_result(x, y);
  DAPTOR_EXPECT_OK(PCApplyTranspose(pc, x, y));
  EXPECT_EQ(op->last_mode, Teuchos::TRANS);
}

TEST(Shell, followsTheVecsWhereverTheirMemoryIs) {
  const auto op = probe();
  const OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
  std::vector<OwnVec> vecs;
  for (int i = 0; i < 6; ++i) vecs.push_back(vec());
  for (int round = 0; round < 3; ++round)
    for (std::size_t i = 0; i < vecs.size(); ++i) {
      const OwnVec& x = vecs[i];
      const OwnVec& y = vecs[(i + 1) % vecs.size()];
      DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
      EXPECT_EQ(op->x_data, memory_of(x));
      EXPECT_EQ(op->y_data, memory_of(y));
      expect_result(x, y);
    }
  std::vector<PetscScalar> elsewhere(static_cast<std::size_t>(local_count()) + 1, 0.25);
  VecPlaceArray(vecs[0], elsewhere.data());
  DAPTOR_EXPECT_OK(MatMult(mat.get(), vecs[0], vecs[1]));
  if (local_count() > 0) {
    EXPECT_EQ(op->x_data, elsewhere.data());
  }
  expect_result(vecs[0], vecs[1]);
  VecResetArray(vecs[0]);
}

TEST(Shell, normsAreRightAfterwards) {
  const OwnedMat mat = operator_as_mat(probe(), PETSC_COMM_WORLD);
  const OwnPc pc = pc_of(probe());
  const OwnVec x = vec();
  const OwnVec y = vec();
  for (int round = 0; round < 2; ++round) {
    VecSet(y, 1.0);
    PetscReal stale = 0;
    VecNorm(y, NORM_1, &stale);
    DAPTOR_EXPECT_OK(round == 0 ? MatMult(mat.get(), x, y) : PCApply(pc, x, y));
    PetscReal norm = 0;
    VecNorm(y, NORM_1, &norm);
    OwnVec fresh;
    VecDuplicate(y, fresh.address());
    VecCopy(y, fresh);
    VecScale(fresh, 1.0);
    PetscReal expected = 0;
    VecAbs(fresh);
    VecSum(fresh, &expected);
    EXPECT_NEAR(norm, expected, 1e-9 * (1 + expected));
    EXPECT_NE(norm, stale);
  }
}

/// A norm that another PETSc object on the same memory has cached is discarded too, on all ranks.
TEST(Shell, otherObjectsOnTheMemoryLearnOfTheWrite) {
  const OwnedMat mat = operator_as_mat(probe(), PETSC_COMM_WORLD);
  const std::string opening = opening_of(mat.get(), vec(), vec());
  for (int rank = -1; rank < world_size(); ++rank) {
    const OwnVec x = vec();
    const OwnVec y = vec();
    petsc::ImportedVec other = petsc::import_vec(petsc::export_vec(y));
    PetscReal norm = 0;
    VecNorm(other.get(), NORM_1, &norm);
    {
      const Fault fault(opening, rank);  // -1: no fault
      DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
    }
    PetscReal expected = 0;
    VecNorm(y, NORM_1, &expected);
    VecNorm(other.get(), NORM_1, &norm);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(norm));
    } else {
      EXPECT_DOUBLE_EQ(norm, expected);
    }
    // And the reverse: an import is written.
    PetscReal native = 0;
    DAPTOR_EXPECT_OK(MatMult(mat.get(), x, other.get()));
    VecNorm(y, NORM_1, &native);
    VecNorm(other.get(), NORM_1, &norm);
    EXPECT_DOUBLE_EQ(norm, native);
  }
}

TEST(Shell, theStateOfTheWrittenVecIsTheSameOnAllRanks) {
  const OwnedMat mat = operator_as_mat(probe(), PETSC_COMM_WORLD);
  const OwnVec x = vec();
  const OwnVec y = vec();
  PetscObjectState x_before = 0;
  PetscObjectState x_after = 0;
  PetscObjectStateGet(reinterpret_cast<PetscObject>(x.object), &x_before);
  for (int i = 0; i < 3; ++i) DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
  PetscObjectStateGet(reinterpret_cast<PetscObject>(x.object), &x_after);
  EXPECT_EQ(x_before, x_after);
  PetscObjectState state = 0;
  PetscObjectStateGet(reinterpret_cast<PetscObject>(y.object), &state);
  auto low = static_cast<std::int64_t>(state);
  std::int64_t high = low;
  MPI_Allreduce(MPI_IN_PLACE, &low, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &high, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(low, high);
}

TEST(Shell, allocatesNothingOfTheLengthOfAVector) {
  constexpr PetscInt count = 20000;
  const auto op = Teuchos::rcp(new Probe(map_of(count)));
  const OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
  const OwnPc pc = pc_for(mat.get());
  operator_as_pc(op, pc);
  std::vector<OwnVec> vecs;
  for (int i = 0; i < 4; ++i) vecs.push_back(vec(count));
  DAPTOR_EXPECT_OK(MatMult(mat.get(), vecs[0], vecs[1]));
  allocations::start(count);  // count allocations from an eighth of a vector on
  for (std::size_t i = 0; i < 100; ++i) {
    MatMult(mat.get(), vecs[i % 4], vecs[(i + 1) % 4]);
    PCApply(pc, vecs[(i + 1) % 4], vecs[(i + 2) % 4]);
  }
  const allocations::Count seen = allocations::stop();
  EXPECT_EQ(seen.number, 0U) << seen;
  allocations::start(count);
  const OwnVec copy = vec(count);
  EXPECT_GT(allocations::stop().number, 0U) << "the count counts";
}

TEST(Shell, keepsTheOperatorAliveUntilPetscLetsGo) {
  auto op = probe();
  const auto weak = op.create_weak();
  const OwnPc pc = pc_of(op);
  {
    OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
    op = Teuchos::null;
    const OwnVec x = vec();
    const OwnVec y = vec();
    DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
    expect_result(x, y);
    OwnedMat moved = std::move(mat);
    EXPECT_FALSE(mat);  // NOLINT: the state after a move is documented
    moved.close();
    EXPECT_FALSE(moved);
    moved.close();
  }
  EXPECT_TRUE(weak.is_valid_ptr());
  operator_as_pc(probe(), pc);  // replaces the first one, which is destroyed
  EXPECT_FALSE(weak.is_valid_ptr());
}

TEST(Shell, aMatHeldByPetscOutlivesItsHandle) {
  auto op = probe();
  OwnMat mat;
  {
    const OwnedMat owned = operator_as_mat(op, PETSC_COMM_WORLD);
    PetscObjectReference(reinterpret_cast<PetscObject>(owned.get()));
    mat.object = owned.get();
  }
  const OwnVec x = vec();
  const OwnVec y = vec();
  DAPTOR_EXPECT_OK(MatMult(mat, x, y));
  EXPECT_EQ(op->applications, 1);
}

TEST(Shell, anExceptionOfTheOperatorBecomesAPetscError) {
  const auto op = probe();
  const OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
  const OwnPc pc = pc_of(op);
  const OwnVec x = vec();
  const OwnVec y = vec();
  const Silence silence;
  op->before = [] { throw std::runtime_error("the operator's own words"); };
  EXPECT_EQ(static_cast<int>(MatMult(mat.get(), x, y)), static_cast<int>(PETSC_ERR_LIB));
  EXPECT_EQ(static_cast<int>(PCApply(pc, x, y)), static_cast<int>(PETSC_ERR_LIB));
  std::string text;  // with that of PetscErrorMessage
  try {
    petsc::detail::fail(PETSC_ERR_LIB, "MatMult");
  } catch (const LibraryFailed& error) {
    text = error.what();
  }
  EXPECT_NE(text.find("the operator's own words"), std::string::npos) << text;
  op->before = [] { throw 7; };
  EXPECT_EQ(static_cast<int>(MatMult(mat.get(), x, y)), static_cast<int>(PETSC_ERR_LIB));
  op->before = nullptr;
  DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
  expect_result(x, y);
}

/// One rank cannot hand over its Vec: all ranks apply, the result is not a number, and no rank
/// waits.
TEST(Shell, aFaultBeforeTheApplicationGivesNaNInsteadOfAHang) {
  const auto op = probe();
  const OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
  const OwnPc pc = pc_of(op);
  const std::string opening = opening_of(mat.get(), vec(), vec());
  for (int rank = 0; rank < world_size(); ++rank)
    for (const bool with_pc : {false, true}) {
      const OwnVec x = vec();
      const OwnVec y = vec();
      PetscReal norm = 0;
      VecNorm(y, NORM_2, &norm);
      const int before = op->applications;
      {
        const Fault fault(opening, rank);
        DAPTOR_EXPECT_OK(with_pc ? PCApply(pc, x, y) : MatMult(mat.get(), x, y));
      }
      EXPECT_EQ(op->applications, before + 1);
      VecNorm(y, NORM_2, &norm);
      const bool nothing_there = local_counts[rank % 8] == 0;
      EXPECT_EQ(std::isnan(norm), !nothing_there);
      if (with_pc) {
        PCFailedReason reason = PC_NOERROR;
        solvers::failed_reason(pc, &reason);
        EXPECT_EQ(reason, rank == world_rank() ? PC_SUBPC_ERROR : PC_NOERROR);
        PCSetFailedReason(pc, PC_NOERROR);
      }
      DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
      expect_result(x, y);
    }
}

TEST(Shell, aKspStopsOnAllRanksAfterAFaultOnOne) {
  const auto n = static_cast<PetscInt>(6);
  const OwnMat a = laplacian(n);
  const auto copy = solvers::copy_matrix(a);
  const OwnedMat same = operator_as_mat(copy, PETSC_COMM_WORLD);
  const Vectors vectors = vectors_of(a);
  const std::string opening = opening_of(same.get(), vectors.right, vectors.left);
  for (int rank = 0; rank < world_size(); ++rank) {
    OwnKsp ksp;
    KSPCreate(PETSC_COMM_WORLD, ksp.address());
    KSPSetOperators(ksp, a, a);
    KSPSetType(ksp, KSPGMRES);
    PC pc = nullptr;
    KSPGetPC(ksp, &pc);
    operator_as_pc(copy, pc);
    VecSet(vectors.left, 0.0);
    const Fault fault(opening, rank);
    DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.right, vectors.left));
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    KSPGetConvergedReason(ksp, &reason);
    EXPECT_EQ(reason, KSP_DIVERGED_PC_FAILED);
  }
}

TEST(Shell, aVecOfAnotherLengthIsRefusedByPetscOrUs) {
  const OwnedMat mat = operator_as_mat(probe(), PETSC_COMM_WORLD);
  const OwnVec x = vec(local_count() + 1);
  const OwnVec y = vec();
  const Silence silence;
  EXPECT_NE(static_cast<int>(MatMult(mat.get(), x, y)), 0);
}

TEST(Shell, refusesAnotherCommunicator) {
  expect_refused_everywhere<InvalidArgument>(
      "operator.null", [] { operator_as_mat(Teuchos::null, PETSC_COMM_WORLD); });
  if (world_size() == 1) return;
  const auto op = probe();
  EXPECT_THROW(operator_as_mat(op, PETSC_COMM_SELF), InvalidArgument);
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  expect_refused<InvalidArgument>("operator.communicator", [&] { operator_as_mat(op, reversed); });
  MPI_Comm_free(&reversed);
}

TEST(Shell, refusesMapsThatOverlap) {
  if (world_size() == 1) return;
  const auto replicated =
      Teuchos::rcp(new Map(7, 0, Tpetra::getDefaultComm(), Tpetra::LocallyReplicated));
  expect_refused_everywhere<NotRepresentable>("operator.map", [&] {
    operator_as_mat(Teuchos::rcp(new Probe(replicated)), PETSC_COMM_WORLD);
  });
  const std::vector<Map::global_ordinal_type> shared{world_rank(), world_rank() + 1};
  const auto overlapping = Teuchos::rcp(new Map(
      Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
      Teuchos::ArrayView<const Map::global_ordinal_type>(shared), 0, Tpetra::getDefaultComm()));
  expect_refused_everywhere<NotRepresentable>("operator.map", [&] {
    operator_as_mat(Teuchos::rcp(new Probe(overlapping)), PETSC_COMM_WORLD);
  });
}

TEST(Shell, takesMapsInAnyOrder) {
  std::vector<Map::global_ordinal_type> cyclic;
  for (int i = 0; i < 4; ++i) cyclic.push_back(world_rank() + i * world_size());
  const auto map = Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                        Teuchos::ArrayView<const Map::global_ordinal_type>(cyclic),
                                        0, Tpetra::getDefaultComm()));
  const auto op = Teuchos::rcp(new Probe(map));
  const OwnedMat mat = operator_as_mat(op, PETSC_COMM_WORLD);
  const OwnVec x = vec(4);
  const OwnVec y = vec(4);
  DAPTOR_EXPECT_OK(MatMult(mat.get(), x, y));
  EXPECT_EQ(op->x_data, memory_of(x));
  const PetscScalar* values = nullptr;
  const PetscScalar* given = nullptr;
  VecGetArrayRead(x, &given);
  VecGetArrayRead(y, &values);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_DOUBLE_EQ(values[i], 2.0 * given[i] + static_cast<double>(cyclic[i]));
  VecRestoreArrayRead(x, &given);
  VecRestoreArrayRead(y, &values);
}

TEST(Shell, aFaultOnOneRankIsThrownOnAll) {
  const auto op = probe();
  const auto nothing_left = [&] { EXPECT_EQ(op.strong_count(), 1); };
  Faults().expect_agreed([&] { operator_as_mat(op, PETSC_COMM_WORLD); }, nothing_left);
  Faults().expect_agreed(
      [&] {
        OwnPc pc;
        PCCreate(PETSC_COMM_WORLD, pc.address());
        try {
          operator_as_pc(op, pc);
        } catch (...) {
          PCType type = nullptr;
          PCGetType(pc, &type);
          // PETSc has no way back to a PC without a type.
          EXPECT_TRUE(type == nullptr || std::string(type) == PCNONE) << type;
          throw;
        }
      },
      nothing_left);
  nothing_left();
}

}  // namespace
}  // namespace daptor::test
