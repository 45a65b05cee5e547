// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "csr/local_rows.hpp"
#include "daptor/comm.hpp"
#include "daptor/csr.hpp"
#include "daptor/datatype.hpp"

namespace daptor::detail {

/// Where the elements of x are that a process needs: those of `in_place` in the section of x, one
/// after another, and those with the columns `gathered`, which increase, in memory of their own.
struct NeededColumns {
  IndexRange in_place;
  std::vector<Index> gathered;
};

/// Process-local. The columns of this process's entries. Hold a ReadLease on `matrix.columns`.
NeededColumns needed_columns(const CsrArrays& matrix, IndexRange in_place);

/// First elements of the memory of one product.
struct ProductMemory {
  const void* values;    ///< of this process's entries
  const void* in_place;  ///< the first owned element of x
  const void* gathered;
  void* sums;  ///< one element for each local row
};

/// Adds up the products of a process's entries with the elements of x, row by row, in the order of
/// the entries. Knows the pattern of the entries, but no values.
class RowSums {
 public:
  RowSums() = default;
  RowSums(const RowSums&) = delete;
  RowSums& operator=(const RowSums&) = delete;
  virtual ~RowSums() = default;

  /// Writes the sums of the rows whose columns are all in place.
  virtual void inner(const ProductMemory& operands) const = 0;
  /// Writes the sums of the other rows.
  virtual void outer(const ProductMemory& operands) const = 0;
  /// Collective among the processes that share a row. Adds the parts of this process's last row
  /// that are on higher ranks, and sends this process's part of a row that begins on a lower one.
  virtual void carry(const ProductMemory& operands, const Comm& comm) const = 0;
};

/// Whether elements of this type can be multiplied and added.
bool has_row_sums(const DataType& type);

/// Process-local. Hold a ReadLease on `matrix.columns`. Takes 4 bytes for each entry and each row,
/// or 8 if there are too many for 32 bits.
/// @param matrix  arrays that are proven, with values of a type that has row sums
std::unique_ptr<RowSums> make_row_sums(const CsrArrays& matrix, const LocalRows& rows,
                                       const NeededColumns& needed);

}  // namespace daptor::detail
