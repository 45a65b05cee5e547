// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/comm.hpp"
#include "daptor/csr.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Builds the three arrays of a sparse matrix: from the rows that each process has, or from arrays
/// whose rows lie on several processes.

namespace daptor {

/// Collective. A matrix of the rows that the processes have, in the order of the ranks. Values and
/// columns stay where they are; the offsets are new memory.
///
/// Each process's offsets follow from the number of entries on lower ranks and from its own row
/// lengths. The last offset is on the last rank. Offsets have the type of the columns or, where
/// that cannot count the entries, are signed integers of 8 bytes.
///
/// Example: the 5 x 5 matrix of CsrArrays on three processes, counted from 1.
///
///     process 0  values 1 3 2 5    columns 3 4 1 5    row lengths 2 2   gives offsets 1 3
///     process 1  values 7 9 3 4 5  columns 2 4 1 3 5  row lengths 2 3                 5 7
///     process 2  values 2 6        columns 2 5        row lengths 2                   10 12
///
/// @param values          one element for each entry of this process's rows, row after row; a block
///                        over the ranks in their order, without padding
/// @param columns         the global column of each entry, in any order within a row, counted from
///                        `index_base`; divided like `values`; integers of 4 or 8 bytes
/// @param row_lengths     the number of entries of each row, which may be 0; a block over the ranks
///                        in their order; integers of 4 or 8 bytes; read and not kept
/// @param global_columns  number of columns of the matrix; the same on all ranks
/// @param index_base      the number from which columns and offsets count, 0 or 1; the same on all
///                        ranks
/// @returns arrays that are proven: `require_consistent` does not throw for them
/// @throws Malformed on all ranks: `csr.row-lengths` if a length is negative, or if lengths do not
///   add up to the number of entries of this process; `csr.alignment` if they are not aligned in
///   memory; and what `require_consistent` throws
/// @throws InvalidArgument (`lease.memory`), Stale, ProducerFailed; the defect of an array; on all
///   ranks
CsrArrays csr_from_rows(const DistArray& values, const DistArray& columns,
                        const DistArray& row_lengths, Index global_columns, Index index_base = 0);

namespace detail {

/// This process's part of an array, from a container.
struct LocalPart {
  DataType type;
  Memory memory;
  std::shared_ptr<const void> owner = nullptr;
};
CsrArrays csr_from_parts(const LocalPart& values, const LocalPart& columns,
                         const LocalPart& row_lengths, Index global_columns, const Comm& comm,
                         Index index_base);
/// Process-local. The global columns of entries whose columns have local numbers.
std::shared_ptr<const std::vector<Index>> global_columns_of(const LocalPart& local_columns,
                                                            const IndexList& column_indices);
CsrArrays csr_from_local_parts(const LocalPart& values, const LocalPart& local_columns,
                               const IndexList& column_indices, const LocalPart& row_lengths,
                               Index global_columns, const Comm& comm);

template <class Container>
LocalPart local_part(Container& memory, std::shared_ptr<const void> owner = nullptr) {
  return {DataType::of<std::remove_const_t<ElementOf<Container>>>(),
          memory_of(memory.data(), static_cast<Index>(memory.size())), std::move(owner)};
}

}  // namespace detail

/// Collective over `comm`. The same from containers: std::vector, std::array, std::span or any
/// other with `data()`, `size()` and `operator[]`, of any length on each process. The matrix refers
/// to `values` and `columns`; const elements make these arrays read-only.
/// \code
/// std::vector<double> values;       // of this process's rows
/// std::vector<daptor::Index> columns, lengths;
/// fill(values, columns, lengths);
/// daptor::CsrArrays A = daptor::csr_from_rows(values, columns, lengths, n, comm);
/// \endcode
/// @param comm   the processes among which the rows are divided, over MPI
/// @param owner  keeps the memory of `values` and `columns` alive; if it is null, the caller does
template <class Values, class Columns, class Lengths, detail::RequireLength<Values> = 0,
          detail::RequireLength<Columns> = 0, detail::RequireLength<Lengths> = 0>
CsrArrays csr_from_rows(Values&& values, Columns&& columns, Lengths&& row_lengths,
                        Index global_columns, const Comm& comm, Index index_base = 0,
                        std::shared_ptr<const void> owner = nullptr) {
  static_assert(detail::keeps_memory<Values> && detail::keeps_memory<Columns>,
                "csr_from_rows: a container is a temporary, and its memory would be gone");
  return detail::csr_from_parts(detail::local_part(values, owner),
                                detail::local_part(columns, owner), detail::local_part(row_lengths),
                                global_columns, comm, index_base);
}

/// Collective over `comm`. The same for rows that number their columns locally, as Epetra's and
/// Tpetra's matrices, hypre's and MatrixCSR of DOLFINx keep them. Values stay where they are; the
/// global columns are new memory of 8 bytes an entry.
/// \code
/// // values, local columns and row pointers of a MatrixCSR; ghosts follow the owned columns
/// auto A = daptor::csr_from_local_rows(values, columns, daptor::IndexList(column_map), lengths, n,
///                                      comm);
/// \endcode
/// @param local_columns   the local number of each entry's column, counted from 0; in any order
///                        within a row; integers of 4 or 8 bytes; read and not kept
/// @param column_indices  the global column of each local number, counted from 0; read and not kept
/// @throws Malformed on all ranks: `csr.local-column` for a number that the list does not have;
///   otherwise like `csr_from_rows`
template <class Values, class Columns, class Lengths, detail::RequireLength<Values> = 0,
          detail::RequireLength<Columns> = 0, detail::RequireLength<Lengths> = 0>
CsrArrays csr_from_local_rows(Values&& values, Columns&& local_columns,
                              const IndexList& column_indices, Lengths&& row_lengths,
                              Index global_columns, const Comm& comm,
                              std::shared_ptr<const void> owner = nullptr) {
  static_assert(detail::keeps_memory<Values>,
                "csr_from_local_rows: a container is a temporary, and its memory would be gone");
  return detail::csr_from_local_parts(detail::local_part(values, std::move(owner)),
                                      detail::local_part(local_columns), column_indices,
                                      detail::local_part(row_lengths), global_columns, comm);
}

/// Collective. Copies a matrix whose rows lie on several processes to arrays in which each row is
/// on one: the process that has its offset. Such a matrix comes from programs that divide values
/// and columns evenly, such as Global Arrays; CsrProduct takes it as it lies, imports into other
/// libraries need the copy.
///
/// Example: the 5 x 5 matrix of CsrArrays on two processes, with offsets 1 3 5 | 7 10 12. If
/// process 0 has the first 5 of the 11 entries, one of them moves to it from process 1, the second
/// one of the third row.
/// @param matrix  arrays in blocks over the ranks in their order; see `CsrArrays`
/// @returns a proven matrix on new memory, with the same shape, types, index base and division of
///   the offsets
/// @throws Malformed on all ranks: what `require_consistent` throws, except for `csr.division`; and
///   `csr.first` if the offsets do not begin with the index base
/// @throws Error on all ranks what else `require_consistent` throws
CsrArrays align_rows(const CsrArrays& matrix);
/// Collective. The same from the arrays themselves.
/// @param values, columns, offsets, global_columns, index_base  see `CsrArrays`
CsrArrays align_rows(const DistArray& values, const DistArray& columns, const DistArray& offsets,
                     Index global_columns, Index index_base = 0);

/// Collective. Writes 1 to `mask` where an entry is the first of its row, and 0 elsewhere: the mask
/// by which a segmented scan (`scan_add`) adds up rows. Rows may lie on several processes.
///
/// A row without entries has no first entry, and results by segments would be too few: such a
/// matrix is refused. CsrProduct has no such limit.
///
/// Example: for the 5 x 5 matrix of CsrArrays the mask is 1 0 1 0 1 0 1 0 0 1 0.
/// @param matrix  arrays in blocks over the ranks in their order; see `CsrArrays`
/// @param mask    integers of any size, one for each entry of the matrix, divided like
///                `matrix.values`; writable
/// @throws Malformed on all ranks: `csr.empty-row`, which names the first such row of the lowest
///   rank that has one, and what `align_rows` throws about the matrix
/// @throws InvalidArgument on all ranks: `csr.mask` for a mask of another type, size or division,
///   `csr.strides` if its elements are on the same memory, `csr.device`, `csr.memory` if it
///   overlaps the matrix, `lease.memory`, `lease.readonly`; Stale, ProducerFailed. `mask` is then
///   unchanged
void row_starts(const CsrArrays& matrix, const DistArray& mask);

}  // namespace daptor
