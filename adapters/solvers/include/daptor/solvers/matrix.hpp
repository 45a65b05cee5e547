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

}  // namespace daptor::solvers
