#pragma once

#include <petscmat.h>

#include <Teuchos_RCP.hpp>

#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// Collective over the communicator of `matrix`. A PETSc matrix of type AIJ (`seqaij`, `mpiaij` and
/// those derived of them) as a fill-complete CrsMatrix, row by row the same entries.
///
/// A copy, as its name says: Tpetra keeps both blocks of a row in one list. It is made of PETSc's
/// two local lists at once and costs 12 bytes an entry (Tpetra's own), 8 a local row and 8 a local
/// column while it is made. Row and range Map number the rows as PETSc does, and are the same
/// object; the domain Map is too where the matrix has one layout for both.
///
/// The values are those at the time of the call; later changes of `matrix` are not seen.
///
/// Throws, on all ranks: NotRepresentable with rule `matrix.type` (another type; says which
/// MatConvert helps), `matrix.index-range` (local counts that Tpetra's local ordinals do not hold)
/// or `tpetra.scalar`; InvalidArgument (`matrix.unassembled`, `matrix.factored`) and
/// `tpetra.not-initialized`; Finalized. A null `matrix` is an InvalidArgument on the rank that
/// passed it, without communication: pass it on no rank or on all.
Teuchos::RCP<CrsMatrix> copy_matrix(Mat matrix);

/// Process-local, without communication or symbolic work: the values of `matrix` as they are now
/// into `copy`, which copy_matrix made of it. What holds `copy` has to be told: a preconditioner
/// keeps what it computed of the old values.
///
/// Throws InvalidArgument with rule `matrix.pattern` where `matrix` no longer has the entries that
/// it had, on the ranks where it is so; some of the values may be written then. Otherwise as
/// copy_matrix, on the rank at fault.
void copy_values(Mat matrix, CrsMatrix& copy);

}  // namespace daptor::solvers
