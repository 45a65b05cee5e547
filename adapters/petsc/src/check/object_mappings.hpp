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

/// The mapping of a DM that it has made already, or null, as for types that need not be able to
/// make a global vector. DMGetLocalToGlobalMapping would make the mapping.
ISLocalToGlobalMapping known_mapping(DM dm);

}  // namespace daptor::petsc::detail
