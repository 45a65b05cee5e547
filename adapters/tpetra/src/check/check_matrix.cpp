// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include <Teuchos_ScalarTraits.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>

#include "../export_map.hpp"
#include "daptor/adapter/row_faults.hpp"
#include "daptor/error.hpp"
#include "graph.hpp"
#include "maps.hpp"

namespace daptor::tpetra {
namespace {

/// Values that are no numbers, and diagonals of zero. Rows are read through views, which leave the
/// values where they are.
template <class Scalar>
void look_at_values(const Tpetra::CrsMatrix<Scalar>& matrix, bool square,
                    adapter::Findings& findings) {
  using Matrix = Tpetra::CrsMatrix<Scalar>;
  using Traits = Teuchos::ScalarTraits<Scalar>;
  const Map& rows = *matrix.getRowMap();
  const Map& columns = *matrix.getColMap();
  adapter::RowFault not_finite, zero_diagonal;
  typename Matrix::local_inds_host_view_type local;
  typename Matrix::values_host_view_type values;
  const Index count = count_of(rows);
  for (Index r = 0; r < count; ++r) {
    const Index row = global_of(rows, r);
    matrix.getLocalRowView(static_cast<Map::local_ordinal_type>(r), local, values);
    const auto* const begin = local.data();
    const auto* const end = begin + local.extent(0);
    // Kokkos has complex numbers of its own, of the same layout.
    const auto* const value = reinterpret_cast<const Scalar*>(values.data());
    const auto* const bad = std::find_if(value, value + values.extent(0), Traits::isnaninf);
    if (bad != value + values.extent(0))
      not_finite.note(row, global_of(columns, begin[bad - value]));
    if (!square) continue;
    const auto* const diagonal =
        std::find(begin, end, columns.getLocalElement(static_cast<Map::global_ordinal_type>(row)));
    if (diagonal != end && value[diagonal - begin] == Traits::zero()) zero_diagonal.note(row);
  }
  if (not_finite.count > 0)
    findings.error("check.mat.not-finite",
                   not_finite.text("NaN or Inf in row " + std::to_string(not_finite.row) +
                                   ", column " + std::to_string(not_finite.column)),
                   "finite numbers",
                   "Look for a division by zero, or memory that was not initialised, where the "
                   "values are computed.");
  if (zero_diagonal.count > 0)
    findings.warning(
        "check.mat.zero-diagonal",
        zero_diagonal.text("the diagonal of row " + std::to_string(zero_diagonal.row) + " is zero"),
        "another number: Jacobi, Gauss-Seidel and incomplete factorizations divide "
        "by it",
        "Choose a preconditioner that does not, or look for a row that was not "
        "assembled.");
}

}  // namespace

template <class Scalar>
Report detail::check_matrix(const Teuchos::RCP<const Tpetra::CrsMatrix<Scalar>>& matrix,
                            const FillMaps& fill) {
  if (matrix.is_null()) throw InvalidArgument("object", "a null RCP", "a CrsMatrix");
  const auto graph = matrix->getCrsGraph();
  return check_filled_or_not(
      {"CrsMatrix", *matrix, *graph, matrix->isFillComplete() && graph->isFillComplete(),
       [&](bool square, adapter::Findings& findings) {
         look_at_values<Scalar>(*matrix, square, findings);
       },
       [&] {
         Contributions found;
         Inserted<Tpetra::CrsGraph<>>::note(*graph, found);
         Inserted<Tpetra::CrsMatrix<Scalar>>::note(*matrix, found);
         return found;
       }},
      fill);
}

// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_OF_MATRICES
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)       \
  template Report detail::check_matrix<SCALAR>( \
      const Teuchos::RCP<const Tpetra::CrsMatrix<SCALAR>>&, const FillMaps&);
// NOLINTEND(bugprone-macro-parentheses)
#include "../for_each_scalar.inc"

}  // namespace daptor::tpetra
