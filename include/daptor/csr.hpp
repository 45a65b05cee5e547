// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"

/// \file
/// A sparse matrix in compressed rows, as three one-dimensional distributed arrays.

namespace daptor {

/// A sparse matrix as Global Arrays programs store it. `values` and `columns` have one element for
/// every entry of the matrix, row after row. `offsets` has the position of the first entry of each
/// row and, at the end, the position of the last entry plus one. A cheap value: copies share the
/// memory.
///
/// Positions and columns are global and count from `index_base`. Each array is a block over the
/// ranks in their order (or undistributed, on one process). A row and its entries are on the rank
/// that has its offset (except in arrays for `align_rows`, `row_starts` and products, where a row
/// may lie on several ranks); the last offset is on any rank, usually the last. Columns may be in
/// any order within a row; entries in one column are added. Imports of other libraries want them
/// increasing, and `copy_csr` sorts them. Elements of `columns` and `offsets` are integers of 4 or
/// 8 bytes, signed or unsigned, and may be of different types.
///
/// Example: the 5 x 5 matrix of the Global Arrays documentation on two processes, which have three
/// and two rows:
///
///     process 0  values 1 3 2 5 7 9   columns 3 4 1 5 2 4   offsets 1 3 5
///     process 1  values 3 4 5 2 6     columns 1 3 5 2 5     offsets 7 10 12
///
/// \code
/// daptor::CsrArrays A{values, columns, offsets, 5, 5, 1};
/// A.owned_rows();  // [0, 3) and [3, 5)
/// \endcode
///
/// `csr_from_rows` makes the arrays of the rows that each process has (`daptor/csr_rows.hpp`),
/// `multiply` multiplies them by a vector (`daptor/csr_product.hpp`).
struct CsrArrays {
  DistArray values;       ///< one element for each entry of the matrix
  DistArray columns;      ///< global column of each entry, divided like `values`
  DistArray offsets;      ///< position of the first entry of each row; one element more than rows
  Index global_rows = 0;  ///< of the whole matrix, the same on all ranks
  Index global_columns = 0;  ///< of the whole matrix, the same on all ranks
  /// The number from which `columns` and `offsets` count: 0, or 1 as in Fortran.
  Index index_base = 0;

  /// The processes among which the matrix is divided: the communicator of its values.
  Comm comm() const { return values.comm(); }

  /// \name This process's part, global and counted from 0. Process-local; requires consistent
  /// arrays.
  /// \{
  IndexRange owned_rows() const;
  /// Columns of a square matrix are divided like its rows, columns of other matrices evenly.
  IndexRange owned_columns() const;
  /// Positions of the entries of the owned rows.
  IndexRange owned_entries() const;
  /// \}
};

/// Collective. Proves that the arrays of all ranks form one matrix: each array by itself (like
/// `require_consistent` of a DistArray), and their values together, element by element. That is
/// process-local work in proportion to the number of entries, and three small all-reduces besides
/// those of the arrays' own proofs.
///
/// @param matrix  this process's part, with memory, which is read
/// @throws Malformed on all ranks, with the findings of the lowest rank at fault: `csr.base`,
///   `csr.shape`, `csr.arrays` (an array is not a block over the ranks, or has padding or gaps),
///   `csr.index-type`, `csr.alignment` (columns or offsets are not aligned in memory),
///   `csr.length` (values and columns differ in length), `csr.division` (entries are not on the
///   rank of their row), `csr.monotone`, `csr.last`, `csr.column-range`; rules of the protocol
/// @throws InvalidArgument if the arrays are on different processes (`collective.comm`), if ranks
///   disagree about shape or base (`collective.different`), for arrays without memory
///   (`lease.memory`); Stale, ProducerFailed; the defect of an array that could not be described
///   (`Section::defect`); on all ranks
void require_consistent(const CsrArrays& matrix);

/// Collective. The same as a report, in which the defect of an array that could not be described is
/// a finding like any other.
/// @param matrix  see `require_consistent`
/// @returns the findings of the lowest rank at fault, the same on every rank; true if the arrays
///   form a matrix
/// @throws Error like `require_consistent`, except Malformed and defects
Report validate(const CsrArrays& matrix);

/// Calls `visit` with the address of the first owned element of an array of integers, as a pointer
/// to their actual type. Process-local; hold a ReadLease meanwhile.
/// @param array  `columns` or `offsets` of a matrix
/// @param visit  called once, with a `const T*`; must accept int32, int64, uint32 and uint64
/// @returns what `visit` returns
/// @throws Malformed (`csr.index-type`) for other elements
template <class F>
decltype(auto) visit_integers(const Section& array, F&& visit);

/// Copies the offsets of the owned rows, counted from this process's first entry. Process-local;
/// hold a ReadLease on `matrix.offsets` meanwhile.
/// @param matrix   arrays that are consistent
/// @param offsets  room for one number per owned row and one more, of a type that can hold the
///                 number of owned entries (not checked)
template <class T>
void copy_local_offsets(const CsrArrays& matrix, T* offsets);
/// Copies the global columns of the owned entries, counted from 0. Process-local; hold a ReadLease
/// on `matrix.columns` meanwhile.
/// @param matrix   arrays that are consistent
/// @param columns  room for one number per owned entry, of a type that can hold the number of
///                 columns (not checked)
template <class T>
void copy_columns(const CsrArrays& matrix, T* columns);

namespace detail {
[[noreturn]] void refuse_index_type(const DataType& type);
}

template <class F>
decltype(auto) visit_integers(const Section& array, F&& visit) {
  const void* const data = array.owned_data();
  const DataType& type = array.type();
  if (type == DataType::of<std::int32_t>()) return visit(static_cast<const std::int32_t*>(data));
  if (type == DataType::of<std::int64_t>()) return visit(static_cast<const std::int64_t*>(data));
  if (type == DataType::of<std::uint32_t>()) return visit(static_cast<const std::uint32_t*>(data));
  if (type == DataType::of<std::uint64_t>()) return visit(static_cast<const std::uint64_t*>(data));
  detail::refuse_index_type(type);
}

template <class T>
void copy_local_offsets(const CsrArrays& matrix, T* offsets) {
  const Index rows = matrix.owned_rows().size();
  const IndexRange entries = matrix.owned_entries();
  visit_integers(matrix.offsets, [&](const auto* from) {
    const Index first = matrix.index_base + entries.start;
    for (Index r = 0; r < rows; ++r)
      offsets[r] = static_cast<T>(static_cast<Index>(from[r]) - first);
  });
  offsets[rows] = static_cast<T>(entries.size());
}

template <class T>
void copy_columns(const CsrArrays& matrix, T* columns) {
  const Index entries = matrix.owned_entries().size();
  visit_integers(matrix.columns, [&](const auto* from) {
    for (Index e = 0; e < entries; ++e)
      columns[e] = static_cast<T>(static_cast<Index>(from[e]) - matrix.index_base);
  });
}

}  // namespace daptor
