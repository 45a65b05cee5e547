// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscmat.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/comm.hpp"

/// \file
/// What a multigrid method wants to know of a matrix beside its entries.

namespace daptor::solvers {

/// Where the rows of a matrix are in space.
struct Coordinates {
  PetscInt dimension = 0;
  std::vector<PetscReal> values;  ///< `dimension` numbers a node, node after node
  bool given() const { return dimension > 0; }
};

/// Collective. The near-null space that `matrix` has (MatSetNearNullSpace) as columns on `map`, its
/// domain's; without one, the rigid body modes of the coordinates where the block size is their
/// dimension; without these, its null space (MatSetNullSpace). Null where there is none of them,
/// where they are what MueLu takes anyway (the constant vector for one row a node), or too few
/// vectors for the block size.
Teuchos::RCP<Tpetra::MultiVector<PetscScalar>> near_null_space(
    Mat matrix, const Coordinates& coordinates, const Teuchos::RCP<const Tpetra::Map<>>& map,
    const Comm& comm);

/// Collective. The coordinates as columns, one row a node: on `map` where a node is a row, on a Map
/// of nodes otherwise. Throws InvalidArgument (`pc.coordinates`) where their number is not that of
/// the nodes.
Teuchos::RCP<Tpetra::MultiVector<PetscReal>> coordinate_columns(
    Mat matrix, const Coordinates& coordinates, const Teuchos::RCP<const Tpetra::Map<>>& map,
    const Comm& comm);

}  // namespace daptor::solvers
