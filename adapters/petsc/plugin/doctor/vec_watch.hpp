// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "course.hpp"
#include "daptor/petsc/check.hpp"
#include "ghosts.hpp"
#include "looks.hpp"
#include "not_finite_watch.hpp"
#include "schedule.hpp"
#include "set_modes.hpp"

namespace daptor::petsc::plugin::doctor {

/// Looks at the Vecs of a program: mappings and, if values are read, at NaN and Inf, norms that are
/// stale, what was written behind PETSc's back, and ghosts.
class VecWatch {
 public:
  struct Settings {
    bool values = false;
    bool ghosts = false;  ///< stale ghosts are filled with NaN, and each event is looked at
  };
  /// @param before_destruction  calls `is_destroyed`, which PETSc tells of no earlier. Must not
  ///                            throw.
  VecWatch(Settings settings, Looks& looks, const Course& course,
           void (*before_destruction)(Vec vec));

  /// An event has begun, and is the innermost one. Process-local.
  void begins(int event, const Kind& kind, Objects objects);
  /// An event has ended, which may have begun before the session. Process-local.
  void event_ended(int event, const Kind& kind, Objects objects);
  /// An event ends, and is the innermost one. Collective over the communicator of its objects.
  void ends(int event, const Kind& kind, Objects objects);
  /// Collective over the communicator of the Vec; of objects of other classes, nothing is done.
  /// \{
  void look_at(PetscObject vec);
  /// The same of Vecs that are in a scatter: of those that have ghosts.
  void scattered(PetscObject scatter, PetscObject vec);
  /// An assembly begins: values of a Vec or Mat are about to be sent to their owners.
  void gathering(PetscObject object);
  void assembled(PetscObject vec);
  /// \}
  /// VecSetValues begins, or has ended. Process-local.
  /// \{
  void set_begins(Vec vec) { modes_.before(vec); }
  void set_ended(PetscObject vec);
  /// \}
  /// Process-local. The values are still there; other ranks may destroy the Vec later, or never.
  void is_destroyed(Vec vec);
  /// Process-local.
  /// @returns a finding about what is gone now
  std::optional<Finding> forget(PetscObject object);
  /// Process-local. What else is to be said where NaN or Inf was found.
  std::string hint(const Finding& finding) const;
  /// Process-local. What solvers that are open have met.
  Report met_here() const { return not_finite_.met_here(); }
  /// Process-local. Looks at the Vecs that are left a last time.
  /// @returns findings about their ghosts
  std::vector<Finding> conclude();

 private:
  /// A Vec whose values are remembered.
  struct Watched {
    Vec vec;
    petsc::ValueWatch values;
  };
  void look_at_ghosts(PetscObject vec);
  Report without_copies(const Report& report, PetscObject vec);
  Report changes(std::int64_t id, Vec vec);
  void look_at_last(const Watched& watch, const char* when);

  const Settings settings_;
  Looks& looks_;
  const Course& course_;
  void (*const before_destruction_)(Vec vec);
  Schedule schedule_;
  Schedule mode_schedule_;  ///< of assemblies
  SetModesWatch modes_;
  NotFiniteWatch not_finite_;
  std::optional<GhostWatch> ghosts_;  ///< if values are read
  std::unordered_map<std::int64_t, Watched> watches_;
  std::set<std::int64_t> written_;              ///< Vecs that were written to behind PETSc's back
  std::map<double, std::int64_t> stale_norms_;  ///< the Vecs in which they were found first
};

}  // namespace daptor::petsc::plugin::doctor
