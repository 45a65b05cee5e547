#include "typed_indices.hpp"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/datatype.hpp"

namespace daptor::json {
namespace {

bool is_integer(const DataType& type) {
  return type.kind() == Kind::signed_integer || type.kind() == Kind::unsigned_integer;
}

bool holds(const DataType& type, std::int64_t value) {
  const bool is_signed = type.kind() == Kind::signed_integer;
  if (!is_signed && value < 0) return false;
  const auto bits = static_cast<int>(8 * type.itemsize()) - (is_signed ? 1 : 0);
  if (bits >= 63) return true;
  const std::int64_t limit = std::int64_t{1} << bits;
  return value < limit && (!is_signed || value >= -limit);
}

/// Byte `i` of `size` in memory, as a shift of the value.
int shift_of(std::size_t i, std::size_t size, ByteOrder order) {
  return static_cast<int>(8 * (order == ByteOrder::little ? i : size - 1 - i));
}

void put(const DataType& type, std::int64_t value, unsigned char* bytes) {
  const auto bits = static_cast<std::uint64_t>(value);
  for (std::size_t i = 0; i < type.itemsize(); ++i)
    bytes[i] = static_cast<unsigned char>(bits >> shift_of(i, type.itemsize(), type.byte_order()));
}

std::optional<std::int64_t> get(const DataType& type, const unsigned char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type.itemsize(); ++i)
    bits |= static_cast<std::uint64_t>(bytes[i]) << shift_of(i, type.itemsize(), type.byte_order());
  const bool is_signed = type.kind() == Kind::signed_integer;
  const auto width = static_cast<int>(8 * type.itemsize());
  const bool top = (bits >> (width - 1)) != 0;
  if (is_signed && top && width < 64) bits |= ~std::uint64_t{0} << width;
  if (!is_signed && top && width == 64) return std::nullopt;
  return static_cast<std::int64_t>(bits);
}

}  // namespace

std::optional<RawBuffer> typed_indices(const Map& map) {
  const Value* spelled = map.find("dtype");
  const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
  const auto type = text != nullptr ? DataType::from_typestr(*text) : std::nullopt;
  const Value* values = map.find("values");
  const auto* sequence = values != nullptr ? values->as<Sequence>() : nullptr;
  if (!type || !is_integer(*type) || sequence == nullptr) return std::nullopt;
  const auto memory = std::make_shared<std::vector<unsigned char>>();
  memory->resize(sequence->items.size() * type->itemsize());
  unsigned char* next = memory->data();
  for (const Value& item : sequence->items) {
    const auto* integer = item.as<Integer>();
    if (integer == nullptr || !integer->fits || !holds(*type, integer->value)) return std::nullopt;
    put(*type, integer->value, next);
    next += type->itemsize();
  }
  RawBuffer raw;
  raw.format = type->format();
  raw.itemsize = static_cast<std::int64_t>(type->itemsize());
  raw.shape = {static_cast<std::int64_t>(sequence->items.size())};
  raw.data = memory->data();
  raw.readonly = true;
  raw.state = plain_memory(memory);
  return raw;
}

std::optional<std::vector<std::int64_t>> read_integers(const RawBuffer& raw) {
  const auto type = DataType::from_format(raw.format);
  const bool readable = type && is_integer(*type) && raw.shape.size() == 1 && raw.shape[0] >= 0 &&
                        (raw.data != nullptr || raw.shape[0] == 0) && raw.space.host() &&
                        (!raw.has_strides || raw.byte_strides.size() == 1) &&
                        raw.itemsize == static_cast<std::int64_t>(type->itemsize());
  if (!readable) return std::nullopt;
  const std::int64_t stride = raw.has_strides ? raw.byte_strides[0] : raw.itemsize;
  const auto* next = static_cast<const unsigned char*>(raw.data);
  std::vector<std::int64_t> integers;
  integers.reserve(static_cast<std::size_t>(raw.shape[0]));
  for (std::int64_t i = 0; i < raw.shape[0]; ++i) {
    const auto value = get(*type, next + i * stride);
    if (!value) return std::nullopt;
    integers.push_back(*value);
  }
  return integers;
}

}  // namespace daptor::json
