// SPDX-License-Identifier: BSD-3-Clause
#include "descriptions/write.hpp"

#include <memory>
#include <utility>

#include "arrays/buffer_protocol.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"

namespace daptor::python {
namespace {

/// None for a description without memory, which has no buffer that Python could expose.
py::object buffer_of(const RawBuffer& raw) {
  const auto type = *DataType::from_format(raw.format);
  Buffer buffer(
      type, raw.shape,
      raw.has_strides ? raw.byte_strides : contiguous_strides(raw.shape, type.itemsize(), Order::c),
      raw.data, raw.readonly, raw.state);
  return buffer.has_memory() ? memory_object(std::move(buffer)) : py::none();
}

py::object to_python(const Value& value) {
  if (const auto* truth = value.as<bool>()) return py::bool_(*truth);
  if (const auto* integer = value.as<Integer>()) return py::int_(integer->value);
  if (const auto* text = value.as<std::string>()) return py::str(*text);
  if (const RawBuffer* raw = value.buffer()) return buffer_of(*raw);
  if (const auto* map = value.as<Dictionary>()) {
    py::dict result;
    for (const auto& [key, item] : map->items) result[py::str(key)] = to_python(item);
    return result;
  }
  if (const auto* sequence = value.as<Sequence>()) {
    py::tuple result(sequence->items.size());
    for (std::size_t i = 0; i < sequence->items.size(); ++i)
      result[i] = to_python(sequence->items[i]);
    return result;
  }
  return py::none();
}

Version version_of(const Section& array, const std::optional<std::string>& text) {
  if (!text) return array.version();
  const auto version = Version::parse(*text);
  if (!version)
    throw InvalidArgument("version", '"' + *text + '"', "text of the form 'major.minor.patch'");
  return *version;
}

}  // namespace

py::dict write(const Section& array, const std::optional<std::string>& version) {
  return to_python(to_value(array, version_of(array, version)));
}

py::tuple write_dimensions(const std::vector<Dimension>& dimensions) {
  const Section array = describe(DataType::of<char>(), nullptr, dimensions);
  const Value value = to_value(array);
  return to_python(*value.as<Dictionary>()->find("dim_data"));
}

}  // namespace daptor::python
