// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_mv.h>
#include <_hypre_parcsr_mv.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/split_rows.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/csr.hpp"
#include "daptor/defect.hpp"
#include "daptor/dimension.hpp"
#include "daptor/error.hpp"
#include "daptor/hypre/error.hpp"
#include "daptor/lease.hpp"
#include "daptor/section.hpp"
#include "daptor/split_rows.hpp"

namespace daptor::hypre {

namespace detail {

/// Integers that DataType knows by their size.
template <class T>
using Integer = std::conditional_t<sizeof(T) == sizeof(std::int32_t), std::int32_t, std::int64_t>;

template <class T>
Section local_array(const T* data, Index count) {
  return daptor::describe(data, count, {undistributed(count)});
}

inline SplitRows::Block block_of(const hypre_CSRMatrix* block) {
  const Index entries = hypre_CSRMatrixNumNonzeros(block);
  return {local_array(hypre_CSRMatrixData(block), entries),
          local_array(hypre_CSRMatrixJ(block), entries),
          local_array(hypre_CSRMatrixI(block), Index{hypre_CSRMatrixNumRows(block)} + 1)};
}

inline hypre_ParCSRMatrix* native_matrix(HYPRE_ParCSRMatrix matrix) {
  if (matrix == nullptr)
    adapter::refuse_argument("hypre.matrix.null", "a null matrix", "an assembled matrix of hypre");
  return reinterpret_cast<hypre_ParCSRMatrix*>(matrix);
}

inline void require_host(const hypre_ParCSRMatrix* matrix) {
  const hypre_CSRMatrix* const block = hypre_ParCSRMatrixDiag(matrix);
  if (hypre_GetActualMemLocation(hypre_CSRMatrixMemoryLocation(block)) == hypre_MEMORY_HOST) return;
  throw NotRepresentable(adapter::reason(
      "hypre.matrix.device", "a matrix of hypre in memory of a device", "memory of the host",
      "Migrate it by HYPRE_IJMatrixMigrate, or set HYPRE_MEMORY_HOST before it is made."));
}

}  // namespace detail

/// Describes the rows of a matrix of hypre on its memory and its communicator, in the two blocks in
/// which hypre has them. Process-local; call it on all processes. Nothing is copied.
///
/// hypre counts no references: the matrix must outlive the description, and must not change.
/// \code
/// auto A = daptor::petsc::copy_csr(daptor::hypre::describe(matrix));  // a PETSc Mat
/// \endcode
/// @param matrix  assembled; not null (InvalidArgument `hypre.matrix.null`, on this process)
/// @returns read-only arrays; those of a matrix in memory of a device (`hypre.matrix.device`) have
///   the defect, which the first collective call throws on all processes
inline SplitRows describe(HYPRE_ParCSRMatrix matrix) {
  const auto* const native = detail::native_matrix(matrix);
  const hypre_CSRMatrix* const other = hypre_ParCSRMatrixOffd(native);
  SplitRows rows{
      Comm(hypre_ParCSRMatrixComm(native)),
      {hypre_ParCSRMatrixFirstRowIndex(native), hypre_ParCSRMatrixLastRowIndex(native) + 1},
      {hypre_ParCSRMatrixFirstColDiag(native), hypre_ParCSRMatrixLastColDiag(native) + 1},
      hypre_ParCSRMatrixGlobalNumRows(native),
      hypre_ParCSRMatrixGlobalNumCols(native),
      detail::block_of(hypre_ParCSRMatrixDiag(native)),
      detail::block_of(other),
      detail::local_array(hypre_ParCSRMatrixColMapOffd(native), hypre_CSRMatrixNumCols(other))};
  rows.own.values = deferred(
      [&] {
        detail::require_host(native);
        return rows.own.values;
      },
      [](Defect defect) { return Section(std::move(defect)); });
  return rows;
}

/// Collective over the communicator of the matrix. Copies its rows to three arrays, whose columns
/// do not decrease within a row. For a Mat of PETSc or a CrsMatrix of Tpetra, `describe` makes do
/// without this copy.
/// \code
/// daptor::CsrArrays A = daptor::hypre::copy_csr(matrix);
/// \endcode
/// @param matrix  assembled; not null (InvalidArgument `hypre.matrix.null`, on this process)
/// @returns arrays on new memory, which are proven
/// @throws NotRepresentable (`hypre.matrix.device`) on all ranks
inline CsrArrays copy_csr(HYPRE_ParCSRMatrix matrix) {
  using Rows = adapter::TwoBlockRows<detail::Integer<HYPRE_Int>, HYPRE_Complex>;
  const SplitRows rows = describe(matrix);
  Call call(rows.comm, "hypre::copy_csr");
  adapter::prove_layout(rows, call);
  std::optional<Rows> opened;
  call.check([&] { opened.emplace(rows); });
  const CsrArrays copy = adapter::copy_rows<detail::Integer<HYPRE_BigInt>>(*opened, call);
  // Their elements were judged while the rows were read.
  for (const DistArray* array : {&copy.values, &copy.columns, &copy.offsets}) call.prove(*array);
  call.check();
  return copy;
}

/// Owns a matrix of hypre. Move-only.
class OwnedMatrix {
 public:
  OwnedMatrix() = default;
  explicit OwnedMatrix(HYPRE_IJMatrix matrix) : matrix_(matrix) {}
  explicit operator bool() const { return matrix_ != nullptr; }
  /// The matrix of the IJ interface, and that of BoomerAMG and other solvers; null if this holds
  /// none.
  HYPRE_IJMatrix ij() const& { return matrix_.get(); }
  HYPRE_ParCSRMatrix get() const& {
    void* object = nullptr;
    if (matrix_ != nullptr) HYPRE_IJMatrixGetObject(matrix_.get(), &object);
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }
  /// Not of a temporary, which destroys the matrix at the end of the statement.
  template <class T = HYPRE_ParCSRMatrix>
  HYPRE_ParCSRMatrix get() && {
    return detail::refuse_temporary<T>();
  }
  template <class T = HYPRE_IJMatrix>
  HYPRE_IJMatrix ij() && {
    return detail::refuse_temporary<T>();
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
  require_initialized();
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
/// @throws InvalidArgument (`hypre.not-initialized`), which hypre tells from release 2.29 on
inline OwnedMatrix copy_csr(const CsrArrays& arrays) {
  Call call(arrays.comm(), "hypre::copy_csr");
  require_consistent(arrays);
  auto entries = call.check([&] { return detail::entries_of(arrays); });
  const MPI_Comm mpi = call.comm()->original();
  return OwnedMatrix(call.library("hypre", "HYPRE_IJMatrixCreate",
                                  [&] { return detail::make_matrix(arrays, entries, mpi); }));
}

}  // namespace daptor::hypre
