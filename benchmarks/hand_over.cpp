// SPDX-License-Identifier: BSD-3-Clause
// Times ways to hand PETSc's vectors to a Trilinos preconditioner (their own memory, copies, single
// elements), and the share of an application that this takes.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "groups.hpp"
#include "native.hpp"
#include "problem.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

using Apply = std::function<void(Vec, Vec)>;

/// Makes `pc` a PC of type shell, as one would write it by hand.
void set_shell(PC pc, Apply& apply) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(pc));
  PetscCallAbort(comm, PCSetType(pc, PCSHELL));
  PetscCallAbort(comm, PCShellSetContext(pc, &apply));
  PetscCallAbort(comm, PCShellSetApply(pc, [](PC shell, Vec x, Vec y) {
                   void* context = nullptr;
                   PetscCall(PCShellGetContext(shell, &context));
                   (*static_cast<Apply*>(context))(x, y);
                   return PetscErrorCode{};
                 }));
}

/// Keeps two MultiVectors, into which the elements of the Vecs are copied.
class Kept {
 public:
  explicit Kept(Teuchos::RCP<Operator> op)
      : op_(std::move(op)), in_(op_->getDomainMap(), 1), out_(op_->getRangeMap(), 1) {}

  void copying(Vec x, Vec y) {
    PetscInt count = 0;
    const PetscScalar* from = nullptr;
    PetscScalar* to = nullptr;
    PetscCallAbort(PETSC_COMM_SELF, VecGetLocalSize(x, &count));
    PetscCallAbort(PETSC_COMM_SELF, VecGetArrayRead(x, &from));
    std::copy(from, from + count, in_.getDataNonConst(0).getRawPtr());
    PetscCallAbort(PETSC_COMM_SELF, VecRestoreArrayRead(x, &from));
    op_->apply(in_, out_);
    PetscCallAbort(PETSC_COMM_SELF, VecGetArrayWrite(y, &to));
    const auto result = out_.getData(0);
    std::copy(result.begin(), result.end(), to);
    PetscCallAbort(PETSC_COMM_SELF, VecRestoreArrayWrite(y, &to));
  }

  void element_by_element(Vec x, Vec y) {
    PetscInt first = 0;
    PetscInt last = 0;
    PetscCallAbort(PETSC_COMM_SELF, VecGetOwnershipRange(x, &first, &last));
    for (PetscInt row = first; row < last; ++row) {
      PetscScalar value = 0;
      PetscCallAbort(PETSC_COMM_SELF, VecGetValues(x, 1, &row, &value));
      in_.replaceLocalValue(row - first, 0, value);
    }
    op_->apply(in_, out_);
    const auto result = out_.getData(0);
    for (PetscInt row = first; row < last; ++row)
      PetscCallAbort(PETSC_COMM_SELF, VecSetValue(y, row, result[row - first], INSERT_VALUES));
    PetscCallAbort(PETSC_COMM_SELF, VecAssemblyBegin(y));
    PetscCallAbort(PETSC_COMM_SELF, VecAssemblyEnd(y));
  }

  /// Hands nothing over, and so shows what PETSc itself costs.
  void nothing_handed_over(Vec, Vec) { op_->apply(in_, out_); }

 private:
  Teuchos::RCP<Operator> op_;
  Tpetra::MultiVector<PetscScalar> in_, out_;
};

/// Makes a MultiVector on each Vec's memory for one application.
void made_anew(const Operator& op, Vec x, Vec y) {
  PetscInt count = 0;
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscCallAbort(PETSC_COMM_SELF, VecGetLocalSize(x, &count));
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayRead(x, &from));
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayWrite(y, &to));
  const auto n = static_cast<std::size_t>(count);
  {
    const auto X = raw_multivector(op.getDomainMap(), const_cast<PetscScalar*>(from), n);
    const auto Y = raw_multivector(op.getRangeMap(), to, n);
    op.apply(*X, *Y);
  }
  PetscCallAbort(PETSC_COMM_SELF, VecRestoreArrayWrite(y, &to));
  PetscCallAbort(PETSC_COMM_SELF, VecRestoreArrayRead(x, &from));
}

void iterations_by_way(const Problem& problem, const Effort& effort, const Table& table) {
  Kept kept(problem.M);
  Apply copying = [&](Vec x, Vec y) { kept.copying(x, y); };
  Apply single = [&](Vec x, Vec y) { kept.element_by_element(x, y); };
  Cg ours(problem);
  Cg copied(problem);
  Cg elements(problem);
  daptor::solvers::operator_as_pc(problem.M, ours.pc());
  set_shell(copied.pc(), copying);
  set_shell(elements.pc(), single);
  const Pairs against_copies = alternate_timed(
      problem.comm, effort, [&] { return ours.solve(); }, [&] { return copied.solve(); });
  const Pairs against_elements = alternate_timed(
      problem.comm, effort, [&] { return ours.solve(); }, [&] { return elements.solve(); });
  table.row({std::to_string(problem.rows), time_text(quartiles(against_copies.ours)),
             time_text(quartiles(against_copies.theirs)), ratio_text(against_copies.ratio()),
             time_text(quartiles(against_elements.theirs)), ratio_text(against_elements.ratio())});
}

/// Seconds of one application beyond those of the operator itself.
double beyond(const Problem& problem, PC pc, const Timed& op) {
  constexpr int applications = 20;
  op.seconds = 0;
  const double start = MPI_Wtime();
  for (int i = 0; i < applications; ++i)
    PetscCallAbort(problem.comm, PCApply(pc, problem.b, problem.x));
  return (MPI_Wtime() - start - op.seconds) / applications;
}

void adaption(const Problem& problem, const Effort& effort, const Table& table) {
  const auto timed = Teuchos::rcp(new Timed(problem.M));
  Kept kept(timed);
  Apply nothing = [&](Vec x, Vec y) { kept.nothing_handed_over(x, y); };
  Apply anew = [&](Vec x, Vec y) { made_anew(*timed, x, y); };
  Cg ours(problem);
  Cg none(problem);
  Cg naive(problem);
  daptor::solvers::operator_as_pc(timed, ours.pc());
  set_shell(none.pc(), nothing);
  set_shell(naive.pc(), anew);
  for (const Cg* cg : {&ours, &none, &naive}) PetscCallAbort(problem.comm, PCSetUp(cg->pc()));
  const auto handing = [&](const Cg& cg) {
    return beyond(problem, cg.pc(), *timed) - beyond(problem, none.pc(), *timed);
  };
  const Pairs pairs = alternate_timed(
      problem.comm, effort, [&] { return handing(ours); }, [&] { return handing(naive); });
  const Quartiles ratio{quartiles(pairs.ours).lower / quartiles(pairs.theirs).median,
                        quartiles(pairs.ours).median / quartiles(pairs.theirs).median,
                        quartiles(pairs.ours).upper / quartiles(pairs.theirs).median};
  table.row({std::to_string(problem.rows), time_text(quartiles(pairs.ours)),
             time_text(quartiles(pairs.theirs)), ratio_text(ratio), judged(ratio, 0.5)});
}

}  // namespace

void hand_over(MPI_Comm comm, bool quick) {
  const std::vector<PetscInt> sizes =
      quick ? std::vector<PetscInt>{100} : std::vector<PetscInt>{500, 1000};
  const Effort effort{quick ? 5 : 15, 1, 2};
  {
    const Table table(comm,
                      "CG with MueLu: time per iteration, by the way in which vectors reach MueLu",
                      {"rows", "Daptor: no copy", "both vectors copied", "ratio of Daptor to this",
                       "copied element by element", "ratio of Daptor to this"});
    for (const PetscInt m : sizes) iterations_by_way(Problem(comm, m), effort, table);
  }
  const Table table(
      comm, "Handing two vectors over to MueLu: time per application",
      {"rows", "Daptor", "making two new MultiVectors", "ratio", "goal: at most half"});
  for (const PetscInt m : sizes) adaption(Problem(comm, m), effort, table);
}

}  // namespace bench
