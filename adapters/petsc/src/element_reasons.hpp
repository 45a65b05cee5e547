// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/section.hpp"

/// \file
/// What all PETSc targets require of an array's elements and their number.

namespace daptor::petsc::detail {

/// Requires elements of type PetscScalar, in native byte order, aligned, and in memory of the host.
/// Rules `<prefix>.scalar-type`, `<prefix>.alignment`, `<prefix>.device`.
void element_reasons(const std::string& prefix, const Section& array, adapter::Reasons& reasons);
/// The same for memory in any space.
void element_type_reasons(const std::string& prefix, const Section& array,
                          adapter::Reasons& reasons);
/// Requires a count that fits in a PetscInt: rule `<prefix>.index-range`. `nullopt` stands for a
/// count that does not even fit in 64 bits.
void count_reason(const std::string& prefix, const char* what, std::optional<Index> count,
                  adapter::Reasons& reasons);

}  // namespace daptor::petsc::detail
