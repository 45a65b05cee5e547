// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/row_faults.hpp"

namespace daptor::adapter {

void RowFaults::tell(bool square, Findings& findings) const {
  if (twice.count > 0)
    findings.error("check.mat.column-twice",
                   twice.text("row " + std::to_string(twice.row) + " has two entries in column " +
                              std::to_string(twice.column)),
                   "each column at most once in a row",
                   "Add up such entries before the matrix is made of arrays.");
  if (unordered.count > 0)
    findings.warning("check.mat.column-order",
                     unordered.text("column " + std::to_string(unordered.column) + " of row " +
                                    std::to_string(unordered.row) + " stands behind a greater one"),
                     "increasing columns within a row",
                     "Sort the columns of each row before the matrix is made of arrays.");
  if (square && empty.count > 0)
    findings.warning(
        "check.mat.empty-row",
        empty.text("row " + std::to_string(empty.row) + " of a square matrix has no entries"),
        "an entry in each row, since the matrix is singular otherwise",
        "Look for elements that are not assembled, or set the diagonal of unknowns "
        "that take part in no equation.");
  if (square && no_diagonal.count > 0)
    findings.warning("check.mat.no-diagonal",
                     no_diagonal.text("row " + std::to_string(no_diagonal.row) +
                                      " has no entry on the diagonal"),
                     "an entry, which may be zero: Jacobi, SOR, ILU and multigrid rely on it",
                     "Insert the diagonal too, or choose a preconditioner that needs none.");
}

}  // namespace daptor::adapter
