// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscksp.h>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "daptor/report.hpp"

namespace daptor::petsc::plugin::doctor {

/// Whether the solver relies on a preconditioner that is symmetric. Process-local.
bool needs_symmetric_preconditioner(KSP ksp);

/// What preconditioners were applied to in a solve, and what they have made of it. For a symmetric
/// one, (u, M v) and (M u, v) are the same for the u and v of its first two applications: nothing
/// is applied to find that out, so that the program's own preconditioners are looked at, too.
class Applications {
 public:
  /// A solve begins, of which the next two applications are remembered. Process-local.
  void begin(KSP ksp);
  /// A preconditioner has made `y` of `x`. Process-local.
  void applied(PC pc, Vec x, Vec y);
  /// Whether the solve of this solver is one of those that have begun. Process-local, and the same
  /// on all ranks.
  bool has_begun(KSP ksp) const;
  /// Collective over the communicator of the solver. What was found in its solve, which ends.
  Report end(KSP ksp);

 private:
  struct Solve {
    std::vector<PetscScalar> x, y;  ///< of the first application
    int applications = 0;
    bool readable = true;
    /// Of this rank: the two differences, Hermitian and plain, real and imaginary parts, and the
    /// squares of the lengths of x, y, and those of the second application.
    std::array<double, 8> sums{};
  };
  std::unordered_map<std::int64_t, Solve> solves_;  ///< by the preconditioner
};

}  // namespace daptor::petsc::plugin::doctor
