// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>

#include <petscksp.h>

#include "findings.hpp"

/// \file
/// What checks read of PETSc's objects. Process-local; PETSc's errors are thrown as LibraryFailed.

namespace daptor::petsc::detail {

/// Whether the object is of one of these types. One without a type is not.
bool is_one_of(PetscObject object, std::initializer_list<const char*> types);

/// Whether the object has a type, and a layout that PETSc has set up.
/// \{
bool is_set_up(Vec vec);
bool is_set_up(Mat mat);
/// \}

PetscLayout layout_of_vec(Vec vec);

PetscInt local_size(Vec vec);

/// Local numbers of rows and columns.
struct LocalShape {
  PetscInt rows = 0, columns = 0;
};
LocalShape shape_of(Mat mat);

/// What a solver works with; null where it has none.
struct System {
  Mat operators = nullptr;
  Mat preconditioning = nullptr;
  Vec rhs = nullptr;
  Vec solution = nullptr;
};
System system_of(KSP ksp);

/// An error with `rule`, unless the Vec has `expected` elements on this rank.
/// @param what   what it is: `a right-hand side`
/// @param whose  goes on behind `expected`: `, the columns of this rank`
/// @param more   goes on behind the remedy
/// @returns whether it has
bool has_length(Vec vec, PetscInt expected, const char* rule, const std::string& what,
                const char* whose, Findings& findings, const char* more = "");

}  // namespace daptor::petsc::detail
