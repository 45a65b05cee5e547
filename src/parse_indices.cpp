#include <cstring>
#include <type_traits>

#include "parse_section.hpp"

namespace daptor::parsing {
namespace {

/// Whether an element of this integer type can have the value.
bool holds(const DataType& type, Index value) {
  const bool is_signed = type.kind() == Kind::signed_integer;
  if (!is_signed && value < 0) return false;
  const auto bits = static_cast<int>(8 * type.itemsize()) - (is_signed ? 1 : 0);
  if (bits >= 63) return true;
  const Index limit = Index{1} << bits;
  return value < limit && value >= -limit;
}

/// Integers of a list; of this type, where one is given.
std::optional<IndexList> read_sequence(const Sequence& sequence, const DataType* type,
                                       Findings& findings) {
  std::vector<Index> indices;
  indices.reserve(sequence.items.size());
  for (const Value& item : sequence.items) {
    const auto* integer = item.as<Integer>();
    if (item.as<Sequence>() != nullptr) {
      findings.add("U03", "indices", "a sequence of sequences", "one dimension");
      return std::nullopt;
    }
    if (integer == nullptr || !integer->fits) {
      findings.add("U02", "indices", item.text(), "integers of 64 bits");
      return std::nullopt;
    }
    if (type != nullptr && !holds(*type, integer->value)) {
      findings.add("U02", "indices", item.text(), "integers that " + type->name() + " holds");
      return std::nullopt;
    }
    indices.push_back(integer->value);
  }
  return IndexList(std::move(indices));
}

template <class T>
bool convert_indices(const RawBuffer& raw, Index stride, bool swapped, std::vector<Index>& out) {
  const char* source = static_cast<const char*>(raw.data);
  for (Index i = 0; i < raw.shape[0]; ++i, source += stride) {
    char bytes[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes[k] = source[swapped ? sizeof(T) - 1 - k : k];
    T index;
    std::memcpy(&index, bytes, sizeof(T));
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (index > static_cast<std::uint64_t>(INT64_MAX)) return false;
    }
    out.push_back(static_cast<Index>(index));
  }
  return true;
}

/// True where every index fits 64 signed bits.
bool copy_indices(const RawBuffer& raw, const DataType& type, Index stride,
                  std::vector<Index>& out) {
  const bool is_signed = type.kind() == Kind::signed_integer;
  const bool swapped = !type.native();
  switch (type.itemsize()) {
    case 1:
      return is_signed ? convert_indices<std::int8_t>(raw, stride, swapped, out)
                       : convert_indices<std::uint8_t>(raw, stride, swapped, out);
    case 2:
      return is_signed ? convert_indices<std::int16_t>(raw, stride, swapped, out)
                       : convert_indices<std::uint16_t>(raw, stride, swapped, out);
    case 4:
      return is_signed ? convert_indices<std::int32_t>(raw, stride, swapped, out)
                       : convert_indices<std::uint32_t>(raw, stride, swapped, out);
    default:
      return is_signed ? convert_indices<std::int64_t>(raw, stride, swapped, out)
                       : convert_indices<std::uint64_t>(raw, stride, swapped, out);
  }
}

std::optional<IndexList> read_buffer(const RawBuffer& raw, Findings& findings) {
  const auto type = DataType::from_format(raw.format);
  const bool integers =
      type && (type->kind() == Kind::signed_integer || type->kind() == Kind::unsigned_integer);
  if (!integers || raw.itemsize != static_cast<std::int64_t>(type->itemsize())) {
    findings.add("U02", "indices", "elements of format " + Value(raw.format).text(), "integers");
    return std::nullopt;
  }
  if (raw.shape.size() != 1 || raw.shape[0] < 0 ||
      (raw.has_strides && raw.byte_strides.size() != 1)) {
    findings.add("U03", "indices", std::to_string(raw.shape.size()) + " dimensions",
                 "one dimension");
    return std::nullopt;
  }
  if (raw.data == nullptr && raw.shape[0] > 0) {
    findings.add("U02", "indices", "a buffer without memory", "a buffer of integers");
    return std::nullopt;
  }
  if (!raw.space.host()) {
    findings.add("U02", "indices", "a buffer outside the host's memory",
                 "indices that the host can read");
    return std::nullopt;
  }
  const Index stride = raw.has_strides ? raw.byte_strides[0] : raw.itemsize;
  const auto address = reinterpret_cast<std::uintptr_t>(raw.data);
  if (*type == DataType::of<Index>() && (stride == raw.itemsize || raw.shape[0] <= 1) &&
      address % alignof(Index) == 0)
    return IndexList(raw.state, static_cast<const Index*>(raw.data), raw.shape[0]);
  std::vector<Index> indices;
  indices.reserve(static_cast<std::size_t>(raw.shape[0]));
  if (!copy_indices(raw, *type, stride, indices)) {
    findings.add("U02", "indices", "an index beyond 2^63 - 1", "integers of 64 bits");
    return std::nullopt;
  }
  return IndexList(std::move(indices));
}

}  // namespace

std::optional<IndexList> parse_indices(const Value& value, Findings& findings) {
  if (const RawBuffer* raw = value.buffer()) return read_buffer(*raw, findings);
  if (const auto* sequence = value.as<Sequence>()) {
    findings.add("A10", "indices", sequence->tuple ? "a tuple" : "a list", "a buffer of integers",
                 Severity::warning);
    return read_sequence(*sequence, nullptr, findings);
  }
  // A typed list: {"dtype": ..., "values": [...]}.
  if (const auto* map = value.as<Map>()) {
    const Value* spelled = map->find("dtype");
    const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
    const auto type = text != nullptr ? DataType::from_typestr(*text) : std::nullopt;
    const Value* values = map->find("values");
    const auto* sequence = values != nullptr ? values->as<Sequence>() : nullptr;
    const bool integers =
        type && (type->kind() == Kind::signed_integer || type->kind() == Kind::unsigned_integer);
    if (integers && sequence != nullptr) return read_sequence(*sequence, &*type, findings);
    if (type && !integers) {
      findings.add("U02", "indices", "elements of type " + type->name(), "integers");
      return std::nullopt;
    }
  }
  findings.add("U02", "indices", value.text(), "a buffer of integers");
  return std::nullopt;
}

}  // namespace daptor::parsing
