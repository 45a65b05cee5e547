// SPDX-License-Identifier: BSD-3-Clause
#include "descriptor_findings.hpp"

#include <algorithm>
#include <string>

#include "daptor/scalapack/block_cyclic.hpp"
#include "text.hpp"

namespace daptor::scalapack::detail {
namespace {

/// Collects what is wrong with one descriptor.
class Judge {
 public:
  Judge(const int* desc, const GridInfo& place) : desc_(desc), place_(place) {}

  std::vector<Finding> judge() {
    if (desc_[entry::dtype] != 1)
      add(entry::dtype, kind(), "1, a dense matrix", "Describe a dense matrix.");
    require(entry::m, desc_[entry::m] >= 0, "at least 0 rows", remake);
    require(entry::n, desc_[entry::n] >= 0, "at least 0 columns", remake);
    require(entry::mb, desc_[entry::mb] >= 1, "blocks of at least 1 row", remake);
    require(entry::nb, desc_[entry::nb] >= 1, "blocks of at least 1 column", remake);
    require(entry::rsrc, 0 <= desc_[entry::rsrc] && desc_[entry::rsrc] < place_.rows,
            "a row of the grid, in [0, " + text(place_.rows) + ")",
            "Count the rows of the grid from 0; the first block of rows is there.");
    require(entry::csrc, 0 <= desc_[entry::csrc] && desc_[entry::csrc] < place_.columns,
            "a column of the grid, in [0, " + text(place_.columns) + ")",
            "Count the columns of the grid from 0; the first block of columns is there.");
    if (findings_.empty()) judge_leading_dimension();
    return std::move(findings_);
  }

 private:
  static constexpr const char* remake =
      "Make the descriptor anew from the sizes of the matrix, and look at the info of descinit.";

  std::string kind() const {
    switch (desc_[entry::dtype]) {
      case 501:
        return "501, a band matrix";
      case 502:
        return "502, the right-hand sides of a band matrix";
      case 601:
        return "601, a matrix in files";
      default:
        return text(desc_[entry::dtype]);
    }
  }
  void judge_leading_dimension() {
    const Index rows =
        BlockCyclic(desc_[entry::m], desc_[entry::mb], place_.rows, desc_[entry::rsrc])
            .local_count(place_.row);
    require(entry::lld, desc_[entry::lld] >= std::max<Index>(1, rows),
            "at least " + text(std::max<Index>(1, rows)) + ", for the " + text(rows) +
                " local rows of grid row " + text(place_.row),
            "Pass the distance between columns in this process's memory: max(1, numroc(M_, MB_, "
            "myrow, RSRC_, nprow)), or more.");
  }
  void require(entry::Position position, bool right, const Terms& expected, const Terms& remedy) {
    if (!right) add(position, text(desc_[position]), expected, remedy);
  }
  void add(entry::Position position, const Terms& found, const Terms& expected,
           const Terms& remedy) {
    findings_.push_back(error_finding(entry::rules[position], entry::dimension_of(position),
                                      entry::names[position], found, expected, remedy));
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
  const Index rows = BlockCyclic(desc[entry::m], desc[entry::mb], place.rows, desc[entry::rsrc])
                         .local_count(place.row);
  const Index columns =
      BlockCyclic(desc[entry::n], desc[entry::nb], place.columns, desc[entry::csrc])
          .local_count(place.column);
  if (rows == 0 || columns == 0) return 0;
  return (columns - 1) * desc[entry::lld] + rows;
}

}  // namespace daptor::scalapack::detail
