// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscsys.h>

#include "daptor/adapter/inspection.hpp"

namespace daptor::petsc::detail {

using adapter::counted;
using adapter::Findings;

/// The object as findings name it: `Vec 'u' (type mpi, options prefix 'fluid_')`, or without a name
/// `Vec (type mpi, 9 elements)`. Process-local, and changes nothing.
/// @param part  the part of the object that is looked at, such as `row mapping`; may be empty
std::string subject_of(PetscObject object, const std::string& part = "");
Findings findings_about(PetscObject object, const std::string& part = "");

/// A check of one object of PETSc.
class Inspection : public adapter::Inspection {
 public:
  explicit Inspection(PetscObject object, CallName name = "petsc::check")
      : Inspection(object, object, name) {}
  /// @param on  an object on whose communicator it is
  Inspection(PetscObject object, PetscObject on, CallName name = "petsc::check");
};

/// `0.00123`, with so many digits.
std::string number_text(double value, int digits = 3);

}  // namespace daptor::petsc::detail
