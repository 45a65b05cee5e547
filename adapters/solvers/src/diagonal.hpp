// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/call.hpp"
#include "local_count.hpp"

/// \file
/// Preconditioners that divide by the diagonal of their matrix. Where it is zero or missing, those
/// of Ifpack2 take 0 for its inverse, or divide by a tiny number, and say nothing: a solver then
/// reports that it has converged to something that is no solution.

namespace daptor::solvers {

/// A preconditioner of Ifpack2, or a smoother of MueLu.
template <class Scalar>
struct Dividing {
  using Vectors = Tpetra::MultiVector<Scalar>;
  std::string description;  ///< Ifpack2's own, which names its class
  /// Where it stands, for an error: "level 1 of MueLu's hierarchy"; empty for the matrix itself.
  std::string place;
  /// Computes z = M r; null if M cannot be applied yet.
  std::function<void(const Vectors& r, Vectors& z)> apply;
};

/// Whether Ifpack2's description of a preconditioner is of one that divides by the diagonal.
bool divides_by_diagonal(const std::string& description);

/// Throws InvalidArgument (`matrix.diagonal`) that names rows `first` + i, if there are any.
/// @param all   their number on all ranks
/// @param type  what to choose instead, which does not divide by the diagonal
void refuse_rows_without_diagonal(const std::string& place, const std::vector<Index>& rows,
                                  Index first, std::int64_t all,
                                  const char* type =
                                      "a type that does not divide by it, such as "
                                      "ILUT");

/// The local rows whose diagonal entry is zero or missing.
template <class Scalar>
std::vector<Index> rows_without_diagonal(const Tpetra::RowMatrix<Scalar>& matrix) {
  Tpetra::Vector<Scalar> diagonal(matrix.getRowMap());
  matrix.getLocalDiagCopy(diagonal);
  std::vector<Index> rows;
  const auto values = diagonal.getData();
  for (Teuchos_Ordinal i = 0; i < values.size(); ++i)
    if (values[i] == Scalar(0)) rows.push_back(i);
  return rows;
}

/// Whether a preconditioner that gives `size` in a row whose diagonal is zero or missing, and
/// `others` at most in all other rows, replaces that entry by a useful number. For numbers around
/// 1, Ifpack2 13.2 gives 0 (relaxation, missing), something that is no number (relaxation, zero),
/// or some 1e-16, the number that it takes for the inverse (Chebyshev).
inline bool replaces_entry(double size, double others) {
  constexpr double tiny = 1e-10, far_smaller = 1e-3, far_larger = 1e8;
  if (!std::isfinite(size) || (others > 0 && size > far_larger * others)) return false;
  return size > tiny || size > far_smaller * others;
}

/// Collective. Leaves those of the rows in which the preconditioner does not replace the entry.
template <class Scalar>
void keep_dead_rows(const Tpetra::RowMatrix<Scalar>& matrix, const Dividing<Scalar>& dividing,
                    std::vector<Index>& rows, Call& call) {
  call.library("ifpack2", "Ifpack2::Preconditioner::apply", Patience{}, [&] {
    Tpetra::Vector<Scalar> r(matrix.getRangeMap());
    Tpetra::Vector<Scalar> z(matrix.getDomainMap());
    auto number = static_cast<double>(matrix.getRangeMap()->getMinGlobalIndex());
    for (Scalar& value : r.getDataNonConst()) value = Scalar(1.0 + 0.5 * std::sin(++number));
    dividing.apply(r, z);
    const auto result = z.getData();
    const auto size = [&](Index row) {
      return double{std::abs(result[static_cast<Teuchos_Ordinal>(row)])};
    };
    double mine = 0;
    for (Index row = 0; row < static_cast<Index>(result.size()); ++row)
      if (!std::binary_search(rows.begin(), rows.end(), row)) mine = std::max(mine, size(row));
    double others = 0;
    Teuchos::reduceAll(*matrix.getComm(), Teuchos::REDUCE_MAX, mine, Teuchos::outArg(others));
    const auto alive = [&](Index row) { return replaces_entry(size(row), others); };
    rows.erase(std::remove_if(rows.begin(), rows.end(), alive), rows.end());
  });
}

/// Collective. Throws InvalidArgument (`matrix.diagonal`) on all ranks if any has rows.
/// @param rows  local rows of the matrix
template <class Scalar>
void refuse_on_all_ranks(const Tpetra::RowMatrix<Scalar>& matrix, const std::string& place,
                         const std::vector<Index>& rows, Call& call) {
  const Comm& comm = call.comm();
  auto all = static_cast<std::int64_t>(rows.size());
  comm->allreduce(&all, 1, Reduction::sum);
  if (all == 0) return;
  const Index first = comm->exclusive_sum(local_count(*matrix.getRowMap()));
  call.check([&] { refuse_rows_without_diagonal(place, rows, first, all); });
}

/// Collective over the processes of the matrix. Throws InvalidArgument (`matrix.diagonal`) on all
/// of them if the preconditioner divides by a diagonal that is zero or missing in some rows. One
/// whose parameters replace such entries by other numbers is accepted.
template <class Scalar>
void require_diagonal(const Tpetra::RowMatrix<Scalar>& matrix, const Dividing<Scalar>& dividing,
                      Call& call) {
  if (!divides_by_diagonal(dividing.description)) return;
  // The rows of a matrix of blocks, whose diagonal blocks are inverted, are not those of its Map.
  if (matrix.getRowMap()->getGlobalNumElements() != matrix.getRangeMap()->getGlobalNumElements())
    return;
  std::vector<Index> rows;
  Agreed<bool> none;
  call.check([&] {
    rows = rows_without_diagonal(matrix);
    none = call.all(rows.empty());
  });
  if (none) return;
  if (dividing.apply) keep_dead_rows(matrix, dividing, rows, call);
  refuse_on_all_ranks(matrix, dividing.place, rows, call);
}

/// Collective. Throws the same if any diagonal entry is zero or missing.
template <class Scalar>
void require_no_zero_on_diagonal(const Tpetra::RowMatrix<Scalar>& matrix, Call& call) {
  const std::vector<Index> rows = call.check([&] { return rows_without_diagonal(matrix); });
  refuse_on_all_ranks(matrix, "", rows, call);
}

}  // namespace daptor::solvers
