// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>

#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/norm.hpp"
#include "layout_map.hpp"
#include "log.hpp"
#include "names.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::BlockAccess;
using petsc::detail::call;
using Map = Tpetra::Map<>;
using LocalOrdinal = Map::local_ordinal_type;
using GlobalOrdinal = Map::global_ordinal_type;

/// Global numbers of the local columns: the owned ones, followed by the ghosts in PETSc's order.
std::vector<GlobalOrdinal> column_list(const Blocks& blocks) {
  std::vector<GlobalOrdinal> list;
  list.reserve(static_cast<std::size_t>(blocks.columns) + static_cast<std::size_t>(blocks.ghosts));
  for (PetscInt c = 0; c < blocks.columns; ++c)
    list.push_back(GlobalOrdinal{blocks.first_column} + c);
  for (PetscInt g = 0; g < blocks.ghosts; ++g) list.push_back(blocks.ghost(g));
  return list;
}

template <class Matrix>
struct LocalCopy {
  typename Matrix::local_matrix_device_type matrix;
  bool sorted = true;
};

/// Appends the entries of one row of one block; returns false if they are not in increasing order.
template <class Columns, class Values>
bool append_row(const OpenBlock& block, PetscInt row, PetscInt shift, const Columns& columns,
                const Values& values, std::size_t& next) {
  bool sorted = true;
  PetscInt previous = -1;
  block.row(static_cast<std::size_t>(row), [&](PetscInt column, PetscScalar value) {
    sorted = sorted && column > previous;
    previous = column;
    columns(next) = static_cast<LocalOrdinal>(column + shift);
    values(next) = value;
    ++next;
  });
  return sorted;
}

template <class Matrix>
LocalCopy<Matrix> local_copy(const Blocks& blocks) {
  using Local = typename Matrix::local_matrix_device_type;
  const OpenBlock diagonal(blocks.own, BlockAccess::read, blocks.block_size);
  const OpenBlock off_diagonal(blocks.other, BlockAccess::read, blocks.block_size);
  const auto rows = static_cast<std::size_t>(blocks.rows);
  const std::size_t entries = diagonal.entries() + off_diagonal.entries();

  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  const typename Local::row_map_type::non_const_type starts(
      view_alloc("daptor row starts", WithoutInitializing), rows + 1);
  const typename Local::index_type columns(view_alloc("daptor columns", WithoutInitializing),
                                           entries);
  const typename Local::values_type values(view_alloc("daptor values", WithoutInitializing),
                                           entries);
  const auto host_starts = Kokkos::create_mirror_view(starts);
  const auto host_columns = Kokkos::create_mirror_view(columns);
  const auto host_values = Kokkos::create_mirror_view(values);

  bool sorted = true;
  std::size_t next = 0;
  host_starts(0) = 0;
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    sorted = append_row(diagonal, r, 0, host_columns, host_values, next) && sorted;
    sorted = append_row(off_diagonal, r, blocks.columns, host_columns, host_values, next) && sorted;
    host_starts(static_cast<std::size_t>(r) + 1) = next;
  }
  Kokkos::deep_copy(starts, host_starts);
  Kokkos::deep_copy(columns, host_columns);
  Kokkos::deep_copy(values, host_values);
  return {Local("daptor copy", static_cast<LocalOrdinal>(blocks.rows),
                static_cast<LocalOrdinal>(blocks.columns + blocks.ghosts), entries, values, starts,
                columns),
          sorted};
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_blocks(Mat matrix, Call& call) {
  using Matrix = Tpetra::CrsMatrix<Scalar>;
  Blocks blocks;
  std::vector<GlobalOrdinal> columns;
  Agreed<bool> same;
  // The copy is made before the Maps, because lack of memory must be detected before Tpetra
  // communicates.
  const LocalCopy<Matrix> local = call.check([&] {
    blocks = blocks_of(matrix);
    same = call.all(blocks.rows == blocks.columns);
    columns = column_list(blocks);
    return local_copy<Matrix>(blocks);
  });

  const auto row_map = layout_map(call, blocks.global_rows, blocks.first_row, blocks.rows);
  const auto domain_map =
      same ? row_map : layout_map(call, blocks.global_columns, blocks.first_column, blocks.columns);
  return call.library("tpetra", "Tpetra::CrsMatrix", Patience{}, [&] {
    const auto column_map =
        Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                             Teuchos::ArrayView<const GlobalOrdinal>(
                                 columns.data(), static_cast<Teuchos_Ordinal>(columns.size())),
                             0, row_map->getComm()));
    std::vector<GlobalOrdinal>().swap(columns);
    const auto parameters = Teuchos::parameterList();
    if (!local.sorted) parameters->set("sorted", false);
    return Teuchos::rcp(
        new Matrix(local.matrix, row_map, column_map, domain_map, row_map, parameters));
  });
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

[[noreturn]] void refuse_pattern(
    const char* found = "a matrix whose entries are at other positions than when it was copied") {
  adapter::refuse_argument("matrix.pattern", found, "the same positions with new values",
                           "Copy the matrix again with " + names::copy_matrix_again + ".");
}

/// Writes the values of one row of one block over those of the copy.
template <class Local>
void renew_row(const OpenBlock& block, PetscInt row, PetscInt shift, const Local& copy,
               std::size_t& next, std::size_t end) {
  block.row(static_cast<std::size_t>(row), [&](PetscInt column, PetscScalar value) {
    if (next >= end || copy.graph.entries(next) != column + shift) refuse_pattern();
    copy.values(next) = value;
    ++next;
  });
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
    const auto local = copy.getLocalMatrixHost();
    if (Index{local.numRows()} != Index{blocks.rows} ||
        Index{local.numCols()} != Index{blocks.columns} + Index{blocks.ghosts})
      refuse_pattern();
    for (PetscInt g = 0; g < blocks.ghosts; ++g)
      if (copy.getColMap()->getGlobalElement(static_cast<LocalOrdinal>(blocks.columns + g)) !=
          blocks.ghost(g))
        refuse_pattern();
    tpetra::forget_norm(copy);
    const OpenBlock diagonal(blocks.own, BlockAccess::read, blocks.block_size);
    const OpenBlock off_diagonal(blocks.other, BlockAccess::read, blocks.block_size);
    std::size_t next = 0;
    for (PetscInt r = 0; r < blocks.rows; ++r) {
      const std::size_t end = local.graph.row_map(static_cast<std::size_t>(r) + 1);
      renew_row(diagonal, r, 0, local, next, end);
      renew_row(off_diagonal, r, blocks.columns, local, next, end);
      if (next != end) refuse_pattern();
    }
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
