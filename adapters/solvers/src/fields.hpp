// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscmat.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/call.hpp"

/// \file
/// Information about a matrix, besides its entries, that a multigrid method uses.

namespace daptor::solvers {

/// Coordinates of the nodes that the rows of a matrix belong to.
struct Coordinates {
  PetscInt dimension = 0;
  std::vector<PetscReal> values;  ///< `dimension` numbers per node, node after node
  bool given() const { return dimension > 0; }
};

/// What a program has attached to a matrix. The null spaces are borrowed; null where it has none.
struct Attached {
  PetscInt block_size = 1;                 ///< rows per node (MatSetBlockSize)
  MatNullSpace near_null_space = nullptr;  ///< MatSetNearNullSpace
  MatNullSpace null_space = nullptr;       ///< MatSetNullSpace
};

/// Process-local. Throws LibraryFailed.
Attached attached_to(Mat matrix);

/// Collective. The near-null space as columns on `map`, the Map of the domain of the matrix;
/// otherwise the rigid body modes of the coordinates, if the block size equals their dimension;
/// otherwise the null space. Null if there is none of these, if they are what MueLu chooses anyway
/// (the constant vector for one row per node), or if there are too few vectors for the block size.
Teuchos::RCP<Tpetra::MultiVector<PetscScalar>> near_null_space(
    const Attached& attached, const Coordinates& coordinates,
    const Teuchos::RCP<const Tpetra::Map<>>& map, Call& call);

/// Collective. The same of what is attached to a matrix, without coordinates.
Teuchos::RCP<Tpetra::MultiVector<PetscScalar>> near_null_space(
    Mat matrix, const Teuchos::RCP<const Tpetra::Map<>>& map, Call& call);

/// Collective. The coordinates as columns with one row per node: on `map` if each node has one row,
/// on a Map of nodes otherwise. Throws InvalidArgument (`pc.coordinates`) if their number differs
/// from the number of nodes.
Teuchos::RCP<Tpetra::MultiVector<PetscReal>> coordinate_columns(
    PetscInt block_size, const Coordinates& coordinates,
    const Teuchos::RCP<const Tpetra::Map<>>& map, Call& call);

}  // namespace daptor::solvers
