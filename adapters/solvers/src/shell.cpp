// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/solvers/shell.hpp"

#include <utility>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/context.hpp"
#include "operator_shell.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::Routine;
using Mode = OperatorShell::Mode;

// PETSc's callbacks. Their contexts are set by the functions below.

PetscErrorCode mat_apply(Mat mat, Vec x, Vec y, Mode mode) {
  OperatorShell* shell = nullptr;
  const PetscErrorCode code = MatShellGetContext(mat, &shell);
  return static_cast<int>(code) != 0 ? code : shell->apply(x, y, nullptr, mode);
}
PetscErrorCode mat_multiply(Mat mat, Vec x, Vec y) {
  return mat_apply(mat, x, y, Mode::plain);
}
PetscErrorCode mat_multiply_transpose(Mat mat, Vec x, Vec y) {
  return mat_apply(mat, x, y, Mode::transpose);
}

PetscErrorCode pc_apply_mode(PC pc, Vec x, Vec y, Mode mode) {
  OperatorShell* shell = nullptr;
  const PetscErrorCode code = PCShellGetContext(pc, &shell);
  return static_cast<int>(code) != 0 ? code : shell->apply(x, y, pc, mode);
}
PetscErrorCode pc_apply(PC pc, Vec x, Vec y) {
  return pc_apply_mode(pc, x, y, Mode::plain);
}
PetscErrorCode pc_apply_transpose(PC pc, Vec x, Vec y) {
  return pc_apply_mode(pc, x, y, Mode::transpose);
}
PetscErrorCode pc_destroy(PC pc) {
  OperatorShell* shell = nullptr;
  const PetscErrorCode code = PCShellGetContext(pc, &shell);
  delete_operator_shell(shell);
  return code;
}

}  // namespace

OwnedMat operator_as_mat(const Teuchos::RCP<const Operator>& op, const Comm& comm) {
  Call call(comm, "solvers::operator_as_mat");
  std::unique_ptr<OperatorShell> shell = make_operator_shell(op, call);
  require_usable(*op, call);
  Mat mat = nullptr;
  call.library(Routine("MatCreateShell", MatCreateShell), comm->original(), shell->range_count(),
               shell->domain_count(), PETSC_DETERMINE, PETSC_DETERMINE,
               static_cast<void*>(shell.get()), &mat);
  OwnedMat owned(mat);
  return call.check([&] {
    const auto set = [&](MatOperation operation, PetscErrorCode (*function)(Mat, Vec, Vec)) {
      petsc::detail::call("MatShellSetOperation", MatShellSetOperation, mat, operation,
                          reinterpret_cast<void (*)(void)>(function));
    };
    set(MATOP_MULT, mat_multiply);
    if (shell->has_transpose()) set(MATOP_MULT_TRANSPOSE, mat_multiply_transpose);
    PetscErrorCode code = MatShellSetContextDestroy(mat, [](auto argument) {
      delete_operator_shell(petsc::detail::context_to_destroy<OperatorShell>(argument));
      return PetscErrorCode{};
    });
    petsc::detail::check(code, "MatShellSetContextDestroy");
    static_cast<void>(shell.release());  // the Mat owns it now
    return std::move(owned);
  });
}

void operator_as_pc(const Teuchos::RCP<const Operator>& op, PC pc) {
  if (pc == nullptr) throw InvalidArgument("pc", "a null PC", "a PC of PETSc");
  static_cast<void>(petsc::detail::require_running());
  const Comm comm = petsc::detail::comm_of(petsc::detail::object(pc));
  Call call(comm, "solvers::operator_as_pc");
  std::unique_ptr<OperatorShell> shell = make_operator_shell(op, call);
  require_usable(*op, call);
  // Another type in between, so that an existing shell releases its operator.
  call.library(Routine("PCSetType", PCSetType), pc, PCNONE);
  call.library(Routine("PCSetType", PCSetType), pc, PCSHELL);
  try {
    call.check([&] {
      petsc::detail::call("PCShellSetName", PCShellSetName, pc, "Trilinos operator through Daptor");
      petsc::detail::call("PCShellSetApply", PCShellSetApply, pc, pc_apply);
      if (shell->has_transpose())
        petsc::detail::call("PCShellSetApplyTranspose", PCShellSetApplyTranspose, pc,
                            pc_apply_transpose);
      petsc::detail::call("PCShellSetContext", PCShellSetContext, pc,
                          static_cast<void*>(shell.get()));
      petsc::detail::call("PCShellSetDestroy", PCShellSetDestroy, pc, pc_destroy);
      static_cast<void>(shell.release());  // the PC owns it now
    });
  } catch (...) {
    // On all ranks: a shell without an operator on one of them could not be used, nor destroyed.
    call.library(Routine("PCSetType", PCSetType), pc, PCNONE);
    throw;
  }
}

}  // namespace daptor::solvers
