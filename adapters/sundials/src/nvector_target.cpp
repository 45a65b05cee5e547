// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include <sundials/sundials_types.h>

#include "counts.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/layout.hpp"
#include "nvector_reasons.hpp"
#include "target_list.hpp"

namespace daptor::sundials::detail {
namespace {

LocalAssessment assess_nvector(const Section& array, int /*process_count*/) {
  return {with_overlap(array, all_but_overlap(array)), 0};
}

void agree_on_nvector(const DistArray& array, Call& call) {
  call.check([&] { return say_order(array, call); }).require_one(array);
  count_owned(array, call.comm());
}

}  // namespace

std::optional<TargetCopy> copy_for_nvector(const Section& array, const CopyRequest& request) {
  if (array.ndim() == 0 || array.type() != DataType::of<sunrealtype>() ||
      !array.buffer().space().host())
    return std::nullopt;
  return copy_of(array, adapter::copy_to_blocks(array), request, layout::blocks());
}

Target nvector_target() {
  return {"sundials.nvector", Name{"daptor::sundials::import_nvector"}, assess_nvector,
          copy_for_nvector, agree_on_nvector};
}

}  // namespace daptor::sundials::detail
