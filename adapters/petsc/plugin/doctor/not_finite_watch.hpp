// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include <cstdint>
#include <set>
#include <unordered_map>

#include "course.hpp"
#include "ended.hpp"
#include "flow.hpp"
#include "looks.hpp"
#include "origins.hpp"
#include "schedule.hpp"

namespace daptor::petsc::plugin::doctor {

/// Where NaN and Inf come from: looks at what events have made, and says of solvers that have ended
/// by them what they have met first.
class NotFiniteWatch {
 public:
  /// @param always  every event is looked at, not one in more and more
  NotFiniteWatch(bool always, Looks& looks, const Course& course);

  /// An event has begun, and is the innermost one. Process-local.
  void begins(Moment now);
  /// An event ends, and is the innermost one. Collective over the communicator of its objects.
  void ends(int event, const Kind& kind, Objects objects);
  /// Collective over the communicator of the Vec. The report, which says of values that are not
  /// finite what has made them.
  Report with_maker(const Report& report, PetscObject vec);
  /// Process-local. What solvers that are open have met, as this rank sees it.
  Report met_here() const { return origins_.first_here(); }
  void forget(std::int64_t id);

 private:
  void look_at_made(const Flow& flow);
  bool look_at_end(int event, Moment then, PetscObject solver);
  bool tell_why(PetscObject solver, const Ended& end);
  bool look_at_result(int event, Moment then, PetscObject solver, Vec result);
  Report not_finite_in(PetscObject vec);

  const bool always_;
  Looks& looks_;
  const Course& course_;
  Origins origins_;
  std::unordered_map<int, Schedule> schedules_;  ///< by event
  std::set<std::int64_t> solvers_;               ///< those of which it was told
  /// Where NaN or Inf was found since the outermost solver has begun, the same on all its ranks.
  MPI_Comm found_in_ = MPI_COMM_NULL;
};

}  // namespace daptor::petsc::plugin::doctor
