// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "petsc_operator.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using petsc::detail::Guard;

Guard<PC> new_pc(Mat matrix, MPI_Comm comm) {
  Guard<PC> pc;
  call("PCCreate", PCCreate, comm, pc.out());
  call("PCSetOperators", PCSetOperators, pc.get(), matrix, matrix);
  call("PCSetFromOptions", PCSetFromOptions, pc.get());
  return pc;
}

Guard<KSP> new_ksp(Mat matrix, MPI_Comm comm) {
  Guard<KSP> ksp;
  call("KSPCreate", KSPCreate, comm, ksp.out());
  call("KSPSetOperators", KSPSetOperators, ksp.get(), matrix, matrix);
  call("KSPSetFromOptions", KSPSetFromOptions, ksp.get());
  return ksp;
}

PetscErrorCode get_matrix(PC pc, Mat* matrix) {
  return PCGetOperators(pc, matrix, nullptr);
}
PetscErrorCode get_matrix(KSP ksp, Mat* matrix) {
  return KSPGetOperators(ksp, matrix, nullptr);
}

/// Copies the current values. The entries of a fill-complete matrix do not move.
template <class Object>
Applied::Renewal renewal_of(Object object, const Teuchos::RCP<const CrsMatrix>& matrix) {
  if (matrix.is_null()) return nullptr;
  return [object, matrix](Call& call) {
    call.check([&] {
      Mat copy = nullptr;
      petsc::detail::check(get_matrix(object, &copy), "PCGetOperators");
      copy_values(*matrix, copy);
    });
  };
}

/// Collective. `create` makes the object with the options of `line`; `origin` is the matrix that
/// `matrix` was copied from, or null.
template <class F>
Teuchos::RCP<Operator> from_options(const char* name, Mat matrix, const std::string& line,
                                    const OperatorMaps& maps, F&& create,
                                    const Teuchos::RCP<const CrsMatrix>& origin = Teuchos::null) {
  if (matrix == nullptr) throw InvalidArgument("matrix", "a null Mat", "a Mat of PETSc");
  static_cast<void>(petsc::detail::require_running());
  const MPI_Comm native = PetscObjectComm(petsc::detail::object(matrix));
  const Comm comm = petsc::detail::comm_of(petsc::detail::object(matrix));
  Call call(comm, name);
  const std::shared_ptr<OptionSet> options = OptionSet::parse(line, call);
  const auto object = call.library("petsc", "set-up", Patience{}, [&] {
    const OptionSet::Active active(options.get());
    return create(matrix, native);
  });
  std::unique_ptr<Applied> made = call.check([&] {
    std::unique_ptr<Applied> result = applied(object.get());
    result->use(options);
    result->renew_by(renewal_of(object.get(), origin));
    return result;
  });
  Teuchos::RCP<Operator> op = as_operator(std::move(made), maps);
  options->require_used(petsc::detail::object(object.get()), call);
  return op;
}

template <class F>
Teuchos::RCP<Operator> from_copy(const char* name, const Teuchos::RCP<const CrsMatrix>& matrix,
                                 const std::string& line, F&& create) {
  if (matrix.is_null())
    throw InvalidArgument("matrix", "a null CrsMatrix", "a fill-complete CrsMatrix");
  const Comm comm(tpetra::communicator(*matrix->getRowMap()));
  const Call call(comm, name);
  const OwnedMat copy = copy_matrix(*matrix);
  return from_options(name, copy.get(), line, {matrix->getRangeMap(), matrix->getDomainMap()},
                      std::forward<F>(create), matrix);
}

}  // namespace

Teuchos::RCP<Operator> petsc_preconditioner(Mat matrix, const std::string& options,
                                            const OperatorMaps& maps) {
  return from_options("solvers::petsc_preconditioner", matrix, options, maps, new_pc);
}

Teuchos::RCP<Operator> petsc_solver(Mat matrix, const std::string& options,
                                    const OperatorMaps& maps) {
  return from_options("solvers::petsc_solver", matrix, options, maps, new_ksp);
}

Teuchos::RCP<Operator> petsc_preconditioner(const Teuchos::RCP<const CrsMatrix>& matrix,
                                            const std::string& options) {
  return from_copy("solvers::petsc_preconditioner", matrix, options, new_pc);
}

Teuchos::RCP<Operator> petsc_solver(const Teuchos::RCP<const CrsMatrix>& matrix,
                                    const std::string& options) {
  return from_copy("solvers::petsc_solver", matrix, options, new_ksp);
}

}  // namespace daptor::solvers
