// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <petscpc.h>

#include <Teuchos_RCP.hpp>

#include "daptor/comm.hpp"
#include "daptor/solvers/muelu.hpp"
#include "daptor/solvers/owned_mat.hpp"

/// \file
/// What `muelu_preconditioner` is made of, for those that keep the copy of the matrix themselves.

namespace daptor::solvers {

/// What a PETSc matrix says of itself beside its entries.
struct MatrixFacts {
  PetscInt equations = 1;     ///< rows a node (MatSetBlockSize)
  PetscInt null_vectors = 0;  ///< dimension of its null space (MatSetNullSpace)
};

/// Process-local. Throws LibraryFailed.
MatrixFacts facts_of(Mat matrix);

/// Collective over `comm`, that of the matrix. MueLu's multigrid for a matrix that is copied
/// already. Errors as `muelu_preconditioner`.
Teuchos::RCP<Operator> multigrid(const Teuchos::RCP<CrsMatrix>& matrix, const Comm& comm,
                                 const MatrixFacts& facts, const Teuchos::ParameterList& parameters,
                                 const CoarseSolver& coarse);

/// Collective. Sets up again what `multigrid` made, after the values of `matrix` changed. What is
/// kept is what `reuse: type` of the parameters says, and the number of levels.
void renew_multigrid(const Teuchos::RCP<Operator>& preconditioner,
                     const Teuchos::RCP<CrsMatrix>& matrix, const Comm& comm,
                     const MatrixFacts& facts, const Teuchos::ParameterList& parameters,
                     const CoarseSolver& coarse);

struct MultigridView {
  std::string text;  ///< MueLu's own summary; on one process, empty on the others
  int levels = 0;    ///< on all processes together
  /// Borrowed; null where the coarsest level has none of ours, or is not here.
  PC coarse = nullptr;
};

/// Collective over `comm`, that of the matrix that `multigrid` was made of.
MultigridView view_multigrid(const Teuchos::RCP<Operator>& preconditioner, const Comm& comm);

/// The levels of a hierarchy as PETSc's own multigrid takes them.
struct Grids {
  int levels = 1;
  /// Matrices of all levels but the finest, the coarsest first.
  std::vector<OwnedMat> operators;
  /// From each of these levels to the next finer one.
  std::vector<OwnedMat> interpolations;
};

/// Collective over `comm`, that of the matrix that `multigrid` was made of. Copies of MueLu's
/// matrices, of type AIJ, on all processes of `petsc` (the same ones), also where a level is on
/// some only: the others have no rows of it. Throws LibraryFailed, NotRepresentable
/// (`matrix.index-range`).
Grids grids_of(const Teuchos::RCP<Operator>& preconditioner, const Comm& comm, MPI_Comm petsc);

}  // namespace daptor::solvers
