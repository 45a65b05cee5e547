// SPDX-License-Identifier: BSD-3-Clause
#include "copy_matrix_origin.hpp"

#include <utility>

#include <Tpetra_Map.hpp>

#include "daptor/tpetra/imported.hpp"

namespace daptor::solvers {
namespace {

constexpr const char* key = "daptor.matrix";

}  // namespace

MatrixOrigin::~MatrixOrigin() {
  if (column_map.is_null() || tpetra::detail::kokkos_running()) return;
  tpetra::detail::keep_forever(
      std::make_shared<Teuchos::RCP<const Tpetra::Map<>>>(std::move(column_map)));
}

void keep_origin(Mat mat, const std::shared_ptr<MatrixOrigin>& origin) {
  petsc::detail::keep_with(mat, key, origin);
}

MatrixOrigin* origin_of(Mat mat) {
  return static_cast<MatrixOrigin*>(petsc::detail::kept_with(mat, key));
}

}  // namespace daptor::solvers
