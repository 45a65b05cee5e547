// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/targets.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/explain.hpp"
#include "daptor/scalapack/block_cyclic.hpp"
#include "daptor/scalapack/copy.hpp"
#include "describe_descriptor.hpp"
#include "matrix_reasons.hpp"
#include "names.hpp"
#include "square_grid.hpp"

namespace daptor::scalapack {
namespace {

LocalAssessment assess_matrix(const Section& array, int /*process_count*/) {
  return {detail::matrix_reasons(array), 0};
}

bool fits_int(Index value) {
  return value <= std::numeric_limits<int>::max();
}

/// The blocks that copy_to_matrix deals by default, on a grid of all processes.
std::optional<TargetCopy> copy_for_matrix(const Section& array, const CopyRequest& request) {
  if ((array.ndim() != 1 && array.ndim() != 2) || !detail::has_element_type(array))
    return std::nullopt;
  std::vector<Index> shape = array.global_shape();
  shape.resize(2, 1);
  const int grid_columns = detail::square_columns(request.process_count);
  const BlockCyclic rows(shape[0], Blocks{}.rows, request.process_count / grid_columns);
  const BlockCyclic columns(shape[1], Blocks{}.columns, grid_columns);
  if (!fits_int(shape[0]) || !fits_int(shape[1])) return std::nullopt;
  return copy_of(
      array, detail::to_matrix(array),
      {rows.dimension(request.rank / grid_columns), columns.dimension(request.rank % grid_columns)},
      Order::fortran);
}

}  // namespace

bool register_targets() {
  register_target({"scalapack.matrix", names::import_call, assess_matrix, copy_for_matrix});
  register_describer(detail::descriptor_describer());
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::scalapack
