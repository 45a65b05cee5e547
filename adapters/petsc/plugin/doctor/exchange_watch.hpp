// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdm.h>

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "events.hpp"
#include "looks.hpp"
#include "schedule.hpp"

namespace daptor::petsc::plugin::doctor {

/// Looks at what moves values between ranks: scatters, graphs (PetscSF) and DMs.
class ExchangeWatch {
 public:
  explicit ExchangeWatch(Looks& looks) : looks_(looks) {}

  /// Collective over the communicator of the object; of objects of other classes, nothing is done.
  /// \{
  void scatter_begins(Objects objects);
  void graph_begins(PetscObject graph);
  void grid_begins(PetscObject dm);
  /// Between a global and a local Vec of the DM.
  void moves(DM dm, Vec global, Vec local);
  /// \}
  /// Process-local.
  /// \{
  /// @param told  called for each move of the DM that was created
  void created(PetscObject object, void (*told)(DM dm, Vec global, Vec local));
  void forget(PetscObject object);
  /// Which DM has made a scatter, as findings say it; empty of other objects.
  std::string hint(PetscObject object) const;
  /// \}

 private:
  void look_at_dm(PetscObject dm);
  void look_at_dm_of(PetscObject vec);

  Looks& looks_;
  Schedule schedule_;
  Schedule move_schedule_;       ///< of DMs
  std::set<PetscObject> grids_;  ///< the DMs that there are
};

/// Whether two objects are on the same ranks. Process-local.
bool on_same_ranks(PetscObject one, PetscObject other);

}  // namespace daptor::petsc::plugin::doctor
