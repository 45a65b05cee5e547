// SPDX-License-Identifier: BSD-3-Clause
#include "typed_indices.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "daptor/datatype.hpp"

namespace daptor::json {
namespace {

bool is_integer(const DataType& type) {
  return type.kind() == Kind::signed_integer || type.kind() == Kind::unsigned_integer;
}

/// The shift of the value that gives byte `i` of `size` bytes in memory.
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

/// Whether the buffer has elements of the type in one dimension, which can be read here.
bool is_line(const RawBuffer& raw, const DataType& type) {
  return raw.shape.size() == 1 && raw.shape[0] >= 0 && (raw.data != nullptr || raw.shape[0] == 0) &&
         raw.space.host() && (!raw.has_strides || raw.byte_strides.size() == 1) &&
         raw.itemsize == static_cast<std::int64_t>(type.itemsize());
}

template <class T>
RawBuffer owning_buffer(const DataType& type, std::vector<T> elements) {
  const auto memory = std::make_shared<std::vector<T>>(std::move(elements));
  RawBuffer raw;
  raw.format = type.format();
  raw.itemsize = static_cast<std::int64_t>(type.itemsize());
  raw.shape = {static_cast<std::int64_t>(memory->size() * sizeof(T) / type.itemsize())};
  raw.data = memory->data();
  raw.readonly = true;
  raw.state = plain_memory(memory);
  return raw;
}

}  // namespace

RawBuffer integer_buffer(std::vector<std::int64_t> integers) {
  return owning_buffer(DataType::of<std::int64_t>(), std::move(integers));
}

std::optional<RawBuffer> typed_indices(const Dictionary& map) {
  const Value* spelled = map.find("dtype");
  const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
  const auto type = text != nullptr ? DataType::from_typestr(*text) : std::nullopt;
  const Value* values = map.find("values");
  const RawBuffer* list = values != nullptr ? values->buffer() : nullptr;
  if (!type || !is_integer(*type) || list == nullptr) return std::nullopt;
  if (*type == DataType::of<std::int64_t>()) return *list;
  const auto* integers = static_cast<const std::int64_t*>(list->data);
  const auto count = static_cast<std::size_t>(list->shape[0]);
  std::vector<unsigned char> bytes(count * type->itemsize());
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char* const item = bytes.data() + i * type->itemsize();
    put(*type, integers[i], item);
    if (get(*type, item) != integers[i]) return std::nullopt;  // it does not fit
  }
  return owning_buffer(*type, std::move(bytes));
}

bool has_list(const std::string& key) {
  return key == "indices" || key == "owned";
}

std::optional<std::vector<bool>> read_mask(const RawBuffer& raw) {
  const auto type = DataType::from_format(raw.format);
  if (!type || type->kind() != Kind::boolean || !is_line(raw, *type)) return std::nullopt;
  const std::int64_t stride = raw.has_strides ? raw.byte_strides[0] : raw.itemsize;
  std::vector<bool> mask;
  for (std::int64_t i = 0; i < raw.shape[0]; ++i)
    mask.push_back(static_cast<const char*>(raw.data)[i * stride] != 0);
  return mask;
}

std::optional<std::vector<std::int64_t>> read_integers(const RawBuffer& raw) {
  const auto type = DataType::from_format(raw.format);
  if (!type || !is_integer(*type) || !is_line(raw, *type)) return std::nullopt;
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
