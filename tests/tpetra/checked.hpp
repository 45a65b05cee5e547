// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Objects of Tpetra that are checked, and what is expected of the reports.

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsGraph.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <daptor/tpetra/check.hpp>

#include "support.hpp"

namespace daptor::test {

using Matrix = Tpetra::CrsMatrix<double>;
using Graph = Tpetra::CrsGraph<>;
using MapRcp = Teuchos::RCP<const Map>;

inline constexpr Global each = 5;  ///< indices of a rank in most Maps

inline Global ranks() {
  return static_cast<Global>(world_size());
}
inline Global rank() {
  return static_cast<Global>(world_rank());
}

inline const auto sum_up = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();

inline MapRcp map_of(const std::vector<Global>& indices, Tpetra::global_size_t count = sum_up,
                     Global base = 0) {
  return Teuchos::rcp(
      new Map(count, Teuchos::arrayViewFromVector(indices), base, Tpetra::getDefaultComm()));
}

/// Five indices for each rank.
inline MapRcp five_each() {
  return Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(each * ranks()), each, 0,
                              Tpetra::getDefaultComm()));
}

/// The five indices that this rank owns.
inline std::vector<Global> owned_indices() {
  std::vector<Global> indices;
  for (Global i = each * rank(); i < each * (rank() + 1); ++i) indices.push_back(i);
  return indices;
}

/// These, and behind them their neighbours on other ranks.
inline std::vector<Global> with_neighbours() {
  std::vector<Global> indices = owned_indices();
  if (rank() > 0) indices.push_back(each * rank() - 1);
  if (rank() + 1 < ranks()) indices.push_back(each * (rank() + 1));
  return indices;
}

/// The matrix of (-1, 2, -1) before its fillComplete.
/// @param value  replaces the values; entries for which it gives none are left out
using Entry = std::function<std::optional<double>(Global row, Global column)>;
inline Teuchos::RCP<Matrix> unfilled_laplacian(const Entry& value = nullptr) {
  const auto matrix = Teuchos::rcp(new Matrix(five_each(), 4));
  const Global last = each * ranks() - 1;
  for (const Global row : owned_indices())
    for (const Global column : {row - 1, row, row + 1}) {
      if (column < 0 || column > last) continue;
      const std::optional<double> entry =
          value ? value(row, column) : std::optional<double>(row == column ? 2.0 : -1.0);
      if (!entry) continue;
      matrix->insertGlobalValues(row, Teuchos::tuple(column), Teuchos::tuple(*entry));
    }
  return matrix;
}

inline Teuchos::RCP<Matrix> laplacian(const Entry& value = nullptr) {
  const auto matrix = unfilled_laplacian(value);
  matrix->fillComplete();
  return matrix;
}

inline void on_each_rank(const std::function<void(int)>& test) {
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    SCOPED_TRACE("rank " + std::to_string(culprit) + " is at fault");
    test(culprit);
  }
}

/// Collective. Expects one finding, the same on all ranks, and returns it.
/// @param culprit  the lowest rank at fault; absent: not looked at
inline Finding expect_report(const std::string& rule, const Report& report,
                             std::optional<int> culprit, Severity severity = Severity::error) {
  std::ostringstream text;
  text << report;
  expect_same_everywhere(text.str());
  EXPECT_EQ(report.findings().size(), 1u) << report;
  if (report.findings().empty()) return {};
  const Finding& finding = report.findings().front();
  EXPECT_EQ(finding.rule, rule) << finding;
  EXPECT_EQ(finding.severity, severity) << finding;
  EXPECT_FALSE(finding.expected.empty() || finding.remedy.empty()) << finding;
  if (culprit) {
    EXPECT_EQ(finding.rank(), *culprit) << finding;
  }
  return finding;
}

inline void expect_nothing(const Report& report) {
  EXPECT_TRUE(report.findings().empty()) << report;
}

}  // namespace daptor::test
