// SPDX-License-Identifier: BSD-3-Clause
#include "descriptor.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "scalapack.hpp"

namespace {

using daptor::Index;

struct Refusal {
  std::string key, found, expected;
};

[[noreturn]] void refuse(int d, const std::string& found, const std::string& expected) {
  throw Refusal{"scalapack.dimension_" + std::to_string(d), found, expected};
}

int fitted(Index value) {
  if (value > std::numeric_limits<int>::max())
    throw Refusal{"scalapack.int", std::to_string(value), "32 bits"};
  return static_cast<int>(value);
}

struct Along {
  int size = 0;
  int block = 1;
  int origin = -1;  ///< -1: not known here
};

/// A process without elements does not know where dealing began.
Along along(int d, const daptor::Dimension& dimension, int grid_size, int grid_rank) {
  const daptor::GridPosition grid = dimension.grid();
  if (grid.size != grid_size || grid.rank != grid_rank)
    refuse(d, "process " + std::to_string(grid.rank) + " of " + std::to_string(grid.size),
           std::to_string(grid_rank) + " of " + std::to_string(grid_size) + ", as in the context");
  const int size = fitted(dimension.global_size());
  if (dimension.as<daptor::Undistributed>() != nullptr) return {size, std::max(1, size), 0};
  const auto* cyclic = dimension.as<daptor::Cyclic>();
  if (cyclic == nullptr)
    refuse(d, std::string("distribution '") + dimension.dist_type() + "'", "'c' or 'n'");
  const int block = fitted(cyclic->block_size);
  if (cyclic->start >= size) return {size, block, -1};
  const Index turn = cyclic->start / block;  // of this process
  return {size, block, static_cast<int>((grid_rank - turn + grid_size) % grid_size)};
}

int leading_dimension(const daptor::DistArray& a) {
  const auto item = static_cast<Index>(a.type().itemsize());
  const Index rows = a.local_shape()[0];
  const Index columns = a.local_shape()[1];
  const Index stride = a.byte_strides()[1];
  if (rows > 1 && columns > 0 && a.byte_strides()[0] != item)
    throw Refusal{"scalapack.order", "rows " + std::to_string(a.byte_strides()[0]) + " bytes apart",
                  "column-major: " + std::to_string(item)};
  if (rows == 0 || columns < 2) return fitted(std::max<Index>(1, rows));
  if (stride % item != 0 || stride / item < rows)
    throw Refusal{
        "scalapack.stride", "columns " + std::to_string(stride) + " bytes apart",
        "a multiple of " + std::to_string(item) + ", not under " + std::to_string(rows * item)};
  return fitted(stride / item);
}

Descriptor local_part(const daptor::DistArray& a, int context) {
  if (a.ndim() != 2)
    throw Refusal{"scalapack.ndim", std::to_string(a.ndim()) + " dimensions", "a matrix: 2"};
  int grid_rows = 0, grid_columns = 0, row = 0, column = 0;
  Cblacs_gridinfo(context, &grid_rows, &grid_columns, &row, &column);
  const Along rows = along(0, a.dimension(0), grid_rows, row);
  const Along columns = along(1, a.dimension(1), grid_columns, column);
  return {1,           context,        rows.size,           columns.size, rows.block, columns.block,
          rows.origin, columns.origin, leading_dimension(a)};
}

}  // namespace

Descriptor descriptor(const daptor::DistArray& a, int blacs_context) {
  Descriptor made{};
  Refusal refusal;
  bool refused = false;
  try {
    made = local_part(a, blacs_context);
  } catch (const Refusal& mine) {
    refusal = mine;
    refused = true;
  }
  // All learn who refused, and where dealing began: from the processes that know.
  int known[] = {refused ? 1 : 0, made[6], made[7]};
  Cigamx2d(blacs_context, "All", " ", 3, 1, known, 3, nullptr, nullptr, -1, -1, -1);
  if (refused) throw daptor::InvalidArgument(refusal.key, refusal.found, refusal.expected);
  if (known[0] != 0)
    throw daptor::InvalidArgument("scalapack", "another process that refused", "none");
  made[6] = std::max(0, known[1]);
  made[7] = std::max(0, known[2]);
  return made;
}
