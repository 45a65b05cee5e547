// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/numbering.hpp"

namespace daptor::petsc::detail {

/// Each of these functions begins with a check, in which the array may be proven.
/// \{

/// Collective. Global numbers of all local elements of the section, including padding, in memory
/// order.
std::vector<Index> local_numbers(const DistArray& array, Numbering numbering, Call& call);

/// Collective. Natural numbers of the owned elements in memory order. Throws NotRepresentable (rule
/// `petsc.numbering.permutation`) if an index is on two processes.
std::vector<Index> owned_natural_numbers(const DistArray& array, Call& call);

/// Collective. The same numbers as a mapping on the caller's communicator, in blocks of `block`
/// elements.
LocalToGlobal make_mapping(const DistArray& array, Numbering numbering, PetscInt block, Call& call);
/// \}

}  // namespace daptor::petsc::detail
