// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscksp.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "applications.hpp"
#include "course.hpp"
#include "daptor/petsc/check.hpp"
#include "looks.hpp"
#include "record.hpp"
#include "schedule.hpp"

namespace daptor::petsc::plugin::doctor {

/// Looks at the linear systems of a program: the operators when solvers are set up and begin, again
/// when they have changed; right-hand side and solution; preconditioners by what they are applied
/// to; solvers when they end. Each is called in an event of the object, on all of its ranks.
class SystemWatch {
 public:
  /// @param values  entries that PETSc does not know to have changed are looked for
  SystemWatch(bool values, Looks& looks, const Course& course)
      : values_(values), looks_(looks), course_(course) {}

  /// Collective over the communicator of the object; of objects of other classes, nothing is done.
  /// \{
  void set_up_begins(PetscObject solver);
  void preconditioner_set_up_begins(PetscObject preconditioner);
  void solve_begins(Objects objects);
  void solve_ended(PetscObject solver);
  /// \}
  /// Process-local.
  /// \{
  void assembled(PetscObject mat);
  void applied(Objects objects);
  void forget(PetscObject object);
  /// \}

  /// Process-local. Adds what the program's own last solves have ended by.
  void conclude(Record& record) const;

 private:
  void look_at_states(KSP ksp);
  void look_at_operators(KSP ksp);
  void look_at_mat(Mat mat, Rules irrelevant);
  void look_at_entries(Mat mat);
  void look_at_system(KSP ksp, Objects objects);
  void look_at_solver(KSP ksp);
  void note_divergence(KSP ksp);

  const bool values_;
  Looks& looks_;
  const Course& course_;
  Schedule schedule_;
  Schedule layout_schedule_;       ///< of solvers
  Schedule value_schedule_;        ///< of operators
  Schedule application_schedule_;  ///< of solvers
  Applications applications_;
  std::unordered_map<std::int64_t, petsc::ValueWatch> entries_;  ///< of operators
  KSP solver_ = nullptr;                                         ///< whose set-up has begun last
  std::unordered_set<std::int64_t> assembled_;  ///< Mats, since a preconditioner was made of them
  std::unordered_set<std::int64_t> prepared_;   ///< preconditioners that have been set up
  std::unordered_set<std::int64_t> solvers_;    ///< that have been set up
  std::unordered_map<std::int64_t, PetscObjectState> states_;  ///< of Mats when looked at
  /// Solvers whose last solve has diverged: what is told at the end, and where it was.
  std::map<std::int64_t, std::pair<Finding, std::string>> diverged_;
};

}  // namespace daptor::petsc::plugin::doctor
