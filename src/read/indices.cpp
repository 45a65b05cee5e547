// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "daptor/detail/bytes_past.hpp"
#include "read/section.hpp"

namespace daptor::parsing {
namespace {

/// Whether this integer type can represent the value.
bool holds(const DataType& type, Index value) {
  const bool is_signed = type.kind() == Kind::signed_integer;
  if (!is_signed && value < 0) return false;
  const auto bits = static_cast<int>(8 * type.itemsize()) - (is_signed ? 1 : 0);
  if (bits >= 63) return true;
  const Index limit = Index{1} << bits;
  return value < limit && value >= -limit;
}

/// The integers of a list, which must fit `type` if it is not null.
std::optional<IndexList> read_sequence(const Sequence& sequence, const DataType* type,
                                       const ListRules& rules, Findings& findings) {
  std::vector<Index> indices;
  indices.reserve(sequence.items.size());
  for (const Value& item : sequence.items) {
    const auto* integer = item.as<Integer>();
    if (item.as<Sequence>() != nullptr) {
      findings.add(rules.shape, rules.key, "a sequence of sequences", "a one-dimensional sequence");
      return std::nullopt;
    }
    if (integer == nullptr || !integer->fits) {
      findings.add(rules.type, rules.key, item.text(), "integers that fit in 64 bits");
      return std::nullopt;
    }
    if (type != nullptr && !holds(*type, integer->value)) {
      findings.add(rules.type, rules.key, item.text(), "integers that fit in " + type->name());
      return std::nullopt;
    }
    indices.push_back(integer->value);
  }
  return IndexList(std::move(indices));
}

/// The integer whose bytes begin at `source`; `nullopt` if it does not fit in 64 signed bits.
std::optional<Index> load(const char* source, const DataType& type) {
  const std::size_t size = type.itemsize();
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t at = type.byte_order() == ByteOrder::big ? k : size - 1 - k;
    bits = bits << 8 | static_cast<unsigned char>(source[at]);
  }
  const bool is_signed = type.kind() == Kind::signed_integer;
  const auto unused = static_cast<int>(64 - 8 * size);
  const bool negative = is_signed && (bits >> (63 - unused)) != 0;
  if (negative && unused > 0) bits |= ~std::uint64_t{0} << (64 - unused);
  if (!is_signed && bits > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<Index>(bits);
}

/// Copies the buffer's indices to a list of 64-bit integers.
std::optional<IndexList> convert(const Buffer& buffer, const ListRules& rules, Findings& findings) {
  const Index count = buffer.local_count();
  const auto* first = static_cast<const char*>(buffer.data());
  try {
    std::vector<Index> indices;
    indices.reserve(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
      const auto index = load(first + i * buffer.byte_strides()[0], buffer.type());
      if (!index) {
        findings.add(rules.type, rules.key, "an index beyond 2^63 - 1",
                     "integers that fit in 64 bits");
        return std::nullopt;
      }
      indices.push_back(*index);
    }
    return IndexList(std::move(indices));
  } catch (const std::exception&) {
    // bad_alloc or length_error: the producer chose the length.
    findings.add(rules.type, rules.key,
                 std::to_string(count) + " indices, which do not fit in memory",
                 "the indices of this process",
                 "Pass contiguous 64-bit integers: they are used without a copy.");
  }
  return std::nullopt;
}

bool is_integer(const DataType& type) {
  return type.kind() == Kind::signed_integer || type.kind() == Kind::unsigned_integer;
}

std::optional<IndexList> read_buffer(const RawBuffer& raw, const ListRules& rules,
                                     Findings& findings) {
  const auto type = DataType::from_format(raw.format);
  if (!type || !is_integer(*type)) {
    findings.add(rules.type, rules.key, "elements of format " + Value(raw.format).text(),
                 "integers");
    return std::nullopt;
  }
  if (raw.shape.size() != 1) {
    findings.add(rules.shape, rules.key, std::to_string(raw.shape.size()) + " dimensions",
                 "a one-dimensional buffer");
    return std::nullopt;
  }
  Report report;
  const auto buffer = check_buffer(raw, report);
  if (!buffer) {
    const Finding& finding = report.findings().front();
    findings.add(rules.type, rules.key, finding.found, finding.expected);
    return std::nullopt;
  }
  if (!buffer->has_memory()) {
    findings.add(rules.type, rules.key, "a buffer without memory",
                 "a buffer of integers with memory");
    return std::nullopt;
  }
  if (!buffer->space().host()) {
    findings.add(rules.type, rules.key, "a buffer in memory of a device",
                 "indices that the host can read");
    return std::nullopt;
  }
  const Index count = buffer->local_count();
  if (count > 1 && buffer->byte_strides()[0] == 0) {
    findings.add(rules.repeated, rules.key,
                 "a stride of 0: one index for all " + std::to_string(count) + " elements",
                 "a different index for each element");
    return std::nullopt;
  }
  const bool aligned = daptor::detail::bytes_past(raw.data, alignof(Index)) == 0;
  if (*type == DataType::of<Index>() && aligned && buffer->contiguous(Order::c))
    return IndexList(raw.state, static_cast<const Index*>(raw.data), count);
  return convert(*buffer, rules, findings);
}

}  // namespace

std::optional<IndexList> parse_list(const Value& value, const ListRules& rules,
                                    Findings& findings) {
  if (const RawBuffer* raw = value.buffer()) return read_buffer(*raw, rules, findings);
  if (const auto* sequence = value.as<Sequence>()) {
    if (rules.no_buffer != nullptr)
      findings.add(rules.no_buffer, rules.key, sequence->tuple ? "a tuple" : "a list",
                   "a buffer of integers");
    return read_sequence(*sequence, nullptr, rules, findings);
  }
  // A list with an element type: {"dtype": ..., "values": [...]}.
  if (const auto* map = value.as<Dictionary>()) {
    const Value* spelled = map->find("dtype");
    const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
    const auto type = text != nullptr ? DataType::from_typestr(*text) : std::nullopt;
    const Value* values = map->find("values");
    const auto* sequence = values != nullptr ? values->as<Sequence>() : nullptr;
    if (type && is_integer(*type) && sequence != nullptr)
      return read_sequence(*sequence, &*type, rules, findings);
    if (type && !is_integer(*type)) {
      findings.add(rules.type, rules.key, "elements of type " + type->name(), "integers");
      return std::nullopt;
    }
  }
  findings.add(rules.type, rules.key, value.text(), "a buffer of integers",
               remedy_of_masked(value));
  return std::nullopt;
}

}  // namespace daptor::parsing
