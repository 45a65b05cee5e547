// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/error.hpp"
#include "daptor/value.hpp"
#include "read/section.hpp"
#include "section/element_format.hpp"

namespace daptor::parsing {
namespace {

/// The integers of a sequence; `nullopt`, with a finding, if one of its items is not an integer of
/// 64 bits.
std::optional<std::vector<Index>> parse_integers(const Value& value, const char* key,
                                                 Findings& findings) {
  const auto* sequence = value.as<Sequence>();
  if (sequence == nullptr) {
    findings.add("T09", key, value.text(), "a sequence of integers");
    return std::nullopt;
  }
  std::vector<Index> integers;
  for (const Value& item : sequence->items) {
    const auto* integer = item.as<Integer>();
    if (integer == nullptr || !integer->fits) {
      findings.add("T09", key, item.text(), "integers that fit in 64 bits");
      return std::nullopt;
    }
    integers.push_back(integer->value);
  }
  return integers;
}

constexpr const char* element_types = "booleans, integers, floating or complex numbers";

/// Reads the element type under the key `dtype` (NumPy's notation) or `format` (PEP 3118).
std::optional<DataType> read_type(const Dictionary& map, Findings& findings) {
  const Value* spelled = map.find("dtype");
  const char* const key = spelled != nullptr ? "dtype" : "format";
  const bool numpy = spelled != nullptr;
  if (!numpy) spelled = map.find("format");
  const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
  std::optional<DataType> type;
  if (text != nullptr) type = numpy ? DataType::from_typestr(*text) : DataType::from_format(*text);
  if (type) return type;
  const bool sound =
      text != nullptr && (numpy ? detail::is_typestr(*text) : detail::is_buffer_format(*text));
  if (sound) {
    findings.add(rule_unsupported_elements, key, "elements of type " + spelled->text(),
                 element_types);
  } else {
    findings.add("T09", key, spelled != nullptr ? spelled->text() : "no such key",
                 std::string("an element type of ") + element_types);
  }
  return std::nullopt;
}

/// True if the key is present and not null: JSON's null and Python's None count as absent.
bool given(const Value* value) {
  if (value == nullptr) return false;
  const auto* foreign = value->as<Foreign>();
  return foreign == nullptr || (foreign->type_name != "null" && foreign->type_name != "NoneType");
}

/// A buffer without memory, as a JSON file describes it.
std::optional<RawBuffer> read_described(const Dictionary& map, Findings& findings) {
  const auto type = read_type(map, findings);
  if (!type) return std::nullopt;
  RawBuffer raw;
  raw.format = type->format();
  raw.itemsize = static_cast<std::int64_t>(type->itemsize());
  const Value* shape = map.find("shape");
  if (shape == nullptr) {
    findings.add("T09", "shape", "no such key", "a sequence of integers");
    return std::nullopt;
  }
  auto extents = parse_integers(*shape, "shape", findings);
  if (!extents) return std::nullopt;
  raw.shape = *std::move(extents);
  if (const Value* strides = map.find("strides"); given(strides)) {
    auto list = parse_integers(*strides, "strides", findings);
    if (!list) return std::nullopt;
    raw.byte_strides = *std::move(list);
    raw.has_strides = true;
  }
  if (const Value* readonly = map.find("readonly")) {
    if (readonly->as<bool>() == nullptr) {
      findings.add("T09", "readonly", readonly->text(), "true or false");
      return std::nullopt;
    }
    raw.readonly = *readonly->as<bool>();
  }
  return raw;
}

}  // namespace

std::string remedy_of_masked(const Value& value) {
  const auto* foreign = value.as<Foreign>();
  if (foreign == nullptr || foreign->type_name != "numpy.ma.MaskedArray") return "";
  return std::string("The mask would be lost. ") + detail::masked_remedy;
}

std::optional<Buffer> check_buffer(const RawBuffer& raw, Report& report) {
  Findings findings(report, -1);
  const auto type = DataType::from_format(raw.format);
  if (!type && detail::is_buffer_format(raw.format)) {
    findings.add(rule_unsupported_elements, "buffer",
                 "elements of format " + Value(raw.format).text(), element_types);
    return std::nullopt;
  }
  if (!type) {
    findings.add("T09", "buffer", "format " + Value(raw.format).text(), "a format of PEP 3118");
    return std::nullopt;
  }
  if (raw.itemsize != static_cast<std::int64_t>(type->itemsize())) {
    findings.add("T09", "buffer",
                 "itemsize " + std::to_string(raw.itemsize) + " for format \"" + raw.format + '"',
                 "itemsize " + std::to_string(type->itemsize()));
    return std::nullopt;
  }
  try {
    std::vector<Index> strides = raw.has_strides
                                     ? raw.byte_strides
                                     : contiguous_strides(raw.shape, type->itemsize(), Order::c);
    return Buffer(*type, raw.shape, std::move(strides), raw.data, raw.readonly, raw.state,
                  raw.space);
  } catch (const Malformed& error) {
    report.append(error.report());
  }
  return std::nullopt;
}

std::optional<Buffer> parse_buffer(const Value& value, Report& report) {
  Findings findings(report, -1);
  if (const RawBuffer* raw = value.buffer()) return check_buffer(*raw, report);
  if (const auto* map = value.as<Dictionary>()) {
    const auto raw = read_described(*map, findings);
    return raw ? check_buffer(*raw, report) : std::nullopt;
  }
  findings.add("T09", "buffer", value.text(), "an object with the PEP 3118 buffer protocol",
               remedy_of_masked(value));
  return std::nullopt;
}

}  // namespace daptor::parsing
