// SPDX-License-Identifier: BSD-3-Clause
#include "coarse_pc.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "database_options.hpp"
#include "irregular.hpp"
#include "null_vectors.hpp"
#include "sor_diagonal.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using petsc::detail::check;
using petsc::detail::Guard;

/// Places arrays under a Vec for the length of a scope.
class Placed {
 public:
  Placed(Vec vec, const PetscScalar* data) : vec_(vec) {
    call("VecPlaceArray", VecPlaceArray, vec_, data);
  }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;
  ~Placed() { static_cast<void>(VecResetArray(vec_)); }

 private:
  Vec vec_;
};

}  // namespace

CoarsePc::CoarsePc(const LocalRows& rows, const CoarseSolver& options, PetscInt null_vectors,
                   Call& call)
    : session_(petsc::detail::require_session()) {
  Agreed<bool> full;
  call.check([&] { full = call.all(!rows.zero_diagonal); });
  try {
    call.library("petsc", "PCSetType", Patience{},
                 [&] { make(rows, call.comm()->mpi(), options, !full); });
    require_sor_diagonal(call.check([&] { return sweeping_of(pc_); }), "the coarsest level",
                         "another coarse solver, such as redundant", call);
    call.library("petsc", "PCSetUp", Patience{},
                 [&] { petsc::detail::call("PCSetUp", PCSetUp, pc_); });
    require_working(rows.count(), call);
    if (!full) require_solving(call);
    if (null_vectors > 0)
      call.library("petsc", "MatNullSpaceCreate", Patience{},
                   [&] { find_null_space(null_vectors); });
  } catch (...) {
    destroy();
    throw;
  }
}

CoarsePc::~CoarsePc() {
  destroy();
}

void CoarsePc::make(const LocalRows& rows, MPI_Comm comm, const CoarseSolver& options,
                    bool reorder) {
  const PetscInt count = rows.count();
  create_mat(comm, rows, count, &matrix_);
  for (Vec* vec : {&right_side_, &solution_})
    call("VecCreateMPIWithArray", VecCreateMPIWithArray, comm, PetscInt{1}, count,
         PetscInt{PETSC_DETERMINE}, static_cast<const PetscScalar*>(nullptr), vec);

  call("PCCreate", PCCreate, comm, &pc_);
  call("PCSetOperators", PCSetOperators, pc_, matrix_, matrix_);
  set_type(options);
  // Has no effect on other types than LU, and none where an option has asked for it already.
  if (reorder)
    call("PCFactorReorderForNonzeroDiagonal", PCFactorReorderForNonzeroDiagonal, factorization(),
         PetscReal(1e-10));
}

/// The PC that factors: the one within a redundant one, which each process has.
PC CoarsePc::factorization() const {
  PetscBool redundant = PETSC_FALSE;
  call("PetscObjectTypeCompare", PetscObjectTypeCompare, petsc::detail::object(pc_), PCREDUNDANT,
       &redundant);
  if (redundant != PETSC_TRUE) return pc_;
  KSP inner = nullptr;
  PC pc = nullptr;
  call("PCRedundantGetKSP", PCRedundantGetKSP, pc_, &inner);
  call("KSPGetPC", KSPGetPC, inner, &pc);
  return pc;
}

/// Solves for a right-hand side that has a solution, even if the matrix is singular. The residual
/// relative to it; 0 for a PC that is no factorization.
PetscReal CoarsePc::residual() const {
  PetscBool factors = PETSC_FALSE;
  check(PetscObjectTypeCompareAny(petsc::detail::object(factorization()), &factors, PCLU,
                                  PCCHOLESKY, ""),
        "PetscObjectTypeCompareAny");
  if (factors != PETSC_TRUE) return 0;
  Guard<Vec> x, b, image;
  call("MatCreateVecs", MatCreateVecs, matrix_, x.out(), b.out());
  call("VecDuplicate", VecDuplicate, b.get(), image.out());
  fill_irregularly(x.get(), 0);
  call("MatMult", MatMult, matrix_, x.get(), b.get());
  call("PCApply", PCApply, pc_, b.get(), x.get());
  call("MatMult", MatMult, matrix_, x.get(), image.get());
  call("VecAXPY", VecAXPY, image.get(), PetscScalar(-1), b.get());
  PetscReal size = 0, rest = 0;
  call("VecNorm", VecNorm, b.get(), NORM_2, &size);
  call("VecNorm", VecNorm, image.get(), NORM_2, &rest);
  return size > 0 ? rest / size : 0;
}

void CoarsePc::require_solving(Call& call) {
  constexpr PetscReal tolerance = 1e-6;
  const PetscReal found = call.library("petsc", "PCApply", Patience{}, [&] { return residual(); });
  if (found <= tolerance) return;
  throw LibraryFailed(
      "petsc", "PCApply",
      "the coarse solver does not solve (relative residual " + std::to_string(found) +
          "): the diagonal of the coarse matrix is zero or missing in some rows, and the "
          "factorization replaces pivots; pc_type \"svd\", or \"lu\" of MUMPS, does without");
}

/// A factorization that accepts a singular matrix, such as that of a pressure equation: a pivot
/// that is zero is replaced by a small number. Options override this choice.
void CoarsePc::set_type(const CoarseSolver& options) {
  std::string type = options.pc_type;
  if (!options.options_prefix.empty()) {
    call("PCSetOptionsPrefix", PCSetOptionsPrefix, pc_, options.options_prefix.c_str());
    const Settings given = options_under(options.options_prefix);
    if (const auto named = given.find("-pc_type"); named != given.end()) type = named->second;
  }
  call("PCSetType", PCSetType, pc_, type.c_str());
  call("PCFactorSetShiftType", PCFactorSetShiftType, pc_, MAT_SHIFT_INBLOCKS);
  if (!options.options_prefix.empty()) call("PCSetFromOptions", PCSetFromOptions, pc_);
}

void CoarsePc::find_null_space(PetscInt count) {
  const NullVectors found(matrix_, pc_, count);
  if (found.vectors().empty()) return;
  call("MatNullSpaceCreate", MatNullSpaceCreate, PetscObjectComm(petsc::detail::object(matrix_)),
       PETSC_FALSE, static_cast<PetscInt>(found.vectors().size()), found.vectors().data(),
       &null_space_);
  if (found.of_transpose()) call("MatCreateVecs", MatCreateVecs, matrix_, nullptr, &consistent_);
}

void CoarsePc::require_working(PetscInt local_rows, Call& call) {
  std::vector<PetscScalar> ones, solution;
  call.check([&] {
    ones.assign(static_cast<std::size_t>(local_rows), 1.0);
    solution.resize(ones.size());
  });
  call.library("petsc", "PCApply", Patience{}, [&] { apply(ones.data(), solution.data()); });
  call.check([&] {
    for (const PetscScalar value : solution)
      if (PetscIsInfOrNanScalar(value))
        throw LibraryFailed(
            "petsc", "PCApply",
            "the coarse solver's result is not finite: the matrix contains a number "
            "that is not finite, or it is singular and the options select a solver that "
            "requires a regular matrix; pc_type \"svd\" accepts a singular one");
  });
}

void CoarsePc::apply(const PetscScalar* b, PetscScalar* x) {
  const Placed right_side(right_side_, b);
  const Placed solution(solution_, x);
  if (consistent_ != nullptr) {
    call("VecCopy", VecCopy, right_side_, consistent_);
    call("MatNullSpaceRemove", MatNullSpaceRemove, null_space_, consistent_);
  }
  call("PCApply", PCApply, pc_, consistent_ == nullptr ? right_side_ : consistent_, solution_);
  if (null_space_ != nullptr)
    call("MatNullSpaceRemove", MatNullSpaceRemove, null_space_, solution_);
}

void CoarsePc::destroy() noexcept {
  if (!petsc::detail::alive(session_)) {
    petsc::detail::note_outlived();
    return;
  }
  static_cast<void>(MatNullSpaceDestroy(&null_space_));
  static_cast<void>(VecDestroy(&consistent_));
  static_cast<void>(VecDestroy(&right_side_));
  static_cast<void>(VecDestroy(&solution_));
  static_cast<void>(PCDestroy(&pc_));
  static_cast<void>(MatDestroy(&matrix_));
}

}  // namespace daptor::solvers
