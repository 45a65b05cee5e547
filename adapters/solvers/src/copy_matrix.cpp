// SPDX-License-Identifier: BSD-3-Clause
#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/crs_rows.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/norm.hpp"
#include "log.hpp"
#include "names.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using Map = Tpetra::Map<>;
using LocalOrdinal = Map::local_ordinal_type;

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_blocks(Mat matrix, Call& call) {
  using Matrix = Tpetra::CrsMatrix<Scalar>;
  // The copy is made before the Maps, because lack of memory must be detected before Tpetra
  // communicates.
  auto parts = call.check([&] {
    const Blocks blocks = blocks_of(matrix);
    const petsc::detail::MatRows rows(blocks);
    const GhostsLast columns(blocks);
    return tpetra::detail::CrsParts<Scalar>(
        rows.layout(), columns, tpetra::detail::copied_rows<Matrix>(rows, columns), call);
  });
  return tpetra::detail::make_crs(parts, call);
}

/// Copies the upper triangles of the diagonal blocks of this process to both triangles in `full`.
void mirror_blocks(Mat half, PetscInt block_size, Mat full) {
  PetscInt first = 0, last = 0;
  call("MatGetOwnershipRange", MatGetOwnershipRange, half, &first, &last);
  call("MatGetRowUpperTriangular", MatGetRowUpperTriangular, half);
  for (PetscInt row = first; row < last; ++row) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    call("MatGetRow", MatGetRow, half, row, &count, &columns, &values);
    for (PetscInt e = 0; e < count; ++e) {
      const PetscInt column = columns[e];
      if (column <= row || column / block_size != row / block_size) continue;
      call("MatSetValue", MatSetValue, full, row, column, values[e], INSERT_VALUES);
      call("MatSetValue", MatSetValue, full, column, row, values[e], INSERT_VALUES);
    }
    call("MatRestoreRow", MatRestoreRow, half, row, &count, &columns, &values);
  }
  call("MatRestoreRowUpperTriangular", MatRestoreRowUpperTriangular, half);
}

/// Collective. Expands a symmetric matrix that stores one half, part of which is on other ranks, to
/// both halves.
OwnedMat both_halves(Mat matrix, Call& call) {
  const Comm& comm = call.comm();
  Mat converted = nullptr;
  call.library(petsc::detail::Routine("MatConvert", MatConvert), matrix, MATAIJ, MAT_INITIAL_MATRIX,
               &converted);
  OwnedMat full(converted);
  PetscInt block_size = 1;
  call.check([&] {
    petsc::detail::call("MatGetBlockSize", MatGetBlockSize, matrix, &block_size);
    // MatConvert takes the lower triangles of diagonal blocks (3.18), which MatMult does not read
    // and nobody sets.
    if (block_size > 1 && comm.size() > 1) mirror_blocks(matrix, block_size, full.get());
  });
  if (block_size == 1 || comm.size() == 1) return full;
  call.library(petsc::detail::Routine("MatAssemblyBegin", MatAssemblyBegin), full.get(),
               MAT_FINAL_ASSEMBLY);
  call.library(petsc::detail::Routine("MatAssemblyEnd", MatAssemblyEnd), full.get(),
               MAT_FINAL_ASSEMBLY);
  return full;
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy(const Comm& comm, Mat matrix) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    static_cast<void>(matrix);
    tpetra::detail::refuse_scalar(DataType::of<Scalar>(), comm, "solvers::copy_matrix");
  } else {
    Call call(comm, "solvers::copy_matrix");
    const bool half = call.check([&] {
      static_cast<void>(petsc::detail::require_session());
      tpetra::require_trilinos();
      require_assembled(matrix);
      return is_sbaij(matrix);
    });
    if (!half) return copy_blocks<Scalar>(matrix, call);
    const OwnedMat full = both_halves(matrix, call);
    return copy_blocks<Scalar>(full.get(), call);
  }
}

[[noreturn]] void refuse_pattern(const char* found) {
  adapter::refuse_argument("matrix.pattern", found, "the same positions with new values",
                           "Copy the matrix again with " + names::copy_matrix_again + ".");
}

template <class Scalar>
void renew_values(Mat matrix, Tpetra::CrsMatrix<Scalar>& copy) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    static_cast<void>(petsc::detail::require_session());
    tpetra::require_trilinos();
    require_assembled(matrix);
    if (is_sbaij(matrix))
      refuse_pattern("a matrix of type SBAIJ, which stores half of its entries on other ranks");
    const Blocks blocks = blocks_of(matrix);
    const GhostsLast order(blocks);
    const auto local = copy.getLocalMatrixHost();
    if (Index{local.numRows()} != Index{blocks.rows} || Index{local.numCols()} != order.count())
      refuse_pattern("a matrix with other numbers of local rows or columns");
    for (PetscInt g = 0; g < blocks.ghosts; ++g)
      if (copy.getColMap()->getGlobalElement(static_cast<LocalOrdinal>(order.other(g))) !=
          blocks.ghost(g))
        refuse_pattern("entries in columns of other processes than when it was copied");
    tpetra::forget_norm(copy);
    adapter::write_values(petsc::detail::MatRows(blocks),
                          tpetra::detail::CrsValues(local, order, refuse_pattern));
  }
}

}  // namespace

void copy_values(Mat matrix, CrsMatrix& copy) {
  require_matrix(matrix);
  const Logged logged(Event::hand_over);
  renew_values<PetscScalar>(matrix, copy);
}

Teuchos::RCP<CrsMatrix> copy_matrix(Mat matrix) {
  require_matrix(matrix);
  const Logged logged(Event::hand_over);
  return copy<PetscScalar>(petsc::detail::comm_of(petsc::detail::object(matrix)), matrix);
}

}  // namespace daptor::solvers
