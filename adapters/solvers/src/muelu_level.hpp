// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <petscsys.h>
#include <MueLu_Level.hpp>
#include <MueLu_TpetraOperator.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Xpetra_CrsMatrixWrap.hpp>
#include <Xpetra_TpetraCrsMatrix.hpp>

#include "daptor/call.hpp"

/// \file
/// The contents of a level in MueLu's hierarchy, as Tpetra objects.

namespace daptor::solvers {

using LocalOrdinal = Tpetra::Map<>::local_ordinal_type;
using GlobalOrdinal = Tpetra::Map<>::global_ordinal_type;
using Node = Tpetra::Map<>::node_type;

template <class Scalar>
using MueLuOperator = MueLu::TpetraOperator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;

/// The matrix `A` or the interpolation `P` of a level; null on processes that have no part of it.
/// MueLu's own function for this has other names in Trilinos 13.2 and 16.1.
/// @param required  whether to throw, instead of returning null, where it is not a CrsMatrix, such
///   as the matrix of blocks of a hierarchy that a program made
template <class Scalar>
Teuchos::RCP<const Tpetra::CrsMatrix<Scalar>> matrix_of(MueLu::Level& level, const char* name,
                                                        bool required = true) {
  using Wrapped = Xpetra::Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using Rows = Xpetra::CrsMatrixWrap<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using TpetraRows = Xpetra::TpetraCrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  if (!level.IsAvailable(name)) return Teuchos::null;
  const auto op = level.Get<Teuchos::RCP<Wrapped>>(name);
  if (op.is_null()) return Teuchos::null;
  const auto rows = Teuchos::rcp_dynamic_cast<Rows>(op, required);
  if (rows.is_null()) return Teuchos::null;
  const auto wrapped = Teuchos::rcp_dynamic_cast<const TpetraRows>(rows->getCrsMatrix(), required);
  if (wrapped.is_null()) return Teuchos::null;
  return wrapped->getTpetra_CrsMatrix();
}

/// Number of rows per node of a level's matrix `A`.
template <class Scalar>
PetscInt block_size_of(MueLu::Level& level) {
  using Wrapped = Xpetra::Operator<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using Matrix = Xpetra::Matrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  const auto matrix = Teuchos::rcp_dynamic_cast<Matrix>(level.Get<Teuchos::RCP<Wrapped>>("A"));
  return matrix.is_null() ? 1 : static_cast<PetscInt>(matrix->GetFixedBlockSize());
}

/// Collective. Number of levels of a hierarchy over all processes: a process without a part of a
/// level does not know of any level below it.
template <class Hierarchy>
int levels_everywhere(Hierarchy& hierarchy, Call& call) {
  const auto levels = call.greatest(hierarchy.GetNumLevels());
  call.check();
  return static_cast<int>(std::int64_t{levels});
}

}  // namespace daptor::solvers
