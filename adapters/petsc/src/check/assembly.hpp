// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/call.hpp"
#include "findings.hpp"

namespace daptor::petsc::detail {

/// Looks for values that this rank has set for elements of other ranks, and that wait for an
/// assembly: whoever reads the Vec, reads it without them. Process-local.
void look_at_unassembled(Vec vec, Findings& findings);

/// How this rank has set values since the last assembly; NOT_SET_VALUES if it has not, and where
/// that makes no difference: for Vecs and Mats of one process, and without values for other ranks.
InsertMode mode_of(Vec vec);
InsertMode mode_of(Mat mat);
/// The same at next to no cost, also where it makes no difference.
InsertMode last_mode_of(Vec vec) noexcept;

/// Whether all ranks set values of the object in one mode, by ADD_VALUES or by INSERT_VALUES, since
/// its last assembly. PETSc compares the ranks in debug builds only. A fact of an Inspection.
class SetModes {
 public:
  /// @param both  whether this rank is known to have used both modes
  void gather(Vec vec, Call& call, bool both = false);
  void gather(Mat mat, Call& call, bool both = false);
  bool settled() const { return nobody_adds_ || nobody_inserts_; }
  static void ask(Call&) {}
  void tell(Findings& findings) const;

 private:
  void gather(InsertMode mode, bool both, const char* rule, Call& call);

  const char* rule_ = "";
  bool adds_ = false, both_ = false;
  Agreed<bool> nobody_adds_, nobody_inserts_;
};

/// Collective over the communicator of a Vec or Mat that is about to be assembled: `SetModes`
/// alone.
/// @param both  whether this rank is known to have used both modes
Report check_modes(PetscObject object, bool both = false);

}  // namespace daptor::petsc::detail
