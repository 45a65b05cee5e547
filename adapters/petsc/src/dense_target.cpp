// SPDX-License-Identifier: BSD-3-Clause
#include "target_list.hpp"

#include <optional>

#include "copy_layout.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/call.hpp"
#include "daptor/layout.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "dense_layout.hpp"
#include "names.hpp"
#include "order.hpp"
#include "overlap.hpp"

namespace daptor::petsc::detail {
namespace {

LocalAssessment assess_dense(const Section& array, int /*process_count*/) {
  return {dense_reasons(array), 0};
}

void agree_on_dense(const DistArray& array, Call& call) {
  const Order order = agree_on_order(
      call, [&] { return dense_order(array); }, mixed_columns_reason);
  count_rows(array, order);
}

std::optional<TargetCopy> copy_for_dense(const Section& array, const CopyRequest& request) {
  const auto count = adapter::global_count(array.dimensions());
  if (!copy_reasons("petsc.dense", array, false).empty() || array.ndim() < 2 || !count ||
      !fits_petsc_int(*count))
    return std::nullopt;
  return copy_of(array, to_dense(array), request, layout::slab(0, Order::fortran));
}

}  // namespace

Target dense_target() {
  return {"petsc.dense", names::import_dense, assess_dense, copy_for_dense, agree_on_dense};
}

}  // namespace daptor::petsc::detail
