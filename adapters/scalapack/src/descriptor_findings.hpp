// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <mpi.h>

#include "blacs.hpp"
#include "daptor/report.hpp"
#include "daptor/types.hpp"

namespace daptor::scalapack::detail {

/// Positions of the entries of a descriptor, as its definition names them.
namespace entry {
enum Position { dtype, ctxt, m, n, mb, nb, rsrc, csrc, lld };
inline constexpr const char* names[] = {"DTYPE_", "CTXT_", "M_",    "N_",  "MB_",
                                        "NB_",    "RSRC_", "CSRC_", "LLD_"};
/// Rule ids, in the same order.
inline constexpr const char* rules[] = {
    "scalapack.desc.type", "scalapack.desc.context", "scalapack.desc.m",
    "scalapack.desc.n",    "scalapack.desc.mb",      "scalapack.desc.nb",
    "scalapack.desc.rsrc", "scalapack.desc.csrc",    "scalapack.desc.lld"};
/// The dimension that an entry is about; -1: the matrix as a whole.
constexpr int dimension_of(Position position) {
  if (position == m || position == mb || position == rsrc || position == lld) return 0;
  return position == n || position == nb || position == csrc ? 1 : -1;
}
}  // namespace entry

/// What is wrong with a descriptor on this process, whose place on the grid is `place`: the clauses
/// that `descinit` asks for, and the type. Each finding names its entry.
std::vector<Finding> descriptor_findings(const int* desc, const GridInfo& place);

/// Elements of memory that this process's part reaches; 0 where it has no elements.
Index reach(const int* desc, const GridInfo& place);

}  // namespace daptor::scalapack::detail
