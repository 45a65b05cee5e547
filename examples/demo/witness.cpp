// SPDX-License-Identifier: BSD-3-Clause
#include "witness.hpp"

#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include "allocations.hpp"
#include "console.hpp"

using daptor::solvers::Operator;

struct Witness::State {
  PC inner = nullptr;
  Findings found;
  const void* x_in_trilinos = nullptr;
  const void* y_in_trilinos = nullptr;
};

class Witness::WatchedOperator : public Operator {
 public:
  WatchedOperator(Teuchos::RCP<Operator> op, std::shared_ptr<State> state)
      : op_(std::move(op)), state_(std::move(state)) {}

  Teuchos::RCP<const Tpetra::Map<>> getDomainMap() const override { return op_->getDomainMap(); }
  Teuchos::RCP<const Tpetra::Map<>> getRangeMap() const override { return op_->getRangeMap(); }

  void apply(const Tpetra::MultiVector<PetscScalar>& X, Tpetra::MultiVector<PetscScalar>& Y,
             Teuchos::ETransp mode, PetscScalar alpha, PetscScalar beta) const override {
    state_->x_in_trilinos = X.getData(0).getRawPtr();
    state_->y_in_trilinos = Y.getDataNonConst(0).getRawPtr();
    op_->apply(X, Y, mode, alpha, beta);
  }

 private:
  Teuchos::RCP<Operator> op_;
  std::shared_ptr<State> state_;
};

Witness::Witness() : state_(std::make_shared<State>()) {}
Witness::~Witness() = default;

Witness::Findings Witness::findings() const {
  return state_->found;
}

Teuchos::RCP<Operator> Witness::watched(const Teuchos::RCP<Operator>& op) const {
  return Teuchos::rcp(new WatchedOperator(op, state_));
}

void Witness::compare(Vec x, Vec y) {
  PetscInt count = 0;
  const PetscScalar* x_in_petsc = nullptr;
  const PetscScalar* y_in_petsc = nullptr;
  ok(VecGetLocalSize(x, &count));
  ok(VecGetArrayRead(x, &x_in_petsc));
  ok(VecGetArrayRead(y, &y_in_petsc));
  const auto bytes = static_cast<std::size_t>(count) * sizeof(PetscScalar);
  if (state_->x_in_trilinos != x_in_petsc) state_->found.bytes_copied += bytes;
  if (state_->y_in_trilinos != y_in_petsc) state_->found.bytes_copied += bytes;
  state_->found.applications += 1;
  ok(VecRestoreArrayRead(x, &x_in_petsc));
  ok(VecRestoreArrayRead(y, &y_in_petsc));
}

PetscErrorCode Witness::apply(PC outer, Vec x, Vec y) {
  Witness* self = nullptr;
  PetscCall(PCShellGetContext(outer, &self));
  PetscInt count = 0;
  PetscCall(VecGetLocalSize(x, &count));
  allocations::start(static_cast<std::size_t>(count) * sizeof(PetscScalar) / 2);
  PetscCall(PCApply(self->state_->inner, x, y));
  const std::size_t large = allocations::stop().number;
  // The first application makes the work vectors that later ones use again.
  if (self->state_->found.applications > 0) self->state_->found.large_allocations += large;
  self->compare(x, y);
  return PetscErrorCode{};
}

PetscErrorCode Witness::destroy(PC outer) {
  Witness* self = nullptr;
  PetscCall(PCShellGetContext(outer, &self));
  return PCDestroy(&self->state_->inner);
}

void Witness::stand_between(KSP ksp, const Teuchos::RCP<Operator>& preconditioner) {
  Mat matrix = nullptr;
  Mat preconditioning_matrix = nullptr;
  ok(KSPGetOperators(ksp, &matrix, &preconditioning_matrix));
  ok(PCCreate(PetscObjectComm(reinterpret_cast<PetscObject>(ksp)), &state_->inner));
  ok(PCSetOperators(state_->inner, matrix, preconditioning_matrix));
  daptor::solvers::operator_as_pc(watched(preconditioner), state_->inner);

  PC outer = nullptr;
  ok(KSPGetPC(ksp, &outer));
  ok(PCSetType(outer, PCSHELL));
  ok(PCShellSetContext(outer, this));
  ok(PCShellSetApply(outer, apply));
  ok(PCShellSetDestroy(outer, destroy));
}
