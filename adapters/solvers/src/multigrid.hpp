// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <petscpc.h>

#include <Teuchos_RCP.hpp>

#include "daptor/call.hpp"
#include "daptor/solvers/muelu.hpp"
#include "daptor/solvers/owned_mat.hpp"

/// \file
/// The parts of `muelu_preconditioner`, for callers that keep the copy of the matrix themselves.

namespace daptor::solvers {

/// Properties of a PETSc matrix besides its entries.
struct MatrixFacts {
  PetscInt equations = 1;     ///< rows per node (MatSetBlockSize)
  PetscInt null_vectors = 0;  ///< dimension of its null space (MatSetNullSpace)
};

/// Process-local. Throws LibraryFailed.
MatrixFacts facts_of(Mat matrix);

/// Collective over the communicator of the matrix. MueLu's multigrid for a matrix that has already
/// been copied. Errors as `muelu_preconditioner`.
Teuchos::RCP<Operator> multigrid(const Teuchos::RCP<CrsMatrix>& matrix, const MatrixFacts& facts,
                                 const Teuchos::ParameterList& parameters,
                                 const CoarseSolver& coarse, Call& call);

/// Collective. Sets up again what `multigrid` returned, after the values of `matrix` have changed.
/// Keeps the number of levels, and what `reuse: type` of the parameters says.
void renew_multigrid(const Teuchos::RCP<Operator>& preconditioner,
                     const Teuchos::RCP<CrsMatrix>& matrix, const MatrixFacts& facts,
                     const Teuchos::ParameterList& parameters, const CoarseSolver& coarse,
                     Call& call);

/// What MueLu is to keep of the last set-up when values alone have changed, as its parameter
/// `reuse: type` has it: "none", "tP", "RP", ..., "full". Process-local.
std::string kept_parts(const Teuchos::ParameterList& parameters);

struct MultigridView {
  std::string text;  ///< MueLu's own summary, on one process; empty on the others
  int levels = 0;    ///< counted over all processes
  /// Borrowed; null if the coarsest level has no PC of Daptor, or is not on this process.
  PC coarse = nullptr;
};

/// Collective over the communicator of the matrix passed to `multigrid`.
MultigridView view_multigrid(const Teuchos::RCP<Operator>& preconditioner, Call& call);

/// The levels of a hierarchy in the form that PETSc's own multigrid takes.
struct Grids {
  int levels = 1;
  /// Matrices of all levels except the finest, the coarsest first.
  std::vector<OwnedMat> operators;
  /// Interpolations from each of these levels to the next finer one.
  std::vector<OwnedMat> interpolations;
};

/// Collective over the communicator of the matrix passed to `multigrid`. Copies MueLu's matrices to
/// type AIJ, on all processes of `petsc` (the same processes), even if a level is only on some of
/// them: the others have no rows of it. Throws LibraryFailed, NotRepresentable
/// (`matrix.index-range`).
Grids grids_of(const Teuchos::RCP<Operator>& preconditioner, MPI_Comm petsc, Call& call);

}  // namespace daptor::solvers
