// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays/array.hpp"
#include "arrays/buffer_protocol.hpp"
#include "bindings.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "devices/dlpack.hpp"

namespace daptor::python {
namespace {

constexpr const char* cuda_interface = "__cuda_array_interface__";

[[noreturn]] void not_taken(const std::string& found, const std::string& expected) {
  throw InvalidArgument("array", std::string(cuda_interface) + " with " + found, expected);
}

/// An entry of the interface; None if it is missing.
py::object entry(const py::dict& interface, const char* key) {
  return interface.contains(key) ? py::object(interface[key]) : py::object(py::none());
}

/// The entry as a C++ type. Throws InvalidArgument if it is none.
template <class T>
T required(const py::dict& interface, const char* key, const char* expected) {
  try {
    return py::cast<T>(entry(interface, key));
  } catch (const py::cast_error&) {
    not_taken(std::string(key) + " " + std::string(py::repr(entry(interface, key))), expected);
  }
}

DataType type_in(const py::dict& interface) {
  const auto name = required<std::string>(interface, "typestr", "a string such as '<f8'");
  const auto type = DataType::from_typestr(name);
  if (!type) not_taken("typestr '" + name + "'", "an element type that NumPy has");
  return *type;
}

std::vector<Index> strides_in(const py::dict& interface, const std::vector<Index>& shape,
                              std::size_t itemsize) {
  if (entry(interface, "strides").is_none()) return contiguous_strides(shape, itemsize, Order::c);
  auto strides = required<std::vector<Index>>(interface, "strides", "strides in bytes");
  if (strides.size() != shape.size())
    not_taken(std::to_string(strides.size()) + " strides",
              std::to_string(shape.size()) + ", as many as extents");
  return strides;
}

/// The stream on which work on the memory is queued; 0 if the interface has none, which says that
/// the work is complete.
Stream stream_in(const py::dict& interface) {
  if (entry(interface, "stream").is_none()) return 0;
  const auto stream = required<Stream>(interface, "stream", "the number of a stream, or None");
  if (stream == 0) not_taken("stream 0", "1 for the default stream, or None if work is complete");
  return stream;
}

py::object cuda_memory(const py::object& object) {
  const py::object found = object.attr(cuda_interface);
  if (!py::isinstance<py::dict>(found)) not_taken("no dictionary", "a dictionary");
  const py::dict interface(found);
  if (!entry(interface, "mask").is_none())
    not_taken("a mask, which would be lost", "an array without a mask");
  const DataType type = type_in(interface);
  auto shape = required<std::vector<Index>>(interface, "shape", "a tuple of extents");
  auto strides = strides_in(interface, shape, type.itemsize());
  const auto [address, readonly] = required<std::pair<std::uintptr_t, bool>>(
      interface, "data", "an address and whether it is read-only");
  Buffer buffer(type, std::move(shape), std::move(strides), reinterpret_cast<void*>(address),
                readonly, plain_memory(std::make_shared<const Held>(object.ptr())),
                {MemorySpace::cuda, 0});
  if (!buffer.has_memory()) not_taken("data 0", "an address");
  buffer.state()->set_stream(stream_in(interface));
  return memory_object(std::move(buffer));
}

py::object memory_of(const py::object& object) {
  if (const Array* const array = array_behind(object.ptr())) {
    if (array->array.buffer().space().host()) return py::none();
    require_current(array->array.buffer());
    return memory_object(shaped_buffer(array->array));
  }
  if (py::hasattr(py::type::of(object), "__dlpack__")) return dlpack_memory(object);
  if (py::hasattr(object, cuda_interface)) return cuda_memory(object);
  return py::none();
}

}  // namespace

void bind_device_memory(py::module_& module) {
  module.def("_memory_of", memory_of);
}

}  // namespace daptor::python
