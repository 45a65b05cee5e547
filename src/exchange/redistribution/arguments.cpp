// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "communication/hash.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "exchange/convert.hpp"
#include "exchange/open_arrays.hpp"

namespace daptor::detail {
namespace {

/// A hash of 60 bits that distinguishes different transforms.
std::int64_t code_of(const Transform& transform) {
  std::uint64_t hash = extend(0, transform.conjugate ? 1 : 0);
  for (const double part : {transform.scale.real(), transform.scale.imag(), transform.keep.real(),
                            transform.keep.imag()}) {
    std::int64_t bits = 0;
    const double value = part == 0 ? 0 : part;  // positive and negative zero count as equal
    std::memcpy(&bits, &value, sizeof bits);
    hash = extend(hash, bits);
  }
  return static_cast<std::int64_t>(hash >> 4);
}

}  // namespace

void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets) {
  for (const DistArray& source : sources) require_host(source, redistribution_wording);
  for (const DistArray& target : targets) require_target(target, redistribution_wording);
  if (any_share_memory(sources, targets))
    adapter::refuse_argument("redistribute.memory", "a target that overlaps a source in memory",
                             "separate memory for every target",
                             "Redistribute to a new array, made by daptor::like, and use that.");
  require_apart(targets, redistribution_wording);
  OpenArrays().open(sources, targets);
}

void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets) {
  require_one_layout(sources, redistribution_wording);
  require_one_layout(targets, redistribution_wording);
  require_memory(sources, targets);
}

void require_types(const Outline& source, const Outline& target, bool convert) {
  if (source.arrays != target.arrays || source.arrays == 0)
    adapter::refuse_argument(
        "redistribute.batch",
        std::to_string(source.arrays) + " sources, " + std::to_string(target.arrays) + " targets",
        "one target for each source, and at least one source");
  if (source.type == target.type) return;
  const std::string found =
      "a source of " + source.type.name() + ", a target of " + target.type.name();
  if (!convert)
    adapter::refuse_argument("redistribute.type", found, "the same element type",
                             "Set the option convert to convert elements to the target's type.");
  if (!converts(source.type, target.type))
    adapter::refuse_argument(
        "redistribute.type", found, "a target type to which NumPy's 'same_kind' casting converts",
        adapter::remedy_for_type(source.type, adapter::remedy_for_type(target.type, "")));
}

OptionWords option_words(const RedistributionOptions& options, const Transform* transform,
                         std::size_t sources, std::size_t targets) {
  const std::int64_t flags = (options.fill_padding ? 1 : 0) + (options.read_from_any ? 2 : 0) +
                             (options.convert ? 4 : 0) +
                             8 * (transform != nullptr ? code_of(*transform) : 0);
  const auto arrays = static_cast<std::int64_t>(std::max(sources, targets));
  // A process without arrays accepts the number of the others.
  const std::int64_t fewest = arrays > 0 ? arrays : std::numeric_limits<std::int64_t>::max();
  return {
      flags,  adapter::falling(flags), options.buffer_bytes, adapter::falling(options.buffer_bytes),
      fewest, adapter::falling(arrays)};
}

void require_same_options(const OptionWords& least, const RedistributionOptions& options,
                          const Transform* transform) {
  if (!adapter::same_on_all(least[0], least[1]) || !adapter::same_on_all(least[2], least[3]))
    adapter::refuse_argument("redistribute.options",
                             transform == nullptr
                                 ? "options that differ between ranks"
                                 : "options or a transform that differ between ranks",
                             "the same options on all ranks");
  const std::int64_t most = adapter::greatest(least[5]);
  if (least[4] != most && most > 0)
    adapter::refuse_argument(
        "redistribute.batch",
        "from " + std::to_string(least[4]) + " to " + std::to_string(most) + " arrays",
        "the same number of arrays on all ranks");
  if (options.buffer_bytes < 0)
    adapter::refuse_argument("redistribute.options",
                             std::to_string(options.buffer_bytes) + " bytes", "0 bytes or more");
}

}  // namespace daptor::detail
