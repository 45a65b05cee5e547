// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "course.hpp"
#include "daptor/report.hpp"
#include "record.hpp"

namespace daptor::petsc::plugin::doctor {

using Rules = std::vector<std::string>;

/// The findings by other rules than these.
Report without(const Report& report, const Rules& rules);

/// Looks at objects: runs a check with all ranks of an object, or on this one alone, and takes what
/// it has found into the record. What the checks cost, and the events that they make, are not the
/// program's.
class Looks {
 public:
  struct Settings {
    bool calls = false;  ///< ranks in different calls are looked for
    bool abort = false;  ///< the first severe finding ends the job
    /// What else is to be said of an object in a finding; may be empty.
    std::function<std::string(PetscObject object, const Finding& finding)> hint;
  };
  Looks(Settings settings, Record& record, const Course& course)
      : settings_(std::move(settings)), record_(record), course_(course) {}

  using Check = std::function<Report()>;

  /// Whether a check runs, which may make events.
  bool busy() const { return busy_; }
  /// From now on there are no events of the program.
  void end() { busy_ = true; }

  /// Collective over the object's communicator. Takes the report of `check`, which may throw, and
  /// counts it as a look.
  void look(PetscObject object, const Check& check);
  /// The same, uncounted.
  void collectively(PetscObject object, const Check& check);
  /// Process-local. Takes what this rank has found, where others cannot be asked. PETSc gives an
  /// object the same tag on all of its ranks.
  void alone(PetscObject object, const Report& report, const std::string& where);
  /// Process-local. The same of a `check` of the values of a Vec, which may throw.
  void look_alone(PetscObject object, const Check& check, const std::string& where);
  /// A finding has told that ranks are in different calls.
  void calls_differ() { calls_told_ = true; }

 private:
  void say_not_looked(PetscObject object, bool by_mpi);
  void take(PetscObject object, const Report& report);
  bool add(PetscObject object, Finding finding);

  const Settings settings_;
  Record& record_;
  const Course& course_;
  bool busy_ = false;
  bool calls_told_ = false;
};

}  // namespace daptor::petsc::plugin::doctor
