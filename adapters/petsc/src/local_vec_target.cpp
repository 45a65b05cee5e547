// SPDX-License-Identifier: BSD-3-Clause
#include "target_list.hpp"

#include <optional>
#include <utility>

#include "copy_layout.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "names.hpp"
#include "order.hpp"
#include "overlap.hpp"
#include "vec_reasons.hpp"

namespace daptor::petsc::detail {
namespace {

LocalAssessment assess_local_vec(const Section& array, int /*process_count*/) {
  return {local_vec_reasons(array, {}), 0};
}

void agree_on_local_vec(const DistArray& array, Call& call) {
  const Order order = agree_on_order(
      call, [&] { return local_run(array); }, [&] { return mixed_vec_orders_reason(array); });
  require_countable_block(block_size(array, order));
}

std::optional<TargetCopy> copy_for_local_vec(const Section& array, const CopyRequest&) {
  if (!copy_reasons("petsc.vec", array, false).empty() || !fits_petsc_int(array.local_count()) ||
      !fits_petsc_int(block_size(array, Order::c)))
    return std::nullopt;
  return padded_copy_of(array, to_padded_vec(array));
}

}  // namespace

Target local_vec_target() {
  return {"petsc.local-vec", names::import_padded_vec, assess_local_vec, copy_for_local_vec,
          agree_on_local_vec};
}

}  // namespace daptor::petsc::detail
