// SPDX-License-Identifier: BSD-3-Clause
#include "descriptor_findings.hpp"

#include <algorithm>
#include <string>

#include "daptor/scalapack/block_cyclic.hpp"

namespace daptor::scalapack::detail {
namespace {

std::string text(Index value) {
  return std::to_string(value);
}

/// Collects what is wrong with one descriptor.
class Judge {
 public:
  Judge(const int* desc, const GridInfo& place) : desc_(desc), place_(place) {}

  std::vector<Finding> judge() {
    if (desc_[dtype] != 1) add(dtype, kind(), "1, a dense matrix", "Describe a dense matrix.");
    require(m, desc_[m] >= 0, "at least 0 rows");
    require(n, desc_[n] >= 0, "at least 0 columns");
    require(mb, desc_[mb] >= 1, "blocks of at least 1 row");
    require(nb, desc_[nb] >= 1, "blocks of at least 1 column");
    require(rsrc, 0 <= desc_[rsrc] && desc_[rsrc] < place_.rows,
            "a row of the grid, in [0, " + text(place_.rows) + ")");
    require(csrc, 0 <= desc_[csrc] && desc_[csrc] < place_.columns,
            "a column of the grid, in [0, " + text(place_.columns) + ")");
    if (findings_.empty()) judge_leading_dimension();
    return std::move(findings_);
  }

 private:
  std::string kind() const {
    switch (desc_[dtype]) {
      case 501:
        return "501, a band matrix";
      case 502:
        return "502, the right-hand sides of a band matrix";
      case 601:
        return "601, a matrix in files";
      default:
        return text(desc_[dtype]);
    }
  }
  void judge_leading_dimension() {
    const Index rows =
        BlockCyclic(desc_[m], desc_[mb], place_.rows, desc_[rsrc]).local_count(place_.row);
    require(lld, desc_[lld] >= std::max<Index>(1, rows),
            "at least " + text(std::max<Index>(1, rows)) + ", for the " + text(rows) +
                " local rows of grid row " + text(place_.row));
  }
  void require(Entry entry, bool right, const std::string& expected) {
    if (!right) add(entry, text(desc_[entry]), expected, "");
  }
  void add(Entry entry, const std::string& found, const std::string& expected,
           const std::string& remedy) {
    const bool about_rows = entry == m || entry == mb || entry == rsrc || entry == lld;
    const bool about_columns = entry == n || entry == nb || entry == csrc;
    findings_.push_back(error_finding(entry_rules[entry],
                                      about_rows      ? 0
                                      : about_columns ? 1
                                                      : -1,
                                      entry_names[entry], found, expected, remedy));
  }

  const int* desc_;
  GridInfo place_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> descriptor_findings(const int* desc, const GridInfo& place) {
  return Judge(desc, place).judge();
}

Index reach(const int* desc, const GridInfo& place) {
  const Index rows =
      BlockCyclic(desc[m], desc[mb], place.rows, desc[rsrc]).local_count(place.row);
  const Index columns =
      BlockCyclic(desc[n], desc[nb], place.columns, desc[csrc]).local_count(place.column);
  if (rows == 0 || columns == 0) return 0;
  return (columns - 1) * desc[lld] + rows;
}

}  // namespace daptor::scalapack::detail
