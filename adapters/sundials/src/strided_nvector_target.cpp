// SPDX-License-Identifier: BSD-3-Clause
#include "counts.hpp"
#include "nvector_reasons.hpp"
#include "target_list.hpp"

namespace daptor::sundials::detail {
namespace {

LocalAssessment assess_strided(const Section& array, int /*process_count*/) {
  return {with_overlap(array, strided_all_but_overlap(array)), 0};
}

void agree_on_strided(const DistArray& array, Call& call) {
  count_owned(array, call.comm());
}

}  // namespace

Target strided_nvector_target() {
  return {"sundials.strided-nvector", Name{"daptor::sundials::import_strided_nvector"},
          assess_strided, copy_for_nvector, agree_on_strided};
}

}  // namespace daptor::sundials::detail
