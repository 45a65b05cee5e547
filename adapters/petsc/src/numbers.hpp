// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/petsc/numbering.hpp"

namespace daptor::petsc::detail {

/// Collective. Global numbers of all local elements of the section, including padding, in memory
/// order. The ranks have been proven consistent.
std::vector<Index> local_numbers(const DistArray& array,
                                 const std::shared_ptr<const MpiCommunicator>& comm,
                                 Numbering numbering);

/// Collective. Natural numbers of the owned elements in memory order.
std::vector<Index> owned_natural_numbers(const DistArray& array,
                                         const std::shared_ptr<const MpiCommunicator>& comm);

/// Collective. The same numbers as a mapping on `user`, in blocks of `block` elements.
LocalToGlobal make_mapping(const DistArray& array,
                           const std::shared_ptr<const MpiCommunicator>& comm, MPI_Comm user,
                           Numbering numbering, PetscInt block);

}  // namespace daptor::petsc::detail
