// SPDX-License-Identifier: BSD-3-Clause
#include "devices/dlpack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays/buffer_protocol.hpp"
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
constexpr std::uint64_t copied_flag = 2;
/// \}

[[noreturn]] void not_in_dlpack(const char* why) {
  throw py::buffer_error(why);
}

constexpr std::pair<Kind, std::uint8_t> codes[] = {{Kind::signed_integer, 0},
                                                   {Kind::unsigned_integer, 1},
                                                   {Kind::floating, 2},
                                                   {Kind::complex, 5},
                                                   {Kind::boolean, 6}};

/// DLPack has no name for elements of extended precision.
bool extended(const DataType& type) {
  return (type.kind() == Kind::floating && type.itemsize() > 8) || type.itemsize() > 16;
}

ElementType element_type(const DataType& type) {
  if (!type.native()) not_in_dlpack("DLPack has only native byte order");
  if (extended(type)) not_in_dlpack("DLPack has no name for elements of extended precision");
  const auto* const named = std::find_if(std::begin(codes), std::end(codes), [&](const auto& each) {
    return each.first == type.kind();
  });
  return {named->second, static_cast<std::uint8_t>(8 * type.itemsize()), 1};
}

std::vector<std::int64_t> element_strides_of(const Section& array) {
  const auto itemsize = static_cast<std::int64_t>(array.type().itemsize());
  std::vector<std::int64_t> strides = array.byte_strides();
  for (std::int64_t& stride : strides) {
    if (stride % itemsize != 0) not_in_dlpack("strides are not multiples of the element size");
    stride /= itemsize;
  }
  return strides;
}

/// A tensor, together with everything it points to. With `copy`, it is on these elements, which are
/// in row-major order, and does not refer to the array.
template <class Struct>
struct Exported {
  Exported(const Section& exported, std::unique_ptr<std::byte[]> copy)
      : elements(std::move(copy)),
        shape(exported.local_shape()),
        strides(elements ? contiguous_strides(shape, 1, Order::c) : element_strides_of(exported)) {
    const MemorySpace space = elements ? MemorySpace() : exported.buffer().space();
    managed.tensor.device = {space.device_type, space.device_id};
    managed.tensor.ndim = exported.ndim();
    managed.tensor.type = element_type(exported.type());
    managed.tensor.shape = shape.data();
    managed.tensor.element_strides = strides.data();
    // A flag says that the memory is read-only; without the flag, read-only arrays are refused.
    managed.tensor.data = elements ? elements.get() : const_cast<void*>(exported.data());
    managed.manager = this;
    managed.deleter = release;
    if (!elements) array = exported;
  }
  static void release(Struct* self) { delete static_cast<Exported*>(self->manager); }

  std::optional<Section> array;
  std::unique_ptr<std::byte[]> elements;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Struct managed = {};
};

/// Destroys the tensor, unless a consumer has taken it over: it then has renamed the capsule.
template <class Struct, const char* const& name>
void destroy(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const managed = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

constexpr const char* plain_name = "dltensor";
constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* taken_name = "daptor_dltensor";

template <class Struct, const char* const& name>
py::capsule capsule_of(std::unique_ptr<Exported<Struct>> exported) {
  PyObject* const capsule = PyCapsule_New(&exported->managed, name, destroy<Struct, name>);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(exported.release());  // the capsule has it now
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace

py::capsule make_dlpack(const Section& array, bool versioned, std::unique_ptr<std::byte[]> copy) {
  if (!array.buffer().has_memory()) not_in_dlpack("a description without memory");
  const bool copied = copy != nullptr;
  const bool readonly = array.readonly() && !copied;
  if (!versioned) {
    if (readonly) not_in_dlpack("the array is read-only, which DLPack before 1.0 cannot express");
    return capsule_of<Managed, plain_name>(
        std::make_unique<Exported<Managed>>(array, std::move(copy)));
  }
  auto exported = std::make_unique<Exported<VersionedManaged>>(array, std::move(copy));
  exported->managed.major = 1;
  exported->managed.flags = readonly ? read_only_flag : 0;
  if (copied) exported->managed.flags |= copied_flag;
  return capsule_of<VersionedManaged, versioned_name>(std::move(exported));
}

namespace {

/// The element type that NumPy has for one of DLPack.
std::optional<DataType> type_of(ElementType type) {
  for (const auto& [kind, code] : codes) {
    if (code != type.code || type.lanes != 1 || type.bits % 8 != 0) continue;
    try {
      const DataType found(kind, type.bits / 8U);
      if (!extended(found)) return found;
    } catch (const InvalidArgument&) {  // no such size
    }
  }
  return std::nullopt;
}

MemorySpace space_of(const Device& device) {
  return {device.device_type, device.device_id};
}

[[noreturn]] void not_taken(const std::string& found, const char* expected) {
  throw InvalidArgument("array", found, expected);
}

/// Refuses memory of devices whose tensors have a handle where others have an address.
void require_addresses(MemorySpace space) {
  switch (space.device_type) {
    case MemorySpace::cuda:
    case MemorySpace::cuda_managed:
    case MemorySpace::rocm:
    case MemorySpace::oneapi:
      return;
    default:
      break;
  }
  if (space.host()) return;
  throw InvalidArgument(Report({error_finding(
      "argument", -1, "array", space.name(), "memory of the host, CUDA, ROCm or oneAPI",
      "Copy it from the device to the host, and pass the copy.")}));
}

DataType require_type(ElementType type) {
  if (const auto known = type_of(type)) return *known;
  std::string found = "elements of DLPack's type " + std::to_string(type.code) + " with " +
                      std::to_string(type.bits) + " bits";
  if (type.lanes != 1) found += " and " + std::to_string(type.lanes) + " lanes";
  const bool bfloat16 = type.code == 4 && type.bits == 16;
  const char* const advice =
      bfloat16 ? "Convert it to float32 where it is made, and pass the result."
               : "Convert it to a type that NumPy has where it is made, and pass the result.";
  throw InvalidArgument(
      Report({error_finding("argument", -1, "array", bfloat16 ? "elements of type bfloat16" : found,
                            "an element type that NumPy has", advice)}));
}

/// Refuses extents that are none, or whose elements would be more than memory can hold.
std::vector<Index> require_shape(const Tensor& tensor, Index itemsize) {
  if (tensor.ndim < 0 || tensor.ndim > PyBUF_MAX_NDIM)
    not_taken("a DLPack tensor of " + std::to_string(tensor.ndim) + " dimensions", "0 to 64");
  if (tensor.ndim > 0 && tensor.shape == nullptr)
    not_taken("a DLPack tensor whose shape is null", "an extent for each dimension");
  Index room = std::numeric_limits<Index>::max() / itemsize;
  for (std::int32_t d = 0; d < tensor.ndim; ++d) {
    const std::int64_t extent = tensor.shape[d];
    if (extent < 0)
      not_taken("a DLPack tensor whose extent is " + std::to_string(extent),
                "extents of 0 or more");
    if (extent > 0 && (room /= extent) == 0)
      not_taken("a DLPack tensor of more than 2^63 bytes", "extents whose elements are in memory");
  }
  return std::vector<Index>(tensor.shape, tensor.shape + tensor.ndim);
}

std::vector<Index> byte_strides_of(const Tensor& tensor, const std::vector<Index>& shape,
                                   Index itemsize) {
  if (tensor.element_strides == nullptr)
    return contiguous_strides(shape, static_cast<std::size_t>(itemsize), Order::c);
  std::vector<Index> strides(tensor.element_strides, tensor.element_strides + shape.size());
  const Index most = std::numeric_limits<Index>::max() / itemsize;
  for (Index& stride : strides) {
    if (stride > most || stride < -most)
      not_taken("a DLPack tensor whose stride is " + std::to_string(stride), "strides in memory");
    stride *= itemsize;
  }
  return strides;
}

void* first_element(const Tensor& tensor) {
  if (tensor.byte_offset > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    not_taken("a DLPack tensor whose byte offset is " + std::to_string(tensor.byte_offset),
              "an offset in memory");
  return tensor.data == nullptr ? nullptr : static_cast<char*>(tensor.data) + tensor.byte_offset;
}

Buffer buffer_of(const Tensor& tensor, bool readonly) {
  const MemorySpace space = space_of(tensor.device);
  require_addresses(space);
  const DataType type = require_type(tensor.type);
  const auto itemsize = static_cast<Index>(type.itemsize());
  const auto shape = require_shape(tensor, itemsize);
  Buffer buffer(type, shape, byte_strides_of(tensor, shape, itemsize), first_element(tensor),
                readonly, nullptr, space);
  if (!buffer.has_memory()) not_taken("a DLPack tensor whose data is null", "memory");
  return buffer;
}

Buffer buffer_in(const Managed& managed) {
  return buffer_of(managed.tensor, false);
}
Buffer buffer_in(const VersionedManaged& managed) {
  if (managed.major != 1)
    throw InvalidArgument("array", "DLPack " + std::to_string(managed.major), "DLPack 1");
  if ((managed.flags & copied_flag) != 0)
    throw InvalidArgument(Report({error_finding(
        "argument", -1, "array", "a copy that its __dlpack__ made", "memory that it shares",
        "Make the copy first, keep it, and pass it: writes would not reach the original.")}));
  return buffer_of(managed.tensor, (managed.flags & read_only_flag) != 0);
}

/// The stream on which Daptor wants to use a tensor: the default stream of CUDA and of ROCm. The
/// producer makes it wait for its own work. Null where there are no numbers of streams.
std::optional<Stream> stream_in(MemorySpace space) {
  if (space.device_type == MemorySpace::cuda || space.device_type == MemorySpace::cuda_managed)
    return 1;
  if (space.device_type == MemorySpace::rocm) return 0;
  return std::nullopt;
}

/// Whether a call failed because the function does not take its arguments, and not because of what
/// it did with them. Python raises such an error before the function has a frame; a function that
/// passes its arguments on, or one of Cython's, has one, and then the text decides.
bool about_arguments(const py::error_already_set& error) {
  if (!error.matches(PyExc_TypeError)) return false;
  return !error.trace() ||
         std::string(py::str(error.value())).find("argument") != std::string::npos;
}

/// A capsule of the newest version that the object supports. It is told not to copy, unless it is
/// older than that argument.
py::object capsule_from(const py::object& object, MemorySpace space) {
  const py::object make = object.attr("__dlpack__");
  py::dict named;
  if (const auto stream = stream_in(space)) named["stream"] = *stream;
  named["max_version"] = py::make_tuple(1, 3);
  named["copy"] = false;
  for (const char* unknown : {"copy", "max_version"}) {
    try {
      return make(**named);
    } catch (const py::error_already_set& error) {
      if (!about_arguments(error)) throw;
    }
    named.attr("pop")(unknown);
  }
  return make(**named);
}

/// The state of the memory if this module has exported the tensor; else null.
template <class Struct>
std::shared_ptr<SharedState> state_of(const Struct& managed) {
  if (managed.deleter != Exported<Struct>::release) return nullptr;
  const auto& array = static_cast<const Exported<Struct>*>(managed.manager)->array;
  return array ? array->buffer().state() : nullptr;
}

template <class Struct>
const Struct* tensor_in(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return nullptr;
  return static_cast<const Struct*>(PyCapsule_GetPointer(capsule, name));
}

/// Takes the tensor over and renames the capsule, so that nobody else does. A tensor that is
/// refused stays in its capsule, whose destructor releases it.
template <class Struct>
py::object take(PyObject* capsule, const char* name, const char* used_name,
                const std::optional<MemorySpace>& named) {
  auto* const managed = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  const Buffer buffer = buffer_in(*managed);
  if (named && *named != buffer.space())
    not_taken("a DLPack tensor in " + buffer.space().name(),
              ("one in " + named->name() + ", as its __dlpack_device__ says").c_str());
  std::shared_ptr<SharedState> state = state_of(*managed);
  if (PyCapsule_SetName(capsule, used_name) != 0) throw py::error_already_set();
  PyObject* const taken = PyCapsule_New(managed, taken_name, destroy<Struct, taken_name>);
  if (taken == nullptr) throw py::error_already_set();
  const auto owner = py::reinterpret_steal<py::object>(taken);
  if (!state) {
    state = plain_memory(std::make_shared<const Held>(taken));
    state->set_stream(stream_in(buffer.space()).value_or(0));
  }
  return memory_object(
      buffer.with_memory(const_cast<void*>(buffer.data()), buffer.readonly(), state));
}

/// The device that the object names; `nullopt` if it does not name one.
std::optional<MemorySpace> space_named_by(const py::object& object) {
  if (!py::hasattr(object, "__dlpack_device__")) return std::nullopt;
  const py::object device = object.attr("__dlpack_device__")();
  if (!py::isinstance<py::tuple>(device) || py::len(device) != 2)
    not_taken("an object whose __dlpack_device__ does not return a device",
              "a tuple of the device's type and number");
  const py::tuple numbers(device);
  return MemorySpace{py::cast<std::int32_t>(py::int_(numbers[0])),
                     py::cast<std::int32_t>(py::int_(numbers[1]))};
}

}  // namespace

py::object dlpack_memory(const py::object& object) {
  const auto named = space_named_by(object);
  const MemorySpace space = named.value_or(MemorySpace());
  require_addresses(space);
  const py::object made = capsule_from(object, space);
  PyObject* const capsule = made.ptr();
  if (PyCapsule_IsValid(capsule, versioned_name) != 0)
    return take<VersionedManaged>(capsule, versioned_name, "used_dltensor_versioned", named);
  if (PyCapsule_IsValid(capsule, plain_name) != 0)
    return take<Managed>(capsule, plain_name, "used_dltensor", named);
  for (const char* used : {"used_dltensor", "used_dltensor_versioned"})
    if (PyCapsule_IsValid(capsule, used) != 0)
      not_taken("a DLPack capsule whose tensor another consumer has taken",
                "a new capsule for each call of __dlpack__");
  not_taken("an object whose __dlpack__ does not return a tensor", "a DLPack capsule");
}

std::shared_ptr<SharedState> state_behind_tensor(PyObject* capsule) {
  for (const char* name : {plain_name, "numpy_dltensor"})
    if (const auto* tensor = tensor_in<Managed>(capsule, name)) return state_of(*tensor);
  for (const char* name : {versioned_name, "numpy_dltensor_versioned"})
    if (const auto* tensor = tensor_in<VersionedManaged>(capsule, name)) return state_of(*tensor);
  return nullptr;
}

}  // namespace daptor::python
