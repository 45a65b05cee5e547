// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <string>

#include <Teuchos_RCP.hpp>

#include "daptor/solvers/types.hpp"

namespace Teuchos {
class ParameterList;
}

namespace daptor::solvers {

/// The PETSc PC that solves on MueLu's coarsest level.
struct CoarseSolver {
  /// A type that solves: the default factors the gathered matrix on every rank, which suits the few
  /// thousand rows of a coarsest level.
  std::string pc_type = "redundant";
  /// Prefix of PETSc options that change the PC, as in `-muelu_coarse_pc_type lu`. Empty: no
  /// options are looked at.
  std::string options_prefix = "muelu_coarse_";
};

/// Collective over the communicator of `matrix`. MueLu's multigrid for a PETSc matrix (type AIJ,
/// which is copied, see `copy_matrix`), with a PETSc PC on its coarsest level.
///
/// `parameters` are MueLu's own. Where they do not say otherwise, the verbosity is none, the number
/// of equations is the matrix's block size, the coarsest level has up to 5000 rows (`coarse: max
/// size`) if the matrix has no more than five entries a row, and a scalar problem is set up by
/// MueLu's newer factories (`use kokkos refactor`) unless the parameters ask for what they lack.
/// Where they name a `coarse: type`, that one is used and no PC. The KLU2 of Debian's
/// Trilinos 13.2, which is MueLu's default, gives wrong solutions on more than one rank: a direct
/// solver of Trilinos is tried once, and refused where it does not solve (`library.muelu`).
///
/// Throws, on all ranks: as copy_matrix; InvalidArgument (`muelu.parameters`) where `parameters` or
/// `coarse` differ between ranks (objects in them are not looked at); LibraryFailed
/// (`library.muelu`) with MueLu's text, also for parameters that it does not know; LibraryFailed
/// (`library.petsc`) where the coarse PC cannot be set up.
Teuchos::RCP<Operator> muelu_preconditioner(Mat matrix, const Teuchos::ParameterList& parameters,
                                            const CoarseSolver& coarse = {});

/// Collective. Puts a PETSc PC on the coarsest level of an existing MueLu preconditioner, in place
/// of the solver that is there. `preconditioner` must be a `MueLu::TpetraOperator` with a hierarchy
/// (InvalidArgument, rule `muelu.hierarchy`). Errors otherwise as muelu_preconditioner.
void set_coarse_solver(const Teuchos::RCP<Operator>& preconditioner,
                       const CoarseSolver& coarse = {});

}  // namespace daptor::solvers
