// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>
#include <petscvec.h>

#include <functional>
#include <string>
#include <vector>

#include "daptor/report.hpp"

namespace daptor::petsc::detail {

/// A block of a MatNest: row and column of blocks, from 0. Null for a block of zeros.
struct NestBlock {
  Mat mat = nullptr;
  PetscInt row = 0, column = 0;

  std::string part() const {
    return "block (" + std::to_string(row) + ", " + std::to_string(column) + ")";
  }
};
/// Process-local. The blocks, row after row; none of a matrix of another type.
std::vector<NestBlock> blocks_of_nest(Mat mat);

/// Collective. What is wrong with a MatNest beside its blocks: index sets that do not have each row
/// and each column once, and, if the matrix is square and all blocks are AIJ, rows that are empty
/// in all of them.
Report check_nest(Mat mat);

/// Calls `visit(part, name)` for each Vec of which a VecNest consists, of those that are nested in
/// it too, where `name` is `block 1` or `block 1, block 0`; for another Vec once, with an empty
/// name. Process-local.
void for_each_part(Vec vec, const std::function<void(Vec, const std::string&)>& visit);

}  // namespace daptor::petsc::detail
