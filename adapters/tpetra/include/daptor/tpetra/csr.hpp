// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix_fwd.hpp>

#include "daptor/comm.hpp"
#include "daptor/csr.hpp"

namespace daptor::tpetra {

/// \name A sparse matrix as three arrays, in Tpetra
///
/// A fill-complete CrsMatrix has the rows of the arrays, on the ranks that have them. Row, range
/// and domain Map are contiguous in rank order from 0; the columns of a square matrix are divided
/// as its rows, others evenly. Collective over `comm`.
/// @tparam Scalar  one that the installed Tpetra has matrices of (`double`, `float` and their
///                 complex numbers, where it was built for them)
/// @param matrix   this process's part, with memory
/// @param comm     the processes that the arrays are divided among, over MPI
/// @throws Malformed on all ranks, as all of the following, with rules `csr.…`, as
///   `require_consistent(CsrArrays)`
/// @throws NotRepresentable with rule `csr.scalar-type` (values of another type than Scalar) or
///   `csr.index-range` (counts that Tpetra's ordinals do not hold)
/// @throws InvalidArgument (`tpetra.not-initialized`); Finalized
/// \{

/// A CrsMatrix on the values of the arrays, on any number of processes; no value is copied. Tpetra
/// gets indices of its own: 4 bytes an entry, 8 a row, and a column Map. Values must be writable
/// and aligned (`csr.readonly`, `csr.alignment`).
///
/// The order of the values decides that of the columns: the column Map has the columns of lower
/// ranks first, then all owned ones, then those of higher ranks. What wants the owned ones first
/// (MueLu, Ifpack2's factorizations) takes a copy: copy_csr.
///
/// Tpetra refuses to make another CrsMatrix on the same values (its constructors with Teuchos::View
/// or with a values view); a deep copy works. The matrix, its graph and its column Map keep the
/// arrays' memory alive. After writes through Tpetra call `values.modified()` on all ranks; writes
/// that this makes known void the norm that Tpetra keeps.
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> import_csr(const CsrArrays& matrix, const Comm& comm);

/// A CrsMatrix with a copy of the values, its owned columns first.
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_csr(const CsrArrays& matrix, const Comm& comm);
/// \}

/// The three arrays in the memory of a fill-complete CrsMatrix on one process: nothing is copied.
/// Rows and columns by their local numbers. Values can be written, columns and offsets not.
/// Process-local. The arrays hold a reference of the matrix; a lease of the values throws Stale
/// where it has other memory by then.
/// @param matrix  a fill-complete matrix on one process
/// @returns arrays on the memory of `matrix`, with `index_base` 0
/// @throws InvalidArgument (`csr.unassembled`); NotRepresentable with rule `csr.split` (several
///   processes: columns are local numbers there), `csr.maps` (row and range Map, or column and
///   domain Map, differ), `csr.storage` (rows with gaps, or unsorted)
template <class Scalar>
CsrArrays export_csr(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix);

/// Collective over the communicator of the row Map. The same in memory of its own, with 64-bit
/// columns and offsets from 0; the last offset is on the last rank.
/// @param matrix  a fill-complete matrix, which is read and not kept
/// @returns this process's part, writable
/// @throws InvalidArgument (`csr.unassembled`) on all ranks; NotRepresentable with rule `csr.maps`
///   (row and range Map differ, or a Map is not contiguous in rank order)
template <class Scalar>
CsrArrays copy_csr(const Tpetra::CrsMatrix<Scalar>& matrix);

}  // namespace daptor::tpetra
