// SPDX-License-Identifier: BSD-3-Clause
#include "applied.hpp"

#include <algorithm>
#include <limits>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "failed_reason.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

template <class... Types>
bool is_any(PetscObject object, Types... types) {
  PetscBool match = PETSC_FALSE;
  petsc::detail::check(PetscObjectBaseTypeCompareAny(object, &match, types..., ""),
                       "PetscObjectBaseTypeCompareAny");
  return match == PETSC_TRUE;
}

[[noreturn]] void refuse_matrix(const char* found) {
  adapter::refuse_argument(
      "operator.matrix", found, "a matrix, which determines the layouts of the vectors",
      "First call " + petsc::names::function("PCSetOperators") + " or " +
          petsc::names::function("KSPSetOperators") + " with matrices whose sizes are set.");
}

PCFailedReason reason_of(PC pc) {
  PCFailedReason reason = PC_NOERROR;
  petsc::detail::check(failed_reason(pc, &reason), "PCGetFailedReason");
  return reason;
}
std::string failure_of(PC pc) {
  const PCFailedReason reason = reason_of(pc);
  return reason == PC_NOERROR ? std::string() : PCFailedReasons[reason];
}

constexpr PetscReal not_a_number = std::numeric_limits<PetscReal>::quiet_NaN();

/// Fills this rank's part of the columns with NaN.
void spoil(Mat columns) {
  PetscInt rows = 0;
  PetscInt count = 0;
  PetscScalar* data = nullptr;
  call("MatGetLocalSize", MatGetLocalSize, columns, &rows, nullptr);
  call("MatGetSize", MatGetSize, columns, nullptr, &count);
  call("MatDenseGetArrayWrite", MatDenseGetArrayWrite, columns, &data);
  std::fill_n(data, rows * count, PetscScalar(not_a_number));  // contiguous
  call("MatDenseRestoreArrayWrite", MatDenseRestoreArrayWrite, columns, &data);
}

/// Whether the PC is a factorization, which solves for several right-hand sides at once.
bool factors(PC pc) {
  return is_any(petsc::detail::object(pc), PCLU, PCCHOLESKY, PCILU, PCICC);
}

bool applies_transpose(PC pc) {
  PCType type = nullptr;
  call("PCGetType", PCGetType, pc, &type);
  if (type == nullptr) return false;
  PetscBool exists = PETSC_FALSE;
  call("PCApplyTransposeExists", PCApplyTransposeExists, pc, &exists);
  return exists == PETSC_TRUE;
}

/// Whether a matrix can be multiplied with several columns at once; the same on all ranks. In PETSc
/// 3.25 the product of an MPIAIJ with an MPIDENSE matrix writes through a null pointer on a rank
/// that has rows but no columns: the array that it writes to has one element for each column. A
/// probe would crash, so the version decides. 3.24 and 3.26 are right, and so is the main branch
/// since July 2026, for which PETSC_VERSION_LT is always false.
bool has_product([[maybe_unused]] Mat mat) {
#if PETSC_VERSION_GE(3, 25, 0) && PETSC_VERSION_LT(3, 26, 0)
  if (is_any(petsc::detail::object(mat), MATMPIAIJ)) {
    PetscMPIInt size = 0;
    const PetscInt* starts = nullptr;  // of all ranks, and then the number of columns
    MPI_Comm_size(PetscObjectComm(petsc::detail::object(mat)), &size);
    call("MatGetOwnershipRangesColumn", MatGetOwnershipRangesColumn, mat, &starts);
    return std::adjacent_find(starts, starts + size + 1) == starts + size + 1;
  }
#endif
  return true;
}

class AppliedMat final : public Applied {
 public:
  explicit AppliedMat(Mat mat) : Applied(petsc::detail::object(mat)), mat_(mat) {}

  Mat matrix() const override { return mat_; }
  bool inverse() const override { return false; }
  bool has_transpose() const override {
    PetscBool has = PETSC_FALSE;
    call("MatHasOperation", MatHasOperation, mat_, MATOP_MULT_TRANSPOSE, &has);
    return has == PETSC_TRUE && transpose_is_right();
  }
  void set_up() override {}
  void apply(Vec x, Vec y, bool transpose) override {
    if (transpose)
      call("MatMultTranspose", MatMultTranspose, mat_, x, y);
    else
      call("MatMult", MatMult, mat_, x, y);
  }
  bool takes_columns(bool transpose) const override {
    return !transpose &&
           is_any(object(), MATSEQAIJ, MATMPIAIJ, MATSEQBAIJ, MATMPIBAIJ, MATSEQSBAIJ, MATMPISBAIJ,
                  MATSEQDENSE, MATMPIDENSE) &&
           has_product(mat_);
  }
  std::int64_t pattern() const override {
    PetscObjectState state = 0;
    call("MatGetNonzeroState", MatGetNonzeroState, mat_, &state);
    return static_cast<std::int64_t>(state);
  }
  void apply_columns(Mat x, Mat y, bool same) override {
    if (!same) {
      call("MatProductCreateWithMat", MatProductCreateWithMat, mat_, x, nullptr, y);
      call("MatProductSetType", MatProductSetType, y, MATPRODUCT_AB);
      call("MatProductSetFromOptions", MatProductSetFromOptions, y);
      call("MatProductSymbolic", MatProductSymbolic, y);
    }
    call("MatProductNumeric", MatProductNumeric, y);
  }

 private:
  Mat mat_;
};

class AppliedPc final : public Applied {
 public:
  explicit AppliedPc(PC pc) : Applied(petsc::detail::object(pc)), pc_(pc) {}

  Mat matrix() const override {
    PetscBool set = PETSC_FALSE;
    Mat matrix = nullptr;
    call("PCGetOperatorsSet", PCGetOperatorsSet, pc_, nullptr, &set);
    if (set != PETSC_TRUE) refuse_matrix("a PC without matrices");
    call("PCGetOperators", PCGetOperators, pc_, nullptr, &matrix);
    return matrix;
  }
  bool has_transpose() const override { return applies_transpose(pc_); }
  PC preconditioner() const override { return pc_; }
  void set_up() override {
    call("PCSetUp", PCSetUp, pc_);
    call("PCSetUpOnBlocks", PCSetUpOnBlocks, pc_);
  }
  std::string failure() const override { return failure_of(pc_); }
  void apply(Vec x, Vec y, bool transpose) override {
    if (transpose)
      call("PCApplyTranspose", PCApplyTranspose, pc_, x, y);
    else
      call("PCApply", PCApply, pc_, x, y);
    if (reason_of(pc_) != PC_NOERROR) call("VecSet", VecSet, y, PetscScalar(not_a_number));
  }
  bool takes_columns(bool transpose) const override { return !transpose && factors(pc_); }
  void apply_columns(Mat x, Mat y, bool) override {
    call("PCMatApply", PCMatApply, pc_, x, y);
    if (reason_of(pc_) != PC_NOERROR) spoil(y);
  }
  void report(OperatorStatus& status) const override {
    if (reason_of(pc_) != PC_NOERROR) ++status.failed;
  }

 private:
  PC pc_;
};

class AppliedKsp final : public Applied {
 public:
  explicit AppliedKsp(KSP ksp) : Applied(petsc::detail::object(ksp)), ksp_(ksp) {}

  Mat matrix() const override {
    PetscBool set = PETSC_FALSE;
    Mat matrix = nullptr;
    call("KSPGetOperatorsSet", KSPGetOperatorsSet, ksp_, &set, nullptr);
    if (set != PETSC_TRUE) refuse_matrix("a KSP without matrices");
    call("KSPGetOperators", KSPGetOperators, ksp_, &matrix, nullptr);
    return matrix;
  }
  bool has_transpose() const override { return applies_transpose(pc()) && transpose_is_right(); }
  PC preconditioner() const override { return pc(); }
  void set_up() override {
    call("KSPSetUp", KSPSetUp, ksp_);
    call("KSPSetUpOnBlocks", KSPSetUpOnBlocks, ksp_);
  }
  std::string failure() const override { return failure_of(pc()); }
  void apply(Vec x, Vec y, bool transpose) override {
    PetscBool starts_from_y = PETSC_FALSE;
    call("KSPGetInitialGuessNonzero", KSPGetInitialGuessNonzero, ksp_, &starts_from_y);
    if (starts_from_y == PETSC_TRUE) call("VecSet", VecSet, y, PetscScalar(0));
    if (transpose)
      call("KSPSolveTranspose", KSPSolveTranspose, ksp_, x, y);
    else
      call("KSPSolve", KSPSolve, ksp_, x, y);
  }
  bool takes_columns(bool transpose) const override {
    return !transpose && is_any(object(), KSPPREONLY) && factors(pc());
  }
  void apply_columns(Mat x, Mat y, bool) override { call("KSPMatSolve", KSPMatSolve, ksp_, x, y); }
  void report(OperatorStatus& status) const override {
    PetscInt iterations = 0;
    call("KSPGetIterationNumber", KSPGetIterationNumber, ksp_, &iterations);
    call("KSPGetConvergedReason", KSPGetConvergedReason, ksp_, &status.last_reason);
    status.iterations += iterations;
    if (status.last_reason < 0) ++status.failed;
  }

 private:
  PC pc() const {
    PC pc = nullptr;
    call("KSPGetPC", KSPGetPC, ksp_, &pc);
    return pc;
  }
  KSP ksp_;
};

}  // namespace

Applied::Applied(PetscObject object) : object_(object), session_(petsc::detail::require_running()) {
  call("PetscObjectReference", PetscObjectReference, object_);
}

Applied::~Applied() {
  if (petsc::detail::alive(session_)) {
    static_cast<void>(PetscObjectDereference(object_));
  } else {
    petsc::detail::note_outlived();
  }
}

void Applied::require_alive() const {
  petsc::detail::require_alive(session_);
}

std::string Applied::name() const {
  const char* class_name = nullptr;
  const char* type = nullptr;
  call("PetscObjectGetClassName", PetscObjectGetClassName, object_, &class_name);
  call("PetscObjectGetType", PetscObjectGetType, object_, &type);
  return std::string(class_name) + " (" + (type == nullptr ? "no type" : type) + ")";
}

std::unique_ptr<Applied> applied(Mat mat) {
  return std::make_unique<AppliedMat>(mat);
}
std::unique_ptr<Applied> applied(PC pc) {
  return std::make_unique<AppliedPc>(pc);
}
std::unique_ptr<Applied> applied(KSP ksp) {
  return std::make_unique<AppliedKsp>(ksp);
}

}  // namespace daptor::solvers
