// SPDX-License-Identifier: BSD-3-Clause
#include "looks.hpp"

#include <algorithm>

#include <petscts.h>

#include "calls.hpp"
#include "daptor/error.hpp"
#include "object.hpp"
#include "petsc/src/check/objects.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

bool is_solver(PetscObject object) {
  const PetscClassId id = class_of(object);
  return id == KSP_CLASSID || id == SNES_CLASSID || id == TS_CLASSID;
}

}  // namespace

Report without(const Report& report, const Rules& rules) {
  Report rest;
  for (const Finding& finding : report.findings())
    if (std::find(rules.begin(), rules.end(), finding.rule) == rules.end()) rest.add(finding);
  return rest;
}

void Looks::look(PetscObject object, const Check& check) {
  if (rank_in(object) == 0) record_.count_look();
  collectively(object, check);
}

void Looks::collectively(PetscObject object, const Check& check) {
  const double began = MPI_Wtime();
  const PetscLogDouble flops = petsc_TotalFlops;
  busy_ = true;
  try {
    take(object, check());
  } catch (const LibraryFailed& error) {
    say_not_looked(object, error.rule() == "library.mpi");
  } catch (...) {
    say_not_looked(object, false);
  }
  busy_ = false;
  petsc_TotalFlops = flops;
  record_.add_seconds(MPI_Wtime() - began);
}

/// In the handler of what a check has thrown.
/// @param by_mpi  MPI has failed, as it does where ranks meet that are in different calls, and
///                their messages have other lengths than expected
void Looks::say_not_looked(PetscObject object, bool by_mpi) {
  const std::string sentence =
      "an object of class " + class_text(object) + " could not be looked at";
  if (!by_mpi) return record_.say(sentence + ": " + detail::current_text("check"));
  if (calls_told_) return;
  record_.say(sentence + ", as other ranks seem to be in another call (" +
              detail::current_text("check") + ")" +
              (settings_.calls ? "" : "; -daptor_check calls says in which"));
}

void Looks::take(PetscObject object, const Report& report) {
  if (report.findings().empty()) return;
  const MPI_Comm comm = PetscObjectComm(object);
  const int rank = rank_in(object);
  bool severe = false;
  int ends = 0;
  for (Finding finding : report.findings()) {
    severe = severe || record_.counting().is_severe(finding.severity);
    finding.ranks = in_world(finding.ranks, comm);
    if (rank == 0 && add(object, std::move(finding))) ends = 1;
  }
  if (!settings_.abort || !severe) return;
  MPI_Bcast(&ends, 1, MPI_INT, 0, comm);  // the first rank knows whether it is suppressed
  if (ends == 0) return;
  record_.save();
  MPI_Barrier(comm);  // or other ranks would end rank 0 before it has printed
  MPI_Abort(PETSC_COMM_WORLD, PETSC_ERR_PLIB);
}

/// @returns whether it counts, and is severe
bool Looks::add(PetscObject object, Finding finding) {
  const bool about_it = finding.found.str().rfind(detail::subject_of(object), 0) == 0;
  const bool unnamed = object->name == nullptr && about_it;
  if (unnamed) finding.found += course_.made_in(object);
  finding.found += settings_.hint(about_it ? object : nullptr, finding);
  // What a solver has met is a Vec of its own, and known by the solver.
  const bool of_solver = finding.key == "Vec" && is_solver(object);
  return record_.add(finding, course_.where(), unnamed || of_solver ? id_of(object) : 0);
}

void Looks::alone(PetscObject object, const Report& report, const std::string& where) {
  for (Finding finding : report.findings()) {
    finding.found += course_.made_in(object);
    record_.add_alone(finding, where,
                      detail::subject_of(object) + ' ' + std::to_string(object->tag),
                      object->name != nullptr);
  }
}

void Looks::look_alone(PetscObject object, const Check& check, const std::string& where) {
  const double began = MPI_Wtime();
  try {
    alone(object, check(), where);
  } catch (...) {
    record_.say("a Vec could not be looked at: " + detail::current_text("check"));
  }
  record_.add_seconds(MPI_Wtime() - began);
}

}  // namespace daptor::petsc::plugin::doctor
