// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscksp.h>

#include <string>

#include "daptor/call.hpp"
#include "findings.hpp"
#include "null_space.hpp"
#include "objects.hpp"
#include "probe.hpp"

namespace daptor::petsc::detail {

/// Whether a solver knows that its operator is singular, and has a right-hand side for which there
/// is a solution. A fact of an Inspection.
class SingularCheck {
 public:
  /// @param applicable  whether this rank can multiply the operator, which is square, with vectors
  ///                    as long as the solution
  void gather(const System& system, bool applicable, Call& call);
  bool settled() const { return !applicable_; }
  void ask(Call& call);
  void tell(Findings& findings) const;

 private:
  void look_for_constants(const Gain& gain, const Probe& probe);
  void look_at_other(const Gain& gain, const Probe& probe);
  void look_at_rhs(const Gain& gain, const Probe& probe);

  System system_;
  NullVectors own_, other_;
  Agreed<bool> applicable_, has_own_, has_other_, has_rhs_;
  bool constants_ = false;    ///< are mapped to zero, without a null space
  bool others_hold_ = false;  ///< vectors of the null space of the preconditioner's matrix
  double in_null_space_ = 0;  ///< part of the right-hand side
};

}  // namespace daptor::petsc::detail
