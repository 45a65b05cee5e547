// SPDX-License-Identifier: BSD-3-Clause
#include "diagonal.hpp"

#include "daptor/adapter/reason.hpp"

namespace daptor::solvers {
namespace {

/// "rows 3, 5 and 2 more" of the rows `first` + i.
std::string listed(const std::vector<Index>& rows, Index first) {
  constexpr std::size_t most = 5;
  std::string text = rows.size() == 1 ? "row " : "rows ";
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(first + rows[i]);
  if (rows.size() > most) text += " and " + std::to_string(rows.size() - most) + " more";
  return text;
}

}  // namespace

bool divides_by_diagonal(const std::string& description) {
  const auto has = [&](const char* words) { return description.find(words) != std::string::npos; };
  return has("Ifpack2::Relaxation") || has("Ifpack2::Chebyshev") || has("Ifpack2::Diagonal");
}

void refuse_rows_without_diagonal(const std::string& place, const std::vector<Index>& rows,
                                  Index first, std::int64_t all, const char* type) {
  if (rows.empty()) return;
  adapter::refuse_argument(
      "matrix.diagonal",
      (place.empty() ? "" : place + ": ") + listed(rows, first) +
          ", whose diagonal is zero or missing (" + std::to_string(all) +
          (all == 1 ? " such row" : " such rows") + " on all ranks, counted as PETSc does)",
      "a diagonal without zeros, by which this type divides",
      std::string("Put a number on the diagonal of these rows (1, if nothing else is in them), or "
                  "choose ") +
          type + '.');
}

}  // namespace daptor::solvers
