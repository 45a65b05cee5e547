// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include <petscmat.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/petsc/adapter/divided_rows.hpp"

namespace daptor::solvers {

/// The matrix from which Daptor made a Mat, kept as long as PETSc refers to it.
struct MatrixOrigin {
  MatrixOrigin() = default;
  MatrixOrigin(const MatrixOrigin&) = delete;
  MatrixOrigin& operator=(const MatrixOrigin&) = delete;
  ~MatrixOrigin();

  petsc::detail::DividedRows rows;
  /// PETSc's number of each local column of the CrsMatrix.
  std::vector<PetscInt> column_numbers;
  Teuchos::RCP<const Tpetra::Map<>> column_map;
};

/// Ties `origin` to a Mat of type AIJ and to its blocks. Process-local. Throws.
void keep_origin(Mat mat, const std::shared_ptr<MatrixOrigin>& origin);

/// The origin tied to `mat`, or null.
MatrixOrigin* origin_of(Mat mat);

}  // namespace daptor::solvers
