// SPDX-License-Identifier: BSD-3-Clause
#include "trilinos_pc.hpp"

#include <string>

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "kokkos.hpp"
#include "solvers/src/copy_matrix_blocks.hpp"
#include "solvers/src/log.hpp"
#include "solvers/src/take_values.hpp"

namespace daptor::solvers::plugin {
namespace {

using petsc::detail::object;

MPI_Comm comm_of(PC pc) {
  return PetscObjectComm(object(pc));
}

TrilinosPc& behind(PC pc) {
  return *static_cast<TrilinosPc*>(pc->data);
}

// PETSc's callbacks.

PetscErrorCode pc_set_up(PC pc) {
  const PetscErrorCode code =
      petsc::detail::guarded(comm_of(pc), "PCSetUp", [&] { behind(pc).set_up(pc); });
  // PETSc has marked the PC as set up for this matrix, although the set-up failed.
  if (static_cast<int>(code) != 0) pc->setupcalled = 0;
  return code;
}

PetscErrorCode pc_apply(PC pc, Vec x, Vec y) {
  return behind(pc).apply(pc, x, y, TrilinosPc::Mode::plain);
}

PetscErrorCode pc_apply_transpose(PC pc, Vec x, Vec y) {
  const Terms reason = behind(pc).no_transpose();
  if (!reason.empty())
    return petsc::detail::raise(comm_of(pc), reason.in(petsc::detail::rendering_of_program()),
                                PETSC_ERR_SUP);
  return behind(pc).apply(pc, x, y, TrilinosPc::Mode::transpose);
}

PetscErrorCode pc_apply_half(PC pc, Vec, Vec) {
  return petsc::detail::raise(
      comm_of(pc),
      "this preconditioner has no symmetric halves; apply it on the left or right "
      "(-ksp_pc_side)",
      PETSC_ERR_SUP);
}

PetscErrorCode pc_set_from_options(PC pc, OptionItems items) {
  return petsc::detail::guarded(comm_of(pc), "PCSetFromOptions", [&] {
    const Comm comm = petsc::detail::comm_of(object(pc));
    Call call(comm, petsc::names::in_set_from_options);
    require_same_type(pc, call);
    call.check([&] {
      const petsc::detail::QuietErrors quiet;
      const char* prefix = nullptr;
      petsc::detail::call("PCGetOptionsPrefix", PCGetOptionsPrefix, pc, &prefix);
      Options options(items, prefix == nullptr ? "" : prefix);
      behind(pc).read_options(pc, options);
      call.same("trilinos.option", options.given());
    });
    behind(pc).take_options();
  });
}

PetscErrorCode pc_view(PC pc, PetscViewer viewer) {
  PetscBool ascii = PETSC_FALSE;
  const PetscErrorCode code = PetscObjectTypeCompare(object(viewer), PETSCVIEWERASCII, &ascii);
  if (static_cast<int>(code) != 0 || ascii != PETSC_TRUE) return code;
  return petsc::detail::guarded(comm_of(pc), "PCView", [&] { behind(pc).view(pc, viewer); });
}

PetscErrorCode pc_reset(PC pc) {
  return petsc::detail::guarded(comm_of(pc), "PCReset", [&] {
    if (tpetra::detail::kokkos_running()) behind(pc).reset();
  });
}

PetscErrorCode pc_set_coordinates(PC pc, PetscInt dimension, PetscInt count, PetscReal values[]) {
  return petsc::detail::guarded(comm_of(pc), "PCSetCoordinates", [&] {
    Coordinates coordinates;
    coordinates.dimension = dimension;
    coordinates.values.assign(values, values + dimension * count);
    behind(pc).set_coordinates(std::move(coordinates));
  });
}

/// Collective. The grids of `pc`. Throws InvalidArgument if it has not been set up. `function` is
/// the function of PETSc that was called.
Grids made_grids(PC pc, const char* function) {
  const Comm comm = petsc::detail::comm_of(object(pc));
  Call call(comm, function);
  call.check([&] {
    if (behind(pc).set_up_before()) return;
    throw InvalidArgument(
        "pc", "a PC that is not set up",
        "a PC with a hierarchy: call " + petsc::names::function("PCSetUp") + " first");
  });
  return behind(pc).grids(pc, call);
}

/// Returns new references in an array allocated by PETSc, which the caller frees; null if there are
/// none.
void hand_over(std::vector<OwnedMat>& from, Mat** result) {
  Mat* array = nullptr;
  petsc::detail::check(PetscMallocA(1, PETSC_FALSE, __LINE__, __func__, __FILE__,
                                    from.size() * sizeof(Mat), static_cast<void*>(&array)),
                       "PetscMalloc");
  for (std::size_t i = 0; i < from.size(); ++i) {
    array[i] = from[i].get();
    static_cast<void>(PetscObjectReference(object(array[i])));
  }
  *result = array;
}

PetscErrorCode pc_get_interpolations(PC pc, PetscInt* levels, Mat* interpolations[]) {
  constexpr const char* function = "PCGetInterpolations";
  return petsc::detail::guarded(comm_of(pc), function, [&] {
    Grids grids = made_grids(pc, function);
    hand_over(grids.interpolations, interpolations);
    *levels = grids.levels;
  });
}

PetscErrorCode pc_get_coarse_operators(PC pc, PetscInt* levels, Mat* operators[]) {
  constexpr const char* function = "PCGetCoarseOperators";
  return petsc::detail::guarded(comm_of(pc), function, [&] {
    Grids grids = made_grids(pc, function);
    hand_over(grids.operators, operators);
    *levels = grids.levels;
  });
}

/// Registers a function under the name by which PETSc looks it up; null removes it.
template <class Function>
void compose(PC pc, const char* name, Function function) {
  petsc::detail::check(PetscObjectComposeFunction(object(pc), name, function),
                       "PetscObjectComposeFunction");
}

void compose_all(PC pc) {
  compose(pc, "PCSetCoordinates_C", pc_set_coordinates);
  if (!behind(pc).has_grids()) return;
  compose(pc, "PCGetInterpolations_C", pc_get_interpolations);
  compose(pc, "PCGetCoarseOperators_C", pc_get_coarse_operators);
}

void compose_none(PC pc) {
  for (const char* name : {"PCSetCoordinates_C", "PCGetInterpolations_C", "PCGetCoarseOperators_C"})
    compose(pc, name, nullptr);
}

PetscErrorCode pc_destroy(PC pc) {
  TrilinosPc* const implementation = &behind(pc);
  pc->data = nullptr;
  if (!implementation->set_up_before() || tpetra::detail::kokkos_running()) {
    delete implementation;
  } else {
    tpetra::detail::keep_forever(std::shared_ptr<TrilinosPc>(implementation));
  }
  return petsc::detail::guarded(comm_of(pc), "PCDestroy", [&] { compose_none(pc); });
}

}  // namespace

void require_same_type(PC pc, Call& call) {
  const char* type = nullptr;
  if (static_cast<int>(PCGetType(pc, &type)) == 0 && type != nullptr)
    call.same("-pc_type", std::string(type));
}

void adopt(PC pc, std::unique_ptr<TrilinosPc> implementation) {
  pc->data = implementation.release();
  pc->ops->setup = pc_set_up;
  pc->ops->apply = pc_apply;
  pc->ops->applytranspose = pc_apply_transpose;
  pc->ops->applysymmetricleft = pc_apply_half;
  pc->ops->applysymmetricright = pc_apply_half;
  pc->ops->setfromoptions = pc_set_from_options;
  pc->ops->view = pc_view;
  pc->ops->reset = pc_reset;
  pc->ops->destroy = pc_destroy;
  compose_all(pc);
}

PetscErrorCode TrilinosPc::apply(PC pc, Vec x, Vec y, Mode mode) noexcept {
  if (!shell_)
    return petsc::detail::raise(comm_of(pc), "this PC is applied without having been set up",
                                PETSC_ERR_ARG_WRONGSTATE);
  return shell_->apply(x, y, pc, mode);
}

Grids TrilinosPc::grids(PC, Call&) const {
  return {};
}

Terms TrilinosPc::no_transpose() const {
  if (shell_ && shell_->has_transpose()) return {};
  return "this preconditioner of Trilinos offers no transpose";
}

void TrilinosPc::reset() {
  shell_.reset();
  preconditioner_ = Teuchos::null;
  matrix_ = Teuchos::null;
}

void TrilinosPc::hold(const Teuchos::RCP<Operator>& preconditioner, Call& call) {
  if (shell_ && preconditioner == preconditioner_) return;
  shell_.reset();
  preconditioner_ = preconditioner;
  shell_.reset(make_operator_shell(preconditioner, call).release());
}

void TrilinosPc::set_up(PC pc) {
  const Comm comm = petsc::detail::comm_of(object(pc));
  Call call(comm, petsc::names::in_set_up);
  try {
    require_same_type(pc, call);
    call.check([&] {
      if (pc->pmat != nullptr) require_square(pc->pmat);
      start_kokkos();
    });
    const bool values_only = set_up_before() && pc->flag == SAME_NONZERO_PATTERN &&
                             take_values(pc->pmat, matrix_, keeps_parts(), call);
    if (values_only) {
      const Logged logged(Event::set_up);
      hold(rebuild(pc, call), call);
      return;
    }
    reset();
    matrix_ = copy_matrix(pc->pmat);
    const Logged logged(Event::set_up);
    hold(build(pc, call), call);
  } catch (...) {
    reset();
    throw;
  }
}

}  // namespace daptor::solvers::plugin
