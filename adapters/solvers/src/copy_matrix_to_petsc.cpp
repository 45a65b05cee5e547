// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <utility>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>

#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/divided_rows.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/imported.hpp"
#include "local_rows.hpp"
#include "log.hpp"
#include "names.hpp"

namespace daptor::solvers {
namespace {

constexpr const char* origin_key = "daptor.matrix";

/// The matrix from which Daptor made a Mat, kept as long as PETSc refers to it or to its blocks.
struct MatrixOrigin {
  MatrixOrigin() = default;
  MatrixOrigin(const MatrixOrigin&) = delete;
  MatrixOrigin& operator=(const MatrixOrigin&) = delete;
  ~MatrixOrigin() {
    if (column_map.is_null() || tpetra::detail::kokkos_running()) return;
    tpetra::detail::keep_forever(
        std::make_shared<Teuchos::RCP<const Tpetra::Map<>>>(std::move(column_map)));
  }

  petsc::detail::DividedRows rows;
  /// PETSc's number of each local column of the CrsMatrix.
  std::vector<PetscInt> column_numbers;
  Teuchos::RCP<const Tpetra::Map<>> column_map;
};

template <class Scalar>
OwnedMat copy(const Tpetra::CrsMatrix<Scalar>& matrix) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    static_cast<void>(matrix);
    tpetra::detail::refuse_scalar(DataType::of<Scalar>());
  } else {
    const Comm comm(tpetra::communicator(*matrix.getRowMap()));
    Call call(comm, "solvers::copy_matrix");
    call.check([&] { require_like_petsc(matrix); });
    const PetscOrder order = petsc_order(matrix, call);
    std::vector<PetscInt> numbers = column_numbers(matrix, order.columns, call);
    auto origin = call.check([&] {
      auto made = std::make_shared<MatrixOrigin>();
      const auto local = matrix.getLocalMatrixHost();
      petsc::detail::divide(
          tpetra::detail::crs_rows<PetscScalar>(local, order.layout, numbers,
                                                same_columns(matrix, order.columns.count)),
          made->rows, petsc::detail::refuse_duplicate);
      made->column_numbers = std::move(numbers);
      made->column_map = matrix.getColMap();
      return made;
    });
    petsc::detail::Guard<Mat> mat(petsc::detail::create_aij(
        order.layout, pointers(origin->rows.own), pointers(origin->rows.other), call));
    return call.check([&] {
      petsc::detail::keep_with(mat.get(), origin_key, origin);
      return OwnedMat(mat.release());
    });
  }
}

[[noreturn]] void refuse_other_entries(const char* found) {
  adapter::refuse_argument(
      "matrix.pattern", found,
      "a Mat made by copy_matrix of a CrsMatrix with entries at the same positions",
      "Copy the matrix again with " + names::copy_matrix_again + ".");
}

template <class Scalar>
void renew_values(const Tpetra::CrsMatrix<Scalar>& matrix, Mat copy) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    require_like_petsc(matrix);
    require_assembled(copy);
    const auto* const origin =
        static_cast<const MatrixOrigin*>(petsc::detail::kept_with(copy, origin_key));
    if (origin == nullptr) refuse_other_entries("a Mat that was not made from a CrsMatrix");
    const auto map = matrix.getColMap();
    if (map != origin->column_map && !map->locallySameAs(*origin->column_map))
      refuse_other_entries("a different column Map");
    const auto local = matrix.getLocalMatrixHost();
    const Blocks blocks = blocks_of(copy);
    if (Index{local.numRows()} != Index{blocks.rows})
      refuse_other_entries("a different number of rows");
    adapter::write_values(
        tpetra::detail::crs_rows<PetscScalar>(local, blocks.layout(), origin->column_numbers,
                                              same_columns(matrix, blocks.columns)),
        petsc::detail::MatValues(blocks, refuse_other_entries));
    if (blocks.other != nullptr) petsc::detail::increase_state(petsc::detail::object(copy));
  }
}

}  // namespace

void copy_values(const CrsMatrix& matrix, Mat copy) {
  require_matrix(copy);
  const Logged logged(Event::hand_over);
  renew_values<PetscScalar>(matrix, copy);
}

OwnedMat copy_matrix(const CrsMatrix& matrix) {
  const Logged logged(Event::hand_over);
  return copy<PetscScalar>(matrix);
}

}  // namespace daptor::solvers
