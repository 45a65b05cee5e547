#pragma once

#include <string>

#include <petscpc.h>

#include <Teuchos_RCP.hpp>

#include "daptor/communicator.hpp"
#include "daptor/solvers/muelu.hpp"

/// \file
/// What `muelu_preconditioner` is made of, for those that keep the copy of the matrix themselves.

namespace daptor::solvers {

/// Collective over `comm`, that of the matrix. MueLu's multigrid for a matrix that is copied
/// already, with `equations` rows a node. Errors as `muelu_preconditioner`.
Teuchos::RCP<Operator> multigrid(const Teuchos::RCP<CrsMatrix>& matrix, const MpiCommunicator& comm,
                                 PetscInt equations, const Teuchos::ParameterList& parameters,
                                 const CoarseSolver& coarse);

/// Collective. Sets up again what `multigrid` made, after the values of `matrix` changed. What is
/// kept is what `reuse: type` of the parameters says, and the number of levels.
void renew_multigrid(const Teuchos::RCP<Operator>& preconditioner,
                     const Teuchos::RCP<CrsMatrix>& matrix, const MpiCommunicator& comm,
                     const Teuchos::ParameterList& parameters, const CoarseSolver& coarse);

struct MultigridView {
  std::string text;  ///< MueLu's own summary; on one process, empty on the others
  int levels = 0;
  PC coarse =
      nullptr;  ///< borrowed; null where the coarsest level has none of ours, or is not here
};

/// Collective.
MultigridView view_multigrid(const Teuchos::RCP<Operator>& preconditioner);

}  // namespace daptor::solvers
