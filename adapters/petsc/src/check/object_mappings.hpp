// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscdm.h>
#include <petscmat.h>
#include <petscvec.h>

#include "mapping.hpp"

namespace daptor::petsc::detail {

/// The local-to-global mappings of an object, as checks; none if it is not set up. Process-local.
/// \{
std::vector<MappingCheck> mappings_of(Vec vec);
/// Those of rows and of columns.
std::vector<MappingCheck> mappings_of(Mat mat);
/// @param layout  a global vector of the DM
std::vector<MappingCheck> mappings_of(DM dm, Vec layout);
/// \}

/// The same for a mapping that need not be that of the object, which is set up.
/// \{
MappingCheck mapping_on(ISLocalToGlobalMapping mapping, Vec layout);
MappingCheck mapping_on(ISLocalToGlobalMapping mapping, Mat layout);
/// \}

/// Whether the object has a type, and a layout that PETSc has set up. Process-local.
/// \{
bool is_set_up(Vec vec);
bool is_set_up(Mat mat);
/// \}

/// The mapping of a DM that it has made already, or null, as for types that need not be able to
/// make a global vector. DMGetLocalToGlobalMapping would make the mapping.
ISLocalToGlobalMapping known_mapping(DM dm);

}  // namespace daptor::petsc::detail
