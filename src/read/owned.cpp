// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "read/section.hpp"

namespace daptor::parsing {
namespace {

constexpr const char* key = "owned";
constexpr const char* rule = "owned.positions";
constexpr ListRules positions_rules{key, rule, rule, rule, nullptr};

/// A list of bools; `nullopt` for anything else.
std::optional<std::vector<bool>> bools_of(const Sequence& sequence) {
  std::vector<bool> mask;
  for (const Value& item : sequence.items) {
    const auto* flag = item.as<bool>();
    if (flag == nullptr) return std::nullopt;
    mask.push_back(*flag);
  }
  return mask;
}

bool has_bools(const RawBuffer& raw) {
  const auto type = DataType::from_format(raw.format);
  return type && type->kind() == Kind::boolean && type->itemsize() == 1;
}

/// A buffer of bools of one dimension, or `nullopt` with a finding.
std::optional<std::vector<bool>> mask_of(const RawBuffer& raw, Findings& findings) {
  Report report;
  const auto buffer = check_buffer(raw, report);
  if (!buffer) {
    const Finding& finding = report.findings().front();
    findings.add(rule, key, finding.found, finding.expected);
    return std::nullopt;
  }
  if (raw.shape.size() != 1 || !buffer->has_memory() || !buffer->space().host()) {
    findings.add(rule, key, "a mask of " + std::to_string(raw.shape.size()) + " dimensions",
                 "a mask of one dimension in memory that the host can reach");
    return std::nullopt;
  }
  const auto* bytes = static_cast<const unsigned char*>(buffer->data());
  std::vector<bool> mask(static_cast<std::size_t>(buffer->local_count()));
  for (std::size_t i = 0; i < mask.size(); ++i)
    mask[i] = bytes[static_cast<Index>(i) * buffer->byte_strides()[0]] != 0;
  return mask;
}

std::optional<OwnedPart> part_of(const std::optional<std::vector<bool>>& mask, Index extent,
                                 Findings& findings) {
  if (!mask) return std::nullopt;
  const auto entries = static_cast<Index>(mask->size());
  if (entries == extent) return OwnedPart::where(*mask);
  findings.add(rule, key, "a mask of " + std::to_string(entries) + " entries",
               "one for each of the " + std::to_string(extent) + " indices");
  return std::nullopt;
}

}  // namespace

std::optional<OwnedPart> parse_owned(const Value& value, Index extent, Findings& findings) {
  if (const auto* count = value.as<Integer>(); count != nullptr && count->fits)
    return OwnedPart(count->value);
  const RawBuffer* const raw = value.buffer();
  if (raw != nullptr && has_bools(*raw)) return part_of(mask_of(*raw, findings), extent, findings);
  const auto* sequence = value.as<Sequence>();
  if (sequence != nullptr && !sequence->items.empty())
    if (auto mask = bools_of(*sequence)) return part_of(mask, extent, findings);
  if (raw == nullptr && sequence == nullptr && value.as<Dictionary>() == nullptr) {
    findings.add("owned.count", key, value.text(),
                 "a number of indices at the front of the list, their positions, or a mask");
    return std::nullopt;
  }
  auto positions = parse_list(value, positions_rules, findings);
  if (!positions) return std::nullopt;
  return OwnedPart::at(*std::move(positions));
}

}  // namespace daptor::parsing
