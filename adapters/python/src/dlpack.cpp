#include "dlpack.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace daptor::python {
namespace {

/// \name DLPack's structs, as its consumers read them
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

[[noreturn]] void refuse(const char* why) {
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
  if (!type.native()) refuse("DLPack has native byte order only");
  const bool extended = (type.kind() == Kind::floating && type.itemsize() > 8) ||
                        (type.kind() == Kind::complex && type.itemsize() > 16);
  if (extended) refuse("DLPack has no name for elements of extended precision");
  return {code_of(type.kind()), static_cast<std::uint8_t>(8 * type.itemsize()), 1};
}

/// A tensor with all it points to.
template <class Struct>
struct Exported {
  explicit Exported(const DistArray& exported)
      : array(exported), shape(exported.local_shape()), strides(exported.byte_strides()) {
    const auto itemsize = static_cast<std::int64_t>(array.type().itemsize());
    for (std::int64_t& stride : strides) {
      if (stride % itemsize != 0) refuse("strides are not whole elements");
      stride /= itemsize;
    }
    const MemorySpace space = array.buffer().space();
    managed.tensor.device = {space.device_type, space.device_id};
    managed.tensor.ndim = array.ndim();
    managed.tensor.type = element_type(array.type());
    managed.tensor.shape = shape.data();
    managed.tensor.element_strides = strides.data();
    // The consumer is told of constness by a flag, or gets no read-only array.
    managed.tensor.data = const_cast<void*>(array.data());
    managed.manager = this;
    managed.deleter = [](Struct* self) { delete static_cast<Exported*>(self->manager); };
  }

  DistArray array;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Struct managed = {};
};

/// A consumer renames the capsule when it takes the tensor over.
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

py::capsule make_dlpack(const DistArray& array, bool versioned) {
  if (!array.buffer().has_memory()) refuse("a description without its memory");
  if (!versioned) {
    if (array.readonly()) refuse("the array is read-only, which DLPack before 1.0 cannot say");
    return capsule_of<Managed, plain_name>(std::make_unique<Exported<Managed>>(array));
  }
  auto exported = std::make_unique<Exported<VersionedManaged>>(array);
  exported->managed.major = 1;
  exported->managed.flags = array.readonly() ? read_only_flag : 0;
  return capsule_of<VersionedManaged, versioned_name>(std::move(exported));
}

}  // namespace daptor::python
