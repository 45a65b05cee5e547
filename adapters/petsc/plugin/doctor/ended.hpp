// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscvec.h>

namespace daptor::petsc::plugin::doctor {

/// How a KSP, SNES or TS has come to its end. Process-local; all its ranks say the same.
struct Ended {
  enum class How {
    well,
    badly,          ///< for a reason that is not known
    by_not_finite,  ///< because it has met NaN or Inf
  } how = How::well;
  std::string reason;    ///< PETSc's word for it: `DIVERGED_FNORM_NAN`
  Vec result = nullptr;  ///< the solution
};

/// Of objects of other classes, `well` without a result.
Ended ended(PetscObject solver);

}  // namespace daptor::petsc::plugin::doctor
