// SPDX-License-Identifier: BSD-3-Clause
#include "system_watch.hpp"

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "ended.hpp"
#include "object.hpp"
#include "petsc/src/check/diverged.hpp"
#include "petsc/src/check/objects.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// Whether the preconditioner of a solver relies on the entries of the diagonal. Others, such as LU
/// and fieldsplit, are used for systems that have none in some rows.
bool needs_diagonal(KSP ksp) {
  PC pc = nullptr;
  static_cast<void>(KSPGetPC(ksp, &pc));
  return pc != nullptr &&
         detail::is_one_of(detail::object(pc),
                           {PCJACOBI, PCPBJACOBI, PCSOR, PCEISENSTAT, PCILU, PCICC, PCBJACOBI,
                            PCASM, PCGASM, PCMG, PCGAMG, PCML, "muelu", "ifpack2", PCHYPRE});
}

/// Whether products with the operator run code of the program, which may count them, print, or
/// have other effects.
bool runs_program(Mat mat) {
  return mat != nullptr && detail::is_one_of(detail::object(mat), {MATSHELL, MATPYTHON, MATMFFD});
}

}  // namespace

void SystemWatch::set_up_begins(PetscObject solver) {
  if (class_of(solver) != KSP_CLASSID) return;
  solver_ = as<KSP>(solver);
  look_at_states(solver_);
  look_at_operators(solver_);
}

/// A preconditioner is set up. If it has been before, an operator has changed, perhaps without an
/// assembly that is an event, as by MatZeroRows.
void SystemWatch::preconditioner_set_up_begins(PetscObject preconditioner) {
  if (class_of(preconditioner) != PC_CLASSID) return;
  PC of_solver = nullptr;
  if (solver_ != nullptr) static_cast<void>(KSPGetPC(solver_, &of_solver));
  if (detail::object(of_solver) != preconditioner) return;
  const detail::System system = detail::system_of(solver_);
  const bool again = !prepared_.insert(id_of(preconditioner)).second;
  for (Mat const mat : {system.operators, system.preconditioning})
    if (mat != nullptr && assembled_.erase(id_of(detail::object(mat))) == 0 && again)
      schedule_.changed(id_of(detail::object(mat)));
  if (again) look_at_operators(solver_);
}

void SystemWatch::solve_begins(Objects objects) {
  PetscObject const solver = objects[0];
  if (class_of(solver) != KSP_CLASSID) return;
  KSP const ksp = as<KSP>(solver);
  look_at_operators(ksp);
  if (values_) {
    const detail::System system = detail::system_of(ksp);
    look_at_entries(system.operators);
    if (system.preconditioning != system.operators) look_at_entries(system.preconditioning);
  }
  if (needs_symmetric_preconditioner(ksp) && application_schedule_.due(id_of(solver)))
    applications_.begin(ksp);
  look_at_system(ksp, objects);
}

void SystemWatch::solve_ended(PetscObject solver) {
  if (class_of(solver) != KSP_CLASSID) return;
  KSP const ksp = as<KSP>(solver);
  if (schedule_.due(id_of(solver))) look_at_solver(ksp);
  if (applications_.has_begun(ksp))
    looks_.collectively(solver, [&] { return applications_.end(ksp); });
  note_divergence(ksp);
}

void SystemWatch::assembled(PetscObject mat) {
  if (class_of(mat) != MAT_CLASSID) return;
  schedule_.changed(id_of(mat));
  assembled_.insert(id_of(mat));
}

void SystemWatch::applied(Objects objects) {
  if (class_of(objects[0]) == PC_CLASSID && class_of(objects[1]) == VEC_CLASSID &&
      class_of(objects[2]) == VEC_CLASSID)
    applications_.applied(as<PC>(objects[0]), as<Vec>(objects[1]), as<Vec>(objects[2]));
}

void SystemWatch::forget(PetscObject object) {
  const std::int64_t id = id_of(object);
  for (Schedule* const schedule :
       {&schedule_, &layout_schedule_, &value_schedule_, &application_schedule_})
    schedule->forget(id);
  entries_.erase(id);
  assembled_.erase(id);
  prepared_.erase(id);
  solvers_.erase(id);
  states_.erase(id);
  if (solver_ != nullptr && object == detail::object(solver_)) solver_ = nullptr;
}

void SystemWatch::conclude(Record& record) const {
  for (const auto& [id, diverged] : diverged_) record.add(diverged.first, diverged.second);
}

/// Another solver has operators that were looked at with a former one, and may have changed
/// without an assembly that is an event, as by MatZeroRows. Ranks may differ in what they know of
/// that, and agree.
void SystemWatch::look_at_states(KSP ksp) {
  if (!solvers_.insert(id_of(detail::object(ksp))).second) return;
  const detail::System system = detail::system_of(ksp);
  for (Mat const mat : {system.operators, system.preconditioning}) {
    PetscObject const object = detail::object(mat);
    const auto known = mat == nullptr ? states_.end() : states_.find(id_of(object));
    if (known == states_.end() || assembled_.count(id_of(object)) > 0) continue;
    looks_.collectively(object, [&] {
      Call call(detail::comm_of(object), "petsc::check");
      const Agreed<bool> same = call.all(detail::object_state(object) == known->second);
      call.check();
      if (!same) schedule_.changed(id_of(object));
      known->second = detail::object_state(object);
      return Report{};
    });
  }
}

void SystemWatch::look_at_operators(KSP ksp) {
  const detail::System system = detail::system_of(ksp);
  const bool diagonal = needs_diagonal(ksp);
  const Rules unless_needed = diagonal ? Rules{} : Rules{"check.mat.no-diagonal"};
  if (system.operators == system.preconditioning)
    return look_at_mat(system.operators, unless_needed);
  look_at_mat(system.operators, {"check.mat.no-diagonal"});
  // Solvers remove the null space of the operator alone, and a Schur complement's preconditioner
  // is made of a block that may be zero.
  Rules rules = unless_needed;
  rules.push_back("check.mat.null-space");
  if (!diagonal) rules.push_back("check.mat.empty-row");
  look_at_mat(system.preconditioning, rules);
}

/// @param irrelevant  rules of which no findings are reported
void SystemWatch::look_at_mat(Mat mat, Rules irrelevant) {
  PetscObject const object = detail::object(mat);
  if (mat == nullptr || !schedule_.due_once(id_of(object))) return;
  states_[id_of(object)] = detail::object_state(object);
  petsc::CheckOptions options;
  options.apply = !runs_program(mat);
  irrelevant.emplace_back("check.mapping.unblocked");
  if (course_.within_solver())
    irrelevant.insert(irrelevant.end(), {"check.mapping.elsewhere", "check.mat.near-null-space"});
  // The fields of a fieldsplit may be zero, which nested matrices then have as blocks.
  if (course_.within_solver() && detail::is_one_of(object, {MATNEST}))
    irrelevant.emplace_back("check.mat.empty-row");
  looks_.look(object, [&] { return without(petsc::check(mat, options), irrelevant); });
}

/// Entries of an operator that PETSc does not know to have changed.
void SystemWatch::look_at_entries(Mat mat) {
  PetscObject const object = detail::object(mat);
  if (mat == nullptr || !value_schedule_.due(id_of(object))) return;
  looks_.look(object, [&] {
    const auto found = entries_.find(id_of(object));
    if (found != entries_.end()) return found->second.look();
    entries_.emplace(id_of(object), petsc::ValueWatch(mat));
    return Report{};
  });
}

/// Right-hand side and solution against the operator.
void SystemWatch::look_at_system(KSP ksp, Objects objects) {
  if (class_of(objects[1]) != VEC_CLASSID || class_of(objects[2]) != VEC_CLASSID) return;
  Mat const mat = detail::system_of(ksp).operators;
  if (mat == nullptr || !layout_schedule_.due(id_of(objects[0]))) return;
  Vec const rhs = as<Vec>(objects[1]), solution = as<Vec>(objects[2]);
  looks_.look(objects[0], [&] {
    const Report report = petsc::check(mat, solution, rhs);
    // A solve with the transpose is the same event.
    const bool right =
        report.findings().empty() || petsc::check(mat, rhs, solution).findings().empty();
    return right ? Report{} : report;
  });
}

void SystemWatch::look_at_solver(KSP ksp) {
  petsc::CheckOptions options;
  options.apply = !runs_program(detail::system_of(ksp).operators);
  Rules irrelevant{"check.ksp.diverged"};
  // What multigrid makes of a singular operator has no null space, and need not have one.
  if (course_.within_solver())
    irrelevant.insert(irrelevant.end(), {"check.ksp.no-null-space", "check.ksp.null-space-unused",
                                         "check.ksp.right-hand-side"});
  looks_.look(detail::object(ksp), [&] { return without(petsc::check(ksp, options), irrelevant); });
}

/// What a solve that the program itself has begun has ended by; told at the end of the run if it
/// was the solver's last one. Other solvers look at the reason of theirs.
void SystemWatch::note_divergence(KSP ksp) {
  PetscObject const object = detail::object(ksp);
  if (course_.is_inside_solver() || rank_in(object) != 0) return;
  diverged_.erase(id_of(object));
  // Where values are read, it is told what was NaN.
  if (values_ && ended(object).how == Ended::How::by_not_finite) return;
  if (const auto report = detail::diverged(ksp))
    diverged_[id_of(object)] = {report->findings().front(), course_.where()};
}

}  // namespace daptor::petsc::plugin::doctor
