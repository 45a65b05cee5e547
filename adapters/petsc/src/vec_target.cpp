// SPDX-License-Identifier: BSD-3-Clause
#include "target_list.hpp"

#include <optional>
#include <vector>

#include "copy_layout.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "names.hpp"
#include "order.hpp"
#include "overlap.hpp"
#include "vec_reasons.hpp"

namespace daptor::petsc::detail {
namespace {

LocalAssessment assess_vec(const Section& array, int /*process_count*/) {
  return {vec_reasons(array, {}), 0};
}

void agree_on_vec(const DistArray& array, Call& call) {
  const Order order = agree_on_order(
      call, [&] { return owned_run(array); }, [&] { return mixed_vec_orders_reason(array); });
  require_countable_block(block_size(array, order));
  count_owned(array);
}

std::optional<TargetCopy> copy_for_vec(const Section& array, const CopyRequest& request) {
  const auto copy = vec_copy(array, false);
  if (!copy_reasons("petsc.vec", array, false).empty() || !copy ||
      !fits_petsc_int(copy->blocks * copy->block) || !fits_petsc_int(copy->block) ||
      !vec_copy_fits(array))
    return std::nullopt;
  return copy_of(array, to_vec(array), copy->dimensions({request.process_count, request.rank}));
}

}  // namespace

Target vec_target() {
  return {"petsc.vec", names::import_vec, assess_vec, copy_for_vec, agree_on_vec};
}

}  // namespace daptor::petsc::detail
