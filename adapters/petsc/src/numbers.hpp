// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/petsc/numbering.hpp"

namespace daptor::petsc::detail {

/// Collective. Global numbers of all local elements of the section, including padding, in memory
/// order. The array must be proven consistent.
std::vector<Index> local_numbers(const DistArray& array, const Comm& comm, Numbering numbering);

/// Collective. Natural numbers of the owned elements in memory order.
std::vector<Index> owned_natural_numbers(const DistArray& array, const Comm& comm);

/// Collective. The same numbers as a mapping on the caller's communicator, in blocks of `block`
/// elements.
LocalToGlobal make_mapping(const DistArray& array, const Comm& comm, Numbering numbering,
                           PetscInt block);

}  // namespace daptor::petsc::detail
