// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/arguments.hpp"

#include <algorithm>
#include <string>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "exchange/convert.hpp"
#include "exchange/open_arrays.hpp"

namespace daptor::detail {

void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                    bool through_host) {
  for (const auto* side : {&sources, &targets})
    for (const Section& array : *side)
      require_reachable(array, redistribution_wording, through_host);
  for (const Section& target : targets) require_separate(target, redistribution_wording);
  if (any_share_memory(sources, targets))
    adapter::refuse_argument("redistribute.memory", "a target that overlaps a source in memory",
                             "separate memory for every target", names::separate_target);
  require_apart(targets, redistribution_wording);
  OpenArrays().open(sources, targets);
}

void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                     bool through_host) {
  require_one_layout(sources, redistribution_wording);
  require_one_layout(targets, redistribution_wording);
  require_memory(sources, targets, through_host);
}

void require_types(const Outline& source, const Outline& target, bool convert) {
  if (source.arrays != target.arrays || source.arrays == 0)
    adapter::refuse_argument(
        "redistribute.batch",
        std::to_string(source.arrays) + " sources, " + std::to_string(target.arrays) + " targets",
        "one target for each source, and at least one source");
  if (source.type == target.type) return;
  const Terms found = "a source of " + source.type.name() + ", a target of " + target.type.name();
  if (!convert && converts(source.type, target.type))
    adapter::refuse_argument(
        "redistribute.type", found, "the same element type",
        terms::set_option("convert") + " to convert elements to the target's type.");
  adapter::require_conversion(source.type, target.type);
}

}  // namespace daptor::detail
