// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <string>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "local_count.hpp"
#include "parameter_limits.hpp"

/// \file
/// What MueLu is given besides the matrix, looked at before its set-up: MueLu itself notices some
/// of it on one rank only, where the others wait for it, or goes on with numbers that are not
/// finite.

namespace daptor::solvers {

/// The object of this type under `name` in the list "user data", or null.
template <class Vectors>
Teuchos::RCP<Vectors> user_data(const Teuchos::ParameterList& parameters, const char* name) {
  if (!parameters.isSublist("user data")) return Teuchos::null;
  const Teuchos::ParameterList& data = parameters.sublist("user data");
  if (!data.isType<Teuchos::RCP<Vectors>>(name)) return Teuchos::null;
  return data.get<Teuchos::RCP<Vectors>>(name);
}

/// Throws InvalidArgument with this rule if a number of a column is not finite.
template <class Vectors>
void require_finite_columns(const Vectors& columns, const char* rule, const std::string& what) {
  for (std::size_t j = 0; j < columns.getNumVectors(); ++j) {
    const auto column = columns.getData(j);
    for (Teuchos_Ordinal i = 0; i < column.size(); ++i)
      if (!std::isfinite(std::abs(column[i])))
        adapter::refuse_argument(rule,
                                 what + " " + std::to_string(j) + ", whose local element " +
                                     std::to_string(i) + " is not a finite number",
                                 "finite numbers", "Correct this number.");
  }
}

/// Whether MueLu may make more than one level; where it makes one, it does not use near-null
/// vectors.
template <class Scalar>
bool may_coarsen(const Tpetra::CrsMatrix<Scalar>& matrix,
                 const Teuchos::ParameterList& parameters) {
  const auto value = [&](const char* name, int otherwise) {
    return parameters.isType<int>(name) ? parameters.get<int>(name) : otherwise;
  };
  constexpr int most_rows = 2000, most_levels = 10;  // MueLu's defaults
  return value("max levels", most_levels) > 1 &&
         matrix.getRangeMap()->getGlobalNumElements() >
             static_cast<Tpetra::global_size_t>(value("coarse: max size", most_rows));
}

/// Throws InvalidArgument (`matrix.near-null-space`) if a vector is zero in all rows of this
/// process that are coupled to others: aggregates of such rows are what MueLu cannot go on with.
template <class Scalar>
void require_modes_here(const Tpetra::CrsMatrix<Scalar>& matrix,
                        const Tpetra::MultiVector<Scalar>& modes) {
  const auto starts = matrix.getLocalMatrixHost().graph.row_map;
  for (std::size_t j = 0; j < modes.getNumVectors(); ++j) {
    const auto mode = modes.getData(j);
    bool coupled = false, zero = true;
    for (Teuchos_Ordinal i = 0; i < mode.size(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (starts(row + 1) - starts(row) < 2) continue;
      coupled = true;
      zero = zero && mode[i] == Scalar(0);
    }
    if (!coupled || !zero) continue;
    adapter::refuse_argument(
        "matrix.near-null-space",
        "near-null vector " + std::to_string(j) + ", which is 0 in all rows of this process",
        "vectors that are not 0 on any process that has rows",
        "Make the vectors on all processes (" + petsc::names::function("MatSetNearNullSpace") +
            "), or leave this one out. Where they come from coordinates (" +
            petsc::names::function("PCSetCoordinates") +
            "), pass coordinates that differ between nodes.");
  }
}

/// Throws InvalidArgument with this rule unless the vectors have this number of rows on this
/// process. MueLu takes it for granted.
template <class Vectors>
void require_rows(const Vectors& columns, Index rows, const char* rule, const std::string& what,
                  const std::string& of) {
  const auto found = static_cast<Index>(columns.getLocalLength());
  if (found == rows) return;
  adapter::refuse_argument(rule, what + " with " + std::to_string(found) + " rows on this process",
                           std::to_string(rows) + " rows: " + of,
                           "Make them on a Map of as many rows on each process.");
}

/// Process-local. Throws InvalidArgument (`matrix.near-null-space`, `pc.coordinates`).
template <class Scalar>
void require_good_inputs(const Tpetra::CrsMatrix<Scalar>& matrix,
                         const Teuchos::ParameterList& parameters) {
  const Index rows = local_count(*matrix.getRowMap());
  using Magnitude = typename Teuchos::ScalarTraits<Scalar>::magnitudeType;
  const auto coordinates = user_data<Tpetra::MultiVector<Magnitude>>(parameters, "Coordinates");
  if (!coordinates.is_null()) {
    require_rows(*coordinates, rows / equations_in(parameters), "pc.coordinates", "coordinates",
                 "the rows of the matrix, divided by the number of equations");
    require_finite_columns(*coordinates, "pc.coordinates", "coordinate");
  }
  const auto modes = user_data<Tpetra::MultiVector<Scalar>>(parameters, "Nullspace");
  if (modes.is_null()) return;
  require_rows(*modes, rows, "matrix.near-null-space", "near-null vectors",
               "the rows of the matrix");
  require_finite_columns(*modes, "matrix.near-null-space", "near-null vector");
  if (may_coarsen(matrix, parameters)) require_modes_here<Scalar>(matrix, *modes);
}

}  // namespace daptor::solvers
