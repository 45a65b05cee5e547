#include <utility>

#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "petsc/src/call.hpp"
#include "petsc_operator.hpp"
#include "together.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

/// A PETSc object until an operator has a reference of it.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Held(Held&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ~Held() { static_cast<void>(destroy(&object_)); }
  Object get() const { return object_; }
  Object* out() { return &object_; }

 private:
  Object object_ = nullptr;
};

Held<PC, PCDestroy> new_pc(Mat matrix, MPI_Comm comm) {
  Held<PC, PCDestroy> pc;
  call("PCCreate", PCCreate, comm, pc.out());
  call("PCSetOperators", PCSetOperators, pc.get(), matrix, matrix);
  call("PCSetFromOptions", PCSetFromOptions, pc.get());
  return pc;
}

Held<KSP, KSPDestroy> new_ksp(Mat matrix, MPI_Comm comm) {
  Held<KSP, KSPDestroy> ksp;
  call("KSPCreate", KSPCreate, comm, ksp.out());
  call("KSPSetOperators", KSPSetOperators, ksp.get(), matrix, matrix);
  call("KSPSetFromOptions", KSPSetFromOptions, ksp.get());
  return ksp;
}

/// Collective. `create` makes the object under the options of `line`.
template <class F>
Teuchos::RCP<Operator> from_options(Mat matrix, const std::string& line, const OperatorMaps& maps,
                                    F&& create) {
  if (matrix == nullptr) throw InvalidArgument("matrix", "a null Mat", "a Mat of PETSc");
  static_cast<void>(petsc::detail::require_session());
  const MPI_Comm native = PetscObjectComm(reinterpret_cast<PetscObject>(matrix));
  const MpiCommunicator comm(native);
  const std::shared_ptr<OptionSet> options = OptionSet::parse(line, comm);
  const auto object = together(comm, "petsc", "set-up", [&] {
    daptor::detail::fault_point("solvers.petsc_solver.create");
    const OptionSet::Active active(options.get());
    return create(matrix, native);
  });
  std::unique_ptr<Applied> made = agreed(comm, [&] {
    std::unique_ptr<Applied> result = applied(object.get());
    result->use(options);
    return result;
  });
  Teuchos::RCP<Operator> op = as_operator(std::move(made), maps);
  options->require_used(comm);
  return op;
}

}  // namespace

Teuchos::RCP<Operator> petsc_preconditioner(Mat matrix, const std::string& options,
                                            const OperatorMaps& maps) {
  return from_options(matrix, options, maps, new_pc);
}

Teuchos::RCP<Operator> petsc_solver(Mat matrix, const std::string& options,
                                    const OperatorMaps& maps) {
  return from_options(matrix, options, maps, new_ksp);
}

}  // namespace daptor::solvers
