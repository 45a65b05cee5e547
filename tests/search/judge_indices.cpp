// SPDX-License-Identifier: BSD-3-Clause
#include "judge_indices.hpp"

#include <string>

#include "element_types.hpp"
#include "judge_memory.hpp"

namespace daptor::search {
namespace {

bool fits(const std::string& type, Wide index) {
  if (type.empty()) return true;
  const auto bits = 8 * bytes_of(type);
  const Wide one = 1;
  if (type[0] == 'u') return index >= 0 && index < (one << bits);
  return index >= -(one << (bits - 1)) && index < (one << (bits - 1));
}

/// The first rule that is broken, or null.
const char* read_list(const Sequence& sequence, const std::string& type,
                      std::vector<std::int64_t>& indices) {
  for (const Value& item : sequence.items) {
    if (item.as<Sequence>() != nullptr) return "U03";
    const auto index = whole(&item);
    if (!index || !fits(type, *index)) return "U02";
    indices.push_back(*index);
  }
  return nullptr;
}

const char* read_index_buffer(const RawBuffer& raw, std::vector<std::int64_t>& indices) {
  const std::string type = type_of_format(raw.format);
  if (type.empty() || (type[0] != 'i' && type[0] != 'u')) return "U02";
  if (raw.shape.size() != 1) return "U03";
  const std::int64_t count = raw.shape[0];
  const std::int64_t size = bytes_of(type);
  if (raw.itemsize != size || count < 0 || (raw.has_strides && raw.byte_strides.size() != 1))
    return "U02";
  const std::int64_t stride = raw.has_strides ? raw.byte_strides[0] : size;
  if (Wide{count} * size > int64_max || (count > 0 && reach({count}, {stride}, size) > int64_max))
    return "U02";
  if ((raw.data == nullptr && count > 0) || raw.space.device_type != 1) return "U02";
  if (count > 1 && stride == 0) return "U04";
  for (std::int64_t i = 0; i < count; ++i) {
    const auto* bytes = static_cast<const unsigned char*>(raw.data) + i * stride;
    Wide index = 0;
    for (std::int64_t k = 0; k < size; ++k)
      index = index * 256 + bytes[type.back() == '>' ? k : size - 1 - k];
    const Wide one = 1;
    if (type[0] == 'i' && index >= (one << (8 * size - 1))) index -= one << (8 * size);
    if (index > int64_max) return "U02";
    indices.push_back(static_cast<std::int64_t>(index));
  }
  return nullptr;
}

}  // namespace

bool judge_indices(const Value* value, const DimensionFindings& findings,
                   std::vector<std::int64_t>& indices) {
  if (value == nullptr) {
    findings.add("U01", Level::form);
    return false;
  }
  const char* rule = nullptr;
  if (const auto* sequence = value->as<Sequence>()) {
    findings.add("A10", Level::form, Severity::warning);
    rule = read_list(*sequence, "", indices);
  } else if (const RawBuffer* raw = value->buffer()) {
    rule = read_index_buffer(*raw, indices);
  } else {
    const auto* map = value->as<Dictionary>();
    const Value* dtype = map != nullptr ? look_up(*map, "dtype") : nullptr;
    const Value* values = map != nullptr ? look_up(*map, "values") : nullptr;
    const auto* text = dtype != nullptr ? dtype->as<std::string>() : nullptr;
    const std::string type = text != nullptr ? type_of_typestr(*text) : "";
    const auto* list = values != nullptr ? values->as<Sequence>() : nullptr;
    const bool typed = list != nullptr && !type.empty() && (type[0] == 'i' || type[0] == 'u');
    rule = typed ? read_list(*list, type, indices) : "U02";
  }
  if (rule != nullptr) findings.add(rule, Level::form);
  return rule == nullptr;
}

}  // namespace daptor::search
