// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// What every target of PETSc asks of an array's elements and of their number.

namespace daptor::petsc::detail {

/// What every target asks of the elements: PetscScalar, native order, aligned, on the host. Rules
/// `<prefix>.scalar-type`, `<prefix>.alignment`, `<prefix>.memory-space`.
void element_reasons(const std::string& prefix, const DistArray& array, adapter::Reasons& reasons);
/// A count that PetscInt must hold: rule `<prefix>.index-range`. Nothing: 64 bits do not hold it.
void count_reason(const std::string& prefix, const char* what, std::optional<Index> count,
                  adapter::Reasons& reasons);

}  // namespace daptor::petsc::detail
