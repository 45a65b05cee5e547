// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"

/// \file
/// A sparse matrix in compressed rows as three one-dimensional distributed arrays.

namespace daptor {

/// A sparse matrix as Global Arrays programs hold one: `values` and `columns`, an entry of each for
/// every entry of the matrix, row after row, and `offsets`, the position of the first entry of each
/// row and, at the end, that of the last entry plus one. A cheap value: copies share the memory.
///
/// Positions and columns are global and count from `index_base`. Each array is a block over the
/// ranks in their order (or undistributed, on one process). A row is on the rank that has its
/// offset, and so are its entries; the last offset is on any rank, usually the last. Columns of a
/// row increase. Elements of `columns` and `offsets` are integers of 4 or 8 bytes, signed or not,
/// not necessarily of one type.
///
/// Example, the 5 x 5 matrix of the Global Arrays documentation on two processes, which have three
/// rows and two:
///
///     process 0  values 1 3 2 5 7 9   columns 3 4 1 5 2 4   offsets 1 3 5
///     process 1  values 3 4 5 2 6     columns 1 3 5 2 5     offsets 7 10 12
///
/// \code
/// daptor::CsrArrays A{values, columns, offsets, 5, 5, 1};
/// A.owned_rows();  // [0, 3) and [3, 5)
/// \endcode
struct CsrArrays {
  DistArray values, columns, offsets;
  Index global_rows = 0;
  Index global_columns = 0;
  /// 0, or 1 as in Fortran.
  Index index_base = 0;

  /// \name This process's part, from 0. Process-local; of arrays that are consistent.
  /// \{
  IndexRange owned_rows() const;
  /// Columns of a square matrix are divided as its rows, others evenly.
  IndexRange owned_columns() const;
  /// Positions of the entries of the owned rows.
  IndexRange owned_entries() const;
  /// \}
};

/// Collective over `comm`. Proves that the arrays of all ranks make one matrix: each array by its
/// own (as `require_consistent` of a DistArray), and what they say together, element by element
/// (process-local work in proportion to the entries; three small all-reduces besides).
///
/// Throws, on all ranks, Malformed with the findings of the lowest rank at fault: `csr.base`,
/// `csr.shape`, `csr.arrays` (not a block over the ranks, padding, gaps), `csr.index-type`,
/// `csr.length` (values and columns differ), `csr.differs` (ranks disagree about shape or base),
/// `csr.division` (entries that are not on the rank of their row), `csr.monotone`, `csr.last`,
/// `csr.column-range`, `csr.column-order`; rules of the protocol. InvalidArgument (`lease.memory`)
/// for arrays without memory, Stale, ProducerFailed; the defect of an array that could not be
/// described (`DistArray::defect`).
void require_consistent(const CsrArrays& matrix, const Comm& comm);

/// The same as a report, the same on every rank, in which the defect of an array that could not be
/// described is a finding like any other; what is not about the descriptions is thrown.
Report validate(const CsrArrays& matrix, const Comm& comm);

/// Calls `visit(const T*)` with the first owned element of an array of integers, as the type that
/// they have. `visit` must accept int32, int64, uint32 and uint64. Process-local; open a ReadLease
/// around it. Throws Malformed (`csr.index-type`).
template <class F>
decltype(auto) visit_integers(const DistArray& array, F&& visit);

/// Offsets of the owned rows into the owned entries, one more than rows: from 0. Process-local.
template <class T>
void copy_local_offsets(const CsrArrays& matrix, T* offsets);
/// Global columns of the owned entries, from 0. Process-local.
template <class T>
void copy_columns(const CsrArrays& matrix, T* columns);

namespace detail {
[[noreturn]] void refuse_index_type(const DataType& type);
}

template <class F>
decltype(auto) visit_integers(const DistArray& array, F&& visit) {
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
