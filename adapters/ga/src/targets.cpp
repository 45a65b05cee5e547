// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/ga/targets.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "array_reasons.hpp"
#include "copy_form.hpp"
#include "daptor/builders.hpp"
#include "daptor/explain.hpp"
#include "names.hpp"

namespace daptor::ga {
namespace {

LocalAssessment assess_array(const Section& array, int /*process_count*/) {
  return {detail::array_reasons(array), 0};
}

/// The division that copy_to_array makes, without ghost cells.
std::optional<TargetCopy> copy_for_array(const Section& array, const CopyRequest& /*request*/) {
  if (!detail::copy_reasons(array).empty()) return std::nullopt;
  if (detail::becomes_cyclic(array) && !detail::numbered_as_all()) return std::nullopt;
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < array.dimensions().size(); ++d) {
    const Dimension& along = array.dimensions()[d];
    const auto* blocks = along.as<Block>();
    if (detail::becomes_cyclic(array)) {
      const adapter::BlockCyclicForm form = detail::cyclic_form(array, d);
      dimensions.push_back(cyclic(form.size, form.grid, form.block));
    } else if (blocks != nullptr) {
      dimensions.push_back(block(along.global_size(), blocks->grid, blocks->owned));
    } else {
      dimensions.push_back(undistributed(along.global_size()));
    }
  }
  return copy_of(array, detail::to_array(), std::move(dimensions));
}

}  // namespace

bool register_targets() {
  register_target(
      {"ga.array", names::import_array, assess_array, copy_for_array, detail::agree_on_array});
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::ga
