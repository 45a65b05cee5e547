// SPDX-License-Identifier: BSD-3-Clause
#include "operator_shell.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include <Tpetra_Map.hpp>
#include <Tpetra_Operator.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/window.hpp"
#include "local_count.hpp"
#include "log.hpp"
#include "map_facts.hpp"
#include "muelu_diagonals.hpp"
#include "names.hpp"
#include "vec_access.hpp"

namespace daptor::solvers {
namespace {

using Map = Tpetra::Map<>;

template <class Scalar>
class TypedShell final : public OperatorShell {
 public:
  using Op = Tpetra::Operator<Scalar>;

  explicit TypedShell(const Teuchos::RCP<const Op>& op)
      : op_(op), domain_(op->getDomainMap()), range_(op->getRangeMap()) {}

  bool has_transpose() const override { return op_->hasTransposeApply(); }
  PetscInt domain_count() const override { return petsc::detail::petsc_int(domain_.count); }
  PetscInt range_count() const override { return petsc::detail::petsc_int(range_.count); }

 private:
  /// One Map of the operator, with a window for each role that its vectors can have.
  struct Side {
    explicit Side(const Teuchos::RCP<const Map>& map)
        : count(local_count(*map)), read(map, count), written(map, count) {}
    Index count;
    tpetra::Window<Scalar> read, written;
  };

  const void* apply_on(Vec x, Vec y, Mode mode) override {
    Side& from = mode == Mode::plain ? domain_ : range_;
    Side& to = mode == Mode::plain ? range_ : domain_;
    std::optional<ReadArray> read;
    std::optional<WriteArray> written;
    const Tpetra::MultiVector<Scalar>* X = nullptr;
    Tpetra::MultiVector<Scalar>* Y = nullptr;
    try {
      const Logged logged(Event::adaption);
      daptor::detail::fault_point("solvers.apply.open");
      const petsc::detail::QuietErrors quiet;
      read.emplace(x, from.count);
      written.emplace(y, to.count);
      X = &from.read.place(read->data());
      Y = &to.written.place(written->data());
    } catch (...) {
      throw NotHandedOver{std::current_exception()};
    }
    foreign_apply(*X, *Y, mode);
    return written->data();
  }

  void apply_without(Mode mode) override {
    const Side& from = mode == Mode::plain ? domain_ : range_;
    const Side& to = mode == Mode::plain ? range_ : domain_;
    Tpetra::MultiVector<Scalar> X(from.read.map(), 1);
    Tpetra::MultiVector<Scalar> Y(to.read.map(), 1);
    X.putScalar(std::numeric_limits<PetscReal>::quiet_NaN());
    foreign_apply(X, Y, mode);
  }

  void foreign_apply(const Tpetra::MultiVector<Scalar>& X, Tpetra::MultiVector<Scalar>& Y,
                     Mode mode) const {
    op_->apply(X, Y, mode == Mode::plain ? Teuchos::NO_TRANS : Teuchos::TRANS, Scalar(1),
               Scalar(0));
  }

  Teuchos::RCP<const Op> op_;
  Side domain_, range_;
};

/// Fills this rank's part of `y` with NaN, so that the next norm shows the failure on every rank.
PetscErrorCode fill_with_nan(Vec y) noexcept {
  PetscInt count = 0;
  PetscScalar* data = nullptr;
  PetscErrorCode code = VecGetLocalSize(y, &count);
  if (static_cast<int>(code) == 0) code = VecGetArrayWrite(y, &data);
  if (static_cast<int>(code) != 0) return code;
  std::fill(data, data + count, PetscScalar(std::numeric_limits<PetscReal>::quiet_NaN()));
  return VecRestoreArrayWrite(y, &data);
}

/// Notifies other objects on `memory`, the memory of `y`, that it was written to. Logically
/// collective.
void tell_views(Vec y, const void* memory) {
  const auto state = petsc::detail::known_state_of(y, memory);
  if (state) state->modified();
}

void require_communicator(const Map& map, const Comm& comm, const char* which) {
  const auto ranks = map.getComm();
  if (ranks.is_null() || ranks->getSize() != comm.size() || ranks->getRank() != comm.rank())
    adapter::refuse_argument("operator.communicator",
                             ranks.is_null()
                                 ? std::string("a ") + which + " Map without a communicator"
                                 : "rank " + std::to_string(ranks->getRank()) + " of " +
                                       std::to_string(ranks->getSize()) + " in the " + which +
                                       " Map, rank " + std::to_string(comm.rank()) + " of " +
                                       std::to_string(comm.size()) + " here",
                             "the ranks of the operator's Maps, in the same order",
                             "Pass the communicator of the operator's Maps.");
}

void require_countable(const Map& map, const char* which) {
  const auto count = static_cast<Index>(map.getGlobalNumElements());
  if (petsc::detail::fits_petsc_int(count)) return;
  throw NotRepresentable(adapter::reason(
      "operator.index-range", std::to_string(count) + " elements in the " + which + " Map",
      "a number of elements that fits in a " + petsc::names::integer,
      "Use a PETSc configured with 64-bit indices."));
}

template <class Scalar>
void require_applicable(const Teuchos::RCP<const Tpetra::Operator<Scalar>>& op, const Comm& comm) {
  static_cast<void>(petsc::detail::require_session());
  tpetra::require_trilinos();
  if (op.is_null())
    adapter::refuse_argument("operator.null", "a null operator", "an operator on every rank",
                             "Pass the same operator on all ranks.");
  if (op->getDomainMap().is_null() || op->getRangeMap().is_null())
    adapter::refuse_argument("operator.null", "an operator without a domain or range Map",
                             "an operator that can be applied",
                             "First call fillComplete on a CrsMatrix.");
  require_communicator(*op->getDomainMap(), comm, "domain");
  require_communicator(*op->getRangeMap(), comm, "range");
  require_countable(*op->getDomainMap(), "domain");
  require_countable(*op->getRangeMap(), "range");
}

/// Requires a one-to-one Map, because a Vec has each element on one rank only.
void require_one_to_one(const Teuchos::RCP<const Map>& map, Call& call) {
  if (one_to_one(*map, call)) return;
  throw NotRepresentable(
      adapter::reason("operator.map", "a Map with an index on several ranks",
                      "one-to-one domain and range Maps, like the layouts of PETSc's vectors",
                      "Build the operator on Maps made by " + names::one_to_one + "."));
}

template <class Scalar>
std::unique_ptr<OperatorShell> make_shell(const Teuchos::RCP<const Tpetra::Operator<Scalar>>& op,
                                          Call& call) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    return call.check([]() -> std::unique_ptr<OperatorShell> {
      tpetra::detail::refuse_scalar(DataType::of<Scalar>());
    });
  } else {
    call.check([&] { require_applicable<Scalar>(op, call.comm()); });
    require_one_to_one(op->getDomainMap(), call);
    if (op->getRangeMap() != op->getDomainMap()) require_one_to_one(op->getRangeMap(), call);
    return call.check([&]() -> std::unique_ptr<OperatorShell> {
      return std::make_unique<TypedShell<Scalar>>(op);
    });
  }
}

}  // namespace

PetscErrorCode OperatorShell::apply(Vec x, Vec y, PC pc, Mode mode) noexcept {
  const Logged logged(Event::apply);
  try {
    try {
      tell_views(y, apply_on(x, y, mode));
      return PetscErrorCode{};
    } catch (const NotHandedOver&) {
      apply_without(mode);
    }
    if (pc != nullptr) static_cast<void>(PCSetFailedReason(pc, PC_SUBPC_ERROR));
    const PetscErrorCode code = fill_with_nan(y);
    tell_views(y, petsc::detail::memory_of(y));
    return code;
  } catch (...) {
    return petsc::detail::raise(PETSC_COMM_SELF,
                                petsc::detail::current_text("Tpetra::Operator::apply"));
  }
}

std::unique_ptr<OperatorShell> make_operator_shell(const Teuchos::RCP<const Operator>& op,
                                                   Call& call) {
  return make_shell<PetscScalar>(op, call);
}

void require_usable(const Operator& op, Call& call) {
  if constexpr (tpetra::has_scalar<PetscScalar>) require_operator_diagonal<PetscScalar>(op, call);
}

void delete_operator_shell(OperatorShell* shell) noexcept {
  if (shell == nullptr) return;
  if (tpetra::detail::kokkos_running()) {
    delete shell;
  } else {
    tpetra::detail::keep_forever(std::shared_ptr<OperatorShell>(shell));
  }
}

}  // namespace daptor::solvers
