#include "coarse_pc.hpp"

#include "daptor/detail/fault.hpp"
#include "petsc/src/call.hpp"
#include "together.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

/// Puts arrays under a Vec for a while.
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

CoarsePc::CoarsePc(const LocalRows& rows, const MpiCommunicator& comm, const CoarseSolver& options)
    : session_(petsc::detail::require_session()) {
  try {
    together(comm, "petsc", "PCSetUp", [&] {
      make(rows, comm.mpi(), options);
      return true;
    });
    require_working(comm, static_cast<PetscInt>(rows.starts.size()) - 1);
  } catch (...) {
    destroy();
    throw;
  }
}

CoarsePc::~CoarsePc() {
  destroy();
}

void CoarsePc::make(const LocalRows& rows, MPI_Comm comm, const CoarseSolver& options) {
  const auto count = static_cast<PetscInt>(rows.starts.size()) - 1;
  call("MatCreate", MatCreate, comm, &matrix_);
  call("MatSetSizes", MatSetSizes, matrix_, count, count, PETSC_DETERMINE, PETSC_DETERMINE);
  call("MatSetType", MatSetType, matrix_, MATAIJ);
  // Each is for one of the two types, and does nothing for the other.
  call("MatSeqAIJSetPreallocationCSR", MatSeqAIJSetPreallocationCSR, matrix_, rows.starts.data(),
       rows.columns.data(), rows.values.data());
  call("MatMPIAIJSetPreallocationCSR", MatMPIAIJSetPreallocationCSR, matrix_, rows.starts.data(),
       rows.columns.data(), rows.values.data());
  for (Vec* vec : {&right_side_, &solution_})
    call("VecCreateMPIWithArray", VecCreateMPIWithArray, comm, PetscInt{1}, count,
         PetscInt{PETSC_DETERMINE}, static_cast<const PetscScalar*>(nullptr), vec);

  call("PCCreate", PCCreate, comm, &pc_);
  call("PCSetOperators", PCSetOperators, pc_, matrix_, matrix_);
  call("PCSetType", PCSetType, pc_, options.pc_type.c_str());
  if (!options.options_prefix.empty()) {
    call("PCSetOptionsPrefix", PCSetOptionsPrefix, pc_, options.options_prefix.c_str());
    call("PCSetFromOptions", PCSetFromOptions, pc_);
  }
  call("PCSetUp", PCSetUp, pc_);
}

void CoarsePc::require_working(const MpiCommunicator& comm, PetscInt local_rows) {
  const auto count = static_cast<std::size_t>(local_rows);
  const std::vector<PetscScalar> ones =
      agreed(comm, [&] { return std::vector<PetscScalar>(count, 1.0); });
  std::vector<PetscScalar> solution = agreed(comm, [&] { return std::vector<PetscScalar>(count); });
  together(comm, "petsc", "PCApply", [&] {
    apply(ones.data(), solution.data());
    return true;
  });
  agreed(comm, [&] {
    for (const PetscScalar value : solution)
      if (PetscIsInfOrNanScalar(value))
        throw LibraryFailed("petsc", "PCApply",
                            "the coarse solver's result is not finite; if the matrix is singular, "
                            "take a coarse solver that stands it, such as pc_type \"svd\"");
  });
}

void CoarsePc::apply(const PetscScalar* b, PetscScalar* x) {
  const Placed right_side(right_side_, b);
  const Placed solution(solution_, x);
  call("PCApply", PCApply, pc_, right_side_, solution_);
}

void CoarsePc::destroy() noexcept {
  if (!petsc::detail::alive(session_)) {
    petsc::detail::note_outlived();
    return;
  }
  static_cast<void>(VecDestroy(&right_side_));
  static_cast<void>(VecDestroy(&solution_));
  static_cast<void>(PCDestroy(&pc_));
  static_cast<void>(MatDestroy(&matrix_));
}

}  // namespace daptor::solvers
