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
  /// A type that solves. The default factors the gathered matrix on every rank, which suits the few
  /// thousand rows of a coarsest level. PETSc's own factorizations accept a singular matrix: they
  /// replace a zero pivot by a small number, unless their options say otherwise.
  std::string pc_type = "redundant";
  /// Prefix of PETSc options that change the PC, as in `-muelu_coarse_pc_type lu`. If it is empty,
  /// no options are read. The prefix may differ between ranks; the options' values may not.
  std::string options_prefix = "muelu_coarse_";
};

/// Collective over the communicator of `matrix`. Makes MueLu's multigrid for a PETSc matrix (type
/// AIJ, which is copied, see `copy_matrix`), with a PETSc PC on its coarsest level.
///
/// `parameters` are MueLu's own, and may name a file (`xml parameter file`), which only the first
/// rank reads. Unless they say otherwise, the verbosity is none, the number of
/// equations is the matrix's block size, and the nullspace is the near-null space of the matrix
/// (MatSetNearNullSpace) or its null space (MatSetNullSpace). The coarsest level has at most a
/// quarter of the rows (`coarse: max size`), but at least 1000 and at most 2000, or 2000 to 5000 if
/// the matrix has no more than five entries per row. A scalar problem is set up by MueLu's newer
/// factories (`use kokkos refactor`), unless the parameters need something that these lack.
/// Repartitioning without coordinates joins neighbours in rank order, and where a process has no
/// rows, `repartition: remap parts` is false. If the matrix has a null
/// space, it is removed from the coarse solutions.
///
/// If the parameters name a `coarse: type`, that solver is used instead of `coarse`. KLU2, which is
/// MueLu's default, gives wrong solutions on more than one rank in Debian 12: a direct solver of
/// Trilinos is tried once, and refused if its solution is wrong (`library.muelu`).
///
/// @param matrix      an assembled Mat of type AIJ, which is copied and not kept
/// @param parameters  MueLu's own; the same on all ranks
/// @param coarse      the PC on the coarsest level; its type is the same on all ranks
/// @returns the preconditioner, set up, on Maps that number the rows as PETSc does
/// @throws InvalidArgument if `parameters` or `coarse` differ between ranks (`muelu.parameters`;
///   the error says in what, but objects in them are not compared), or if they need coordinates
///   that they do not have (`muelu.coordinates`); this and all of the following is thrown on all
///   ranks
/// @throws InvalidArgument for values with which MueLu reads beyond its arrays or does not end
///   (`trilinos.parameter`): a `number of equations` that does not divide the number of each rank's
///   rows, in whichever list and by whichever name, and the like; for a file that cannot be read
///   (`xml.file`, `xml.syntax`)
/// @throws InvalidArgument if a smoother divides by a diagonal that is zero or missing
///   (`matrix.diagonal`), or if a near-null vector is 0 on a rank, or has a number that is not
///   finite (`matrix.near-null-space`; `pc.coordinates` for coordinates)
/// @throws LibraryFailed (`library.muelu`) with MueLu's text, also for parameters that MueLu does
///   not know; (`library.petsc`) if the coarse PC cannot be set up
/// @throws Error otherwise like copy_matrix
Teuchos::RCP<Operator> muelu_preconditioner(Mat matrix, const Teuchos::ParameterList& parameters,
                                            const CoarseSolver& coarse = {});

/// Collective over the communicator of `matrix`. Sets up MueLu's multigrid again, for new values or
/// another matrix on as many rows of each process, with the parameters and the coarse solver that
/// it was made with. What MueLu keeps, if the entries are at the same positions, is its parameter
/// `reuse: type`: by default nothing, with "tP" the aggregates, with "RP" the prolongators too.
///
/// A time stepper makes the preconditioner once:
/// \code
/// parameters.set("reuse: type", std::string("RP"));
/// auto M = daptor::solvers::muelu_preconditioner(A, parameters);
/// for (...) {
///   ...                                       // new values in A
///   daptor::solvers::set_up_again(*M, A);
/// }
/// \endcode
///
/// @param preconditioner  what muelu_preconditioner returned
/// @param matrix          an assembled Mat of type AIJ, which is copied and not kept
/// @throws InvalidArgument on all ranks: `muelu.hierarchy` (another operator), `operator.map-size`
///   (other numbers of rows), `operator.communicator`
/// @throws Error otherwise like muelu_preconditioner. The preconditioner is then as it was, unless
///   MueLu was to keep parts: in that case its applications throw InvalidArgument (`muelu.set-up`)
///   until a set-up succeeds
void set_up_again(Operator& preconditioner, Mat matrix);

/// Collective over the communicator of the preconditioner's Maps. Puts a PETSc PC on the coarsest
/// level of an existing MueLu preconditioner, in place of its present solver.
/// @param preconditioner  a `MueLu::TpetraOperator` with a hierarchy
/// @param coarse          the PC; its type is the same on all ranks
/// @throws InvalidArgument (`muelu.hierarchy`) on all ranks, for another operator
/// @throws Error otherwise like muelu_preconditioner
void set_coarse_solver(const Teuchos::RCP<Operator>& preconditioner,
                       const CoarseSolver& coarse = {});

}  // namespace daptor::solvers
