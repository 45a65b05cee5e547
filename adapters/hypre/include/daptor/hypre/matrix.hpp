// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_mv.h>
#include <_hypre_parcsr_mv.h>

#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/csr.hpp"
#include "daptor/csr_rows.hpp"
#include "daptor/error.hpp"
#include "daptor/hypre/error.hpp"
#include "daptor/lease.hpp"

namespace daptor::hypre {

namespace detail {

/// Rows of this process, in memory of their own.
struct Rows {
  std::vector<HYPRE_Complex> values;
  std::vector<Index> columns;
  std::vector<Index> lengths;
};

inline void append_row(HYPRE_ParCSRMatrix matrix, HYPRE_BigInt row, Rows& rows) {
  HYPRE_Int length = 0;
  HYPRE_BigInt* columns = nullptr;
  HYPRE_Complex* values = nullptr;
  run("HYPRE_ParCSRMatrixGetRow",
      [&] { return HYPRE_ParCSRMatrixGetRow(matrix, row, &length, &columns, &values); });
  rows.lengths.push_back(length);
  rows.values.insert(rows.values.end(), values, values + length);
  rows.columns.insert(rows.columns.end(), columns, columns + length);
  HYPRE_ParCSRMatrixRestoreRow(matrix, row, &length, &columns, &values);
}

inline std::shared_ptr<Rows> rows_of(HYPRE_ParCSRMatrix matrix) {
  HYPRE_BigInt first = 0, last = 0, first_column = 0, last_column = 0;
  run("HYPRE_ParCSRMatrixGetLocalRange", [&] {
    return HYPRE_ParCSRMatrixGetLocalRange(matrix, &first, &last, &first_column, &last_column);
  });
  auto rows = std::make_shared<Rows>();
  for (HYPRE_BigInt row = first; row <= last; ++row) append_row(matrix, row, *rows);
  return rows;
}

}  // namespace detail

/// Collective over the communicator of the matrix. Copies its rows to three arrays, since hypre has
/// the entries of a row in two lists. Within a row hypre's columns are in no order; `copy_csr` of
/// PETSc and Tpetra sorts them.
/// \code
/// auto A = daptor::petsc::copy_csr(daptor::hypre::copy_csr(matrix));  // a PETSc Mat
/// \endcode
/// @param matrix  assembled, on the host; not null (InvalidArgument `hypre.matrix.null`, on this
///                process)
/// @returns arrays on new memory, which are proven
/// @throws LibraryFailed (`library.hypre`) on all ranks
inline CsrArrays copy_csr(HYPRE_ParCSRMatrix matrix) {
  if (matrix == nullptr)
    adapter::refuse_argument("hypre.matrix.null", "a null matrix", "an assembled matrix of hypre");
  auto* const native = reinterpret_cast<hypre_ParCSRMatrix*>(matrix);
  Call call(hypre_ParCSRMatrixComm(native), "hypre::copy_csr");
  const auto rows = call.check([&] { return detail::rows_of(matrix); });
  return csr_from_rows(rows->values, rows->columns, rows->lengths,
                       hypre_ParCSRMatrixGlobalNumCols(native), call.comm(), 0, rows);
}

/// Owns a matrix of hypre. Move-only.
class OwnedMatrix {
 public:
  OwnedMatrix() = default;
  explicit OwnedMatrix(HYPRE_IJMatrix matrix) : matrix_(matrix) {}
  explicit operator bool() const { return matrix_ != nullptr; }
  /// The matrix of the IJ interface, and that of BoomerAMG and other solvers; null if this holds
  /// none.
  HYPRE_IJMatrix ij() const { return matrix_.get(); }
  HYPRE_ParCSRMatrix get() const {
    void* object = nullptr;
    if (matrix_ != nullptr) HYPRE_IJMatrixGetObject(matrix_.get(), &object);
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }

 private:
  struct Destroy {
    void operator()(HYPRE_IJMatrix matrix) const noexcept { HYPRE_IJMatrixDestroy(matrix); }
  };
  std::unique_ptr<std::remove_pointer_t<HYPRE_IJMatrix>, Destroy> matrix_;
};

namespace detail {

/// What HYPRE_IJMatrixAddToValues takes.
struct Entries {
  std::vector<HYPRE_Int> lengths;
  std::vector<HYPRE_BigInt> rows, columns;
  ReadLease values;
};

inline Entries entries_of(const CsrArrays& matrix) {
  if (matrix.values.type() != DataType::of<HYPRE_Complex>())
    throw NotRepresentable(adapter::reason("hypre.matrix.type",
                                           "values of type " + matrix.values.type().name(),
                                           "HYPRE_Complex", "Convert the values."));
  const IndexRange rows = matrix.owned_rows();
  const auto count = static_cast<std::size_t>(rows.size());
  const auto entries = static_cast<std::size_t>(matrix.owned_entries().size());
  constexpr Index largest = std::numeric_limits<HYPRE_Int>::max();
  if (matrix.global_rows > std::numeric_limits<HYPRE_BigInt>::max() ||
      static_cast<Index>(entries) > largest)
    throw NotRepresentable(adapter::reason("hypre.matrix.index-range",
                                           std::to_string(matrix.global_rows) + " rows, " +
                                               std::to_string(entries) + " entries on this process",
                                           "numbers that hypre's integers can hold",
                                           "Use a hypre with 64-bit integers."));
  std::vector<Index> offsets(count + 1);
  Entries made{std::vector<HYPRE_Int>(count), std::vector<HYPRE_BigInt>(count),
               std::vector<HYPRE_BigInt>(entries), ReadLease(matrix.values)};
  const ReadLease columns(matrix.columns), positions(matrix.offsets);
  copy_local_offsets(matrix, offsets.data());
  copy_columns(matrix, made.columns.data());
  for (std::size_t r = 0; r < count; ++r) {
    made.lengths[r] = static_cast<HYPRE_Int>(offsets[r + 1] - offsets[r]);
    made.rows[r] = static_cast<HYPRE_BigInt>(rows.start) + static_cast<HYPRE_BigInt>(r);
  }
  return made;
}

/// Collective, calls of hypre.
inline HYPRE_IJMatrix make_matrix(const CsrArrays& arrays, Entries& entries, MPI_Comm comm) {
  const IndexRange rows = arrays.owned_rows(), columns = arrays.owned_columns();
  const auto big = [](Index i) { return static_cast<HYPRE_BigInt>(i); };
  HYPRE_IJMatrix matrix = nullptr;
  run("HYPRE_IJMatrixCreate", [&] {
    return HYPRE_IJMatrixCreate(comm, big(rows.start), big(rows.stop - 1), big(columns.start),
                                big(columns.stop - 1), &matrix);
  });
  run("HYPRE_IJMatrixSetObjectType",
      [&] { return HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR); });
  run("HYPRE_IJMatrixSetRowSizes",
      [&] { return HYPRE_IJMatrixSetRowSizes(matrix, entries.lengths.data()); });
  run("HYPRE_IJMatrixInitialize", [&] { return HYPRE_IJMatrixInitialize(matrix); });
  if (!entries.lengths.empty())
    run("HYPRE_IJMatrixAddToValues", [&] {
      return HYPRE_IJMatrixAddToValues(matrix, static_cast<HYPRE_Int>(entries.lengths.size()),
                                       entries.lengths.data(), entries.rows.data(),
                                       entries.columns.data(),
                                       static_cast<const HYPRE_Complex*>(entries.values.data()));
    });
  run("HYPRE_IJMatrixAssemble", [&] { return HYPRE_IJMatrixAssemble(matrix); });
  return matrix;
}

}  // namespace detail

/// Collective. Copies three arrays to a matrix of hypre, by its IJ interface. Entries in one place
/// are added. Rows and columns are divided as `CsrArrays` says.
/// @param arrays  over MPI, with memory
/// @returns an assembled matrix, which the result owns
/// @throws Malformed with rules `csr.…`, like `require_consistent(CsrArrays)`; this and all of the
///   following is thrown on all ranks
/// @throws NotRepresentable: `hypre.matrix.type`, `hypre.matrix.index-range`
inline OwnedMatrix copy_csr(const CsrArrays& arrays) {
  Call call(arrays.comm(), "hypre::copy_csr");
  require_consistent(arrays);
  auto entries = call.check([&] { return detail::entries_of(arrays); });
  const MPI_Comm mpi = call.comm()->original();
  return OwnedMatrix(call.library("hypre", "HYPRE_IJMatrixCreate",
                                  [&] { return detail::make_matrix(arrays, entries, mpi); }));
}

}  // namespace daptor::hypre
