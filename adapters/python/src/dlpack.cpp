// SPDX-License-Identifier: BSD-3-Clause
#include "dlpack.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "buffer_protocol.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

/// \name DLPack's structs, in the memory layout that consumers expect
/// \{
struct Device {
  std::int32_t device_type;
  std::int32_t device_id;
};
struct ElementType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  ElementType type;
  std::int64_t* shape;
  std::int64_t* element_strides;
  std::uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* manager;
  void (*deleter)(Managed*);
};
struct VersionedManaged {
  std::uint32_t major;
  std::uint32_t minor;
  void* manager;
  void (*deleter)(VersionedManaged*);
  std::uint64_t flags;
  Tensor tensor;
};
constexpr std::uint64_t read_only_flag = 1;
/// \}

[[noreturn]] void not_in_dlpack(const char* why) {
  throw py::buffer_error(why);
}

std::uint8_t code_of(Kind kind) {
  switch (kind) {
    case Kind::signed_integer:
      return 0;
    case Kind::unsigned_integer:
      return 1;
    case Kind::floating:
      return 2;
    case Kind::complex:
      return 5;
    case Kind::boolean:
      break;
  }
  return 6;
}

ElementType element_type(const DataType& type) {
  if (!type.native()) not_in_dlpack("DLPack has only native byte order");
  const bool extended = (type.kind() == Kind::floating && type.itemsize() > 8) ||
                        (type.kind() == Kind::complex && type.itemsize() > 16);
  if (extended) not_in_dlpack("DLPack has no name for elements of extended precision");
  return {code_of(type.kind()), static_cast<std::uint8_t>(8 * type.itemsize()), 1};
}

/// A tensor, together with everything it points to.
template <class Struct>
struct Exported {
  explicit Exported(const Section& exported)
      : array(exported), shape(exported.local_shape()), strides(exported.byte_strides()) {
    const auto itemsize = static_cast<std::int64_t>(array.type().itemsize());
    for (std::int64_t& stride : strides) {
      if (stride % itemsize != 0) not_in_dlpack("strides are not multiples of the element size");
      stride /= itemsize;
    }
    const MemorySpace space = array.buffer().space();
    managed.tensor.device = {space.device_type, space.device_id};
    managed.tensor.ndim = array.ndim();
    managed.tensor.type = element_type(array.type());
    managed.tensor.shape = shape.data();
    managed.tensor.element_strides = strides.data();
    // A flag says that the memory is read-only; without the flag, read-only arrays are refused.
    managed.tensor.data = const_cast<void*>(array.data());
    managed.manager = this;
    managed.deleter = release;
  }
  static void release(Struct* self) { delete static_cast<Exported*>(self->manager); }

  Section array;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Struct managed = {};
};

/// Destroys the tensor, unless a consumer has taken it over: it then has renamed the capsule.
template <class Struct, const char* const& name>
void destroy(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const managed = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

constexpr const char* plain_name = "dltensor";
constexpr const char* versioned_name = "dltensor_versioned";

template <class Struct, const char* const& name>
py::capsule capsule_of(std::unique_ptr<Exported<Struct>> exported) {
  PyObject* const capsule = PyCapsule_New(&exported->managed, name, destroy<Struct, name>);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(exported.release());  // the capsule has it now
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace

py::capsule make_dlpack(const Section& array, bool versioned) {
  if (!array.buffer().has_memory()) not_in_dlpack("a description without memory");
  if (!versioned) {
    if (array.readonly())
      not_in_dlpack("the array is read-only, which DLPack before 1.0 cannot express");
    return capsule_of<Managed, plain_name>(std::make_unique<Exported<Managed>>(array));
  }
  auto exported = std::make_unique<Exported<VersionedManaged>>(array);
  exported->managed.major = 1;
  exported->managed.flags = array.readonly() ? read_only_flag : 0;
  return capsule_of<VersionedManaged, versioned_name>(std::move(exported));
}

namespace {

/// The PEP 3118 format of an element type; null if it has none.
const char* format_of(ElementType type) {
  struct Name {
    std::uint8_t code;
    std::uint8_t bits;
    const char* format;
  };
  static constexpr Name names[] = {{0, 8, "b"},    {0, 16, "h"}, {0, 32, "i"}, {0, 64, "q"},
                                   {1, 8, "B"},    {1, 16, "H"}, {1, 32, "I"}, {1, 64, "Q"},
                                   {2, 16, "e"},   {2, 32, "f"}, {2, 64, "d"}, {5, 64, "Zf"},
                                   {5, 128, "Zd"}, {6, 8, "?"}};
  for (const Name& name : names)
    if (name.code == type.code && name.bits == type.bits && type.lanes == 1) return name.format;
  return nullptr;
}

/// Whether the host can reach the memory: ordinary memory, or memory pinned for a device.
bool on_host(const Device& device) {
  return device.device_type == 1 || device.device_type == 3 || device.device_type == 11;
}

std::string device_text(const Device& device) {
  return "memory of DLPack's device " + std::to_string(device.device_type) + ", number " +
         std::to_string(device.device_id);
}

InvalidArgument not_on_host(const Device& device) {
  return InvalidArgument(Report(
      {error_finding("argument", -1, "array", device_text(device), "memory that the host can reach",
                     "Copy it from the device to the host, and pass the copy.")}));
}

Shown shown_of(const Tensor& tensor, bool readonly) {
  if (!on_host(tensor.device)) throw not_on_host(tensor.device);
  const char* const format = format_of(tensor.type);
  if (format == nullptr)
    throw InvalidArgument("array",
                          "elements of DLPack's type " + std::to_string(tensor.type.code) +
                              " with " + std::to_string(tensor.type.bits) + " bits",
                          "an element type that NumPy has");
  Shown shown;
  shown.format = format;
  shown.itemsize = tensor.type.bits / 8;
  shown.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  shown.byte_strides.resize(shown.shape.size(), shown.itemsize);
  for (std::size_t d = shown.shape.size(); d-- > 0;) {
    if (tensor.element_strides != nullptr) {
      shown.byte_strides[d] = tensor.element_strides[d] * shown.itemsize;
    } else if (d + 1 < shown.shape.size()) {
      shown.byte_strides[d] = shown.byte_strides[d + 1] * shown.shape[d + 1];
    }
  }
  if (tensor.data != nullptr) shown.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  shown.readonly = readonly;
  return shown;
}

/// A capsule of the newest version that the object supports.
py::object capsule_from(const py::object& object) {
  const py::object make = object.attr("__dlpack__");
  try {
    return make(py::arg("max_version") = py::make_tuple(1, 0));
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return make();
}

/// The state of the memory if this module has exported the tensor; else null.
template <class Struct>
std::shared_ptr<SharedState> state_of(const Struct& managed) {
  if (managed.deleter != Exported<Struct>::release) return nullptr;
  return static_cast<const Exported<Struct>*>(managed.manager)->array.buffer().state();
}

template <class Struct>
const Struct* tensor_in(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return nullptr;
  return static_cast<const Struct*>(PyCapsule_GetPointer(capsule, name));
}

/// The capsule is neither renamed nor emptied: no other consumer has it, and the memoryview keeps
/// it alive, and with it the tensor.
py::object dlpack_memory(const py::object& object) {
  if (py::hasattr(object, "__dlpack_device__")) {
    const py::tuple device = object.attr("__dlpack_device__")();
    const Device where{py::cast<std::int32_t>(py::int_(device[0])),
                       py::cast<std::int32_t>(py::int_(device[1]))};
    if (!on_host(where)) throw not_on_host(where);
  }
  const py::object capsule = capsule_from(object);
  Shown shown;
  if (PyCapsule_IsValid(capsule.ptr(), versioned_name) != 0) {
    const auto* const managed =
        static_cast<VersionedManaged*>(PyCapsule_GetPointer(capsule.ptr(), versioned_name));
    if (managed->major != 1)
      throw InvalidArgument("array", "DLPack " + std::to_string(managed->major), "DLPack 1");
    shown = shown_of(managed->tensor, (managed->flags & read_only_flag) != 0);
  } else if (PyCapsule_IsValid(capsule.ptr(), plain_name) != 0) {
    shown = shown_of(static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), plain_name))->tensor,
                     false);
  } else {
    throw InvalidArgument("array", "an object whose __dlpack__ does not return a tensor",
                          "a DLPack capsule");
  }
  shown.state = state_behind_tensor(capsule.ptr());
  if (!shown.state) shown.state = plain_memory(std::make_shared<const Held>(capsule.ptr()));
  return memoryview_of(std::move(shown));
}

}  // namespace

std::shared_ptr<SharedState> state_behind_tensor(PyObject* capsule) {
  for (const char* name : {plain_name, "numpy_dltensor"})
    if (const auto* tensor = tensor_in<Managed>(capsule, name)) return state_of(*tensor);
  for (const char* name : {versioned_name, "numpy_dltensor_versioned"})
    if (const auto* tensor = tensor_in<VersionedManaged>(capsule, name)) return state_of(*tensor);
  return nullptr;
}

void bind_dlpack(py::module_& module) {
  module.def("_dlpack_memory", dlpack_memory);
}

}  // namespace daptor::python
