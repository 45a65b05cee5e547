#pragma once

#include <petscmat.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/communicator.hpp"
#include "trilinos_pc.hpp"

/// \file
/// What a multigrid method wants to know of a matrix beside its entries.

namespace daptor::solvers::plugin {

/// Collective. The near-null space that `matrix` has (MatSetNearNullSpace) as columns on `map`, its
/// domain's; without one, the rigid body modes of the coordinates where the block size is their
/// dimension. Null where there is neither, or too few vectors for the block size.
Teuchos::RCP<Tpetra::MultiVector<PetscScalar>> near_null_space(
    Mat matrix, const Coordinates& coordinates, const Teuchos::RCP<const Tpetra::Map<>>& map,
    const MpiCommunicator& comm);

/// Collective. The coordinates as columns, one row a node: on `map` where a node is a row, on a Map
/// of nodes otherwise. Throws InvalidArgument (`pc.coordinates`) where their number is not that of
/// the nodes.
Teuchos::RCP<Tpetra::MultiVector<PetscReal>> coordinate_columns(
    Mat matrix, const Coordinates& coordinates, const Teuchos::RCP<const Tpetra::Map<>>& map,
    const MpiCommunicator& comm);

}  // namespace daptor::solvers::plugin
