// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Requirements of all PETSc targets on an array's elements and their number.

namespace daptor::petsc::detail {

/// The requirements on the elements: of type PetscScalar, in native byte order, aligned, on the
/// host. Rules `<prefix>.scalar-type`, `<prefix>.alignment`, `<prefix>.memory-space`.
void element_reasons(const std::string& prefix, const DistArray& array, adapter::Reasons& reasons);
/// Requires a count that fits in a PetscInt: rule `<prefix>.index-range`. `nullopt`: it does not
/// even fit in 64 bits.
void count_reason(const std::string& prefix, const char* what, std::optional<Index> count,
                  adapter::Reasons& reasons);

}  // namespace daptor::petsc::detail
