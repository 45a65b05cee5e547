// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscsys.h>

#include "daptor/adapter/findings.hpp"

namespace daptor::petsc::detail {

using adapter::counted;

/// What is wrong with one object of PETSc, which findings name as `Vec 'u' (type mpi, options
/// prefix 'fluid_')`. Process-local, and changes nothing.
class Findings : public adapter::Findings {
 public:
  /// @param part  the part of the object that is looked at, such as `row mapping`; may be empty
  explicit Findings(PetscObject object, const std::string& part = "");
};

/// An error, if the settings of this rank, in words, are not those of rank 0 (`Call::alike`).
/// Process-local.
void compare_settings(const char* rule, const std::string& mine, const std::string& first,
                      const Terms& remedy, Findings& findings);

}  // namespace daptor::petsc::detail
