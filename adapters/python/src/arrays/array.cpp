// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/array.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays/buffer_protocol.hpp"
#include "arrays/place.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/copy_to_host.hpp"
#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"
#include "descriptions/capsule.hpp"
#include "descriptions/write.hpp"
#include "devices/dlpack.hpp"

namespace daptor::python {

Buffer shaped_buffer(const Section& array) {
  // The flag carries the constness.
  return {array.type(),          array.local_shape(),
          array.byte_strides(),  const_cast<void*>(array.data()),
          array.readonly(),      array.buffer().state(),
          array.buffer().space()};
}

namespace {

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  try {
    const Array* const array = array_behind(self);
    if (array == nullptr)
      throw InvalidArgument("array", "an uninitialized object", "a daptor.Array");
    adapter::require_host("view.device", array->array);
    return show(self, shaped_buffer(array->array), view, flags);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
    return -1;
  }
}

py::object dtype_of(const Array& self) {
  return py::module_::import("numpy").attr("dtype")(self.array.type().typestr());
}

/// Uses the buffer protocol, whose error says why the memory cannot be had; the dictionary of
/// NumPy's older protocol could only be missing.
py::object to_numpy(const py::object& self, const py::object& dtype, const py::object& copy) {
  if (const Array* const array = array_behind(self.ptr()))
    adapter::require_host("view.device", array->array);
  PyObject* const memory = PyMemoryView_FromObject(self.ptr());
  if (memory == nullptr) throw py::error_already_set();
  const auto numpy = py::module_::import("numpy");
  py::object view = numpy.attr("asarray")(py::reinterpret_steal<py::object>(memory));
  const bool same = dtype.is_none() || numpy.attr("dtype")(dtype).equal(view.attr("dtype"));
  const bool must_copy = !copy.is_none() && py::cast<bool>(copy);
  if (same && !must_copy) return view;
  if (!copy.is_none() && !must_copy) throw py::value_error("another element type requires a copy");
  return numpy.attr("array")(view, dtype);
}

py::dict interface_of(const Section& array) {
  py::dict interface;
  interface["version"] = 3;
  interface["shape"] = tuple_of(array.local_shape());
  interface["typestr"] = array.type().typestr();
  interface["data"] =
      py::make_tuple(reinterpret_cast<std::uintptr_t>(array.data()), array.readonly());
  interface["strides"] = tuple_of(array.byte_strides());
  return interface;
}

/// NumPy's older protocol. Reading this attribute counts as access to the memory.
py::dict array_interface(const Array& self) {
  const Section& array = self.array;
  if (!array.buffer().has_memory()) throw py::attribute_error("a description without memory");
  if (!array.buffer().space().host()) throw py::attribute_error("memory of a device");
  require_current(array.buffer());
  return interface_of(array);
}

/// The same for memory of CUDA, with the stream on which work on it is queued.
py::dict cuda_array_interface(const Array& self) {
  const Section& array = self.array;
  const int type = array.buffer().space().device_type;
  if (!array.buffer().has_memory() ||
      (type != MemorySpace::cuda && type != MemorySpace::cuda_managed))
    throw py::attribute_error("no memory of CUDA");
  py::dict interface = interface_of(array);
  const Stream stream = array.buffer().state()->stream();
  interface["stream"] = stream == 0 ? py::object(py::none()) : py::object(py::int_(stream));
  return interface;
}

/// The section's elements in row-major order; never null.
std::unique_ptr<std::byte[]> copied(const py::object& self) {
  Py_buffer view;
  if (PyObject_GetBuffer(self.ptr(), &view, PyBUF_FULL_RO) != 0) throw py::error_already_set();
  std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> released(&view, PyBuffer_Release);
  auto elements = std::make_unique<std::byte[]>(static_cast<std::size_t>(view.len));
  if (view.len > 0 && PyBuffer_ToContiguous(elements.get(), &view, view.len, 'C') != 0)
    throw py::error_already_set();
  return elements;
}

/// An argument of DLPack's protocol. Throws TypeError unless it is `wanted`.
template <class T>
T protocol_value(const py::object& argument, const char* name, const char* wanted) {
  try {
    return py::cast<T>(argument);
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(name) + " must be " + wanted);
  }
}

/// Daptor cannot let a stream wait for another one, so a consumer of a device's memory works on the
/// stream on which the work on it is queued. None is CUDA's default stream, and -1 asks for no
/// order.
void require_order(const Section& array, const py::object& stream) {
  if (array.buffer().space().host()) {
    if (stream.is_none()) return;
    throw py::value_error("stream must be None, because the memory is on the host");
  }
  const auto queued = static_cast<std::int64_t>(array.buffer().state()->stream());
  const auto asked =
      stream.is_none() ? 1 : protocol_value<std::int64_t>(stream, "stream", "None or an integer");
  if (queued == 0 || asked == queued || asked == -1) return;
  const std::string number = std::to_string(queued);
  throw py::buffer_error("work on the memory is queued on stream " + number +
                         ": pass stream=" + number + ", or synchronize it and pass stream=-1");
}

py::capsule dlpack(const py::object& object, const py::object& stream,
                   const py::object& max_version, const py::object& dl_device,
                   const py::object& copy) {
  const auto& self = py::cast<const Array&>(object);
  require_order(self.array, stream);
  const auto space = self.array.buffer().space();
  if (!dl_device.is_none() && !dl_device.equal(py::make_tuple(space.device_type, space.device_id)))
    throw py::buffer_error("the memory is on another device");
  try {
    adapter::require_same_memory(self.array);
  } catch (const Stale& error) {
    throw py::buffer_error(error.what());
  }
  const bool versioned =
      !max_version.is_none() && protocol_value<std::pair<int, int>>(max_version, "max_version",
                                                                    "None or two integers: (1, 0)")
                                        .first >= 1;
  const bool must_copy =
      !copy.is_none() && protocol_value<bool>(copy, "copy", "None, True or False");
  if (must_copy && !space.host())
    throw py::buffer_error("a copy of a device's memory: pass daptor.copy_to_host(a)");
  return make_dlpack(self.array, versioned, must_copy ? copied(object) : nullptr);
}

/// Which of these global indices along a dimension this process owns: their positions in `globals`,
/// and their local indices. Process-local.
py::tuple owned_of(const Array& self, int dimension, const std::vector<Index>& globals) {
  const LocalDimensionMap map(self.array.dimension(dimension));
  std::vector<std::size_t> numbers;
  std::vector<Index> locals;
  for (std::size_t i = 0; i < globals.size(); ++i) {
    const auto local = map.local_of(globals[i]);
    if (!local) continue;
    numbers.push_back(i);
    locals.push_back(*local);
  }
  return py::make_tuple(numbers, locals);
}

std::string text(const Section& array) {
  std::ostringstream out;
  out << array;
  return out.str();
}

bool has_warning(const Section& array) {
  for (const Finding& finding : array.warnings().findings())
    if (finding.severity == Severity::warning) return true;
  return false;
}

std::string extents_text(const std::vector<Index>& extents) {
  return py::str(tuple_of(extents));
}

/// <daptor.Array float64 (40, 30), padded to (42, 32), 'bb', section (22, 17) on rank 0 of 4>
std::string representation(const Array& self) {
  std::string types;
  for (const Dimension& dimension : self.array.dimensions()) types += dimension.dist_type();
  const std::vector<Index> extents = interior_extents(self), padded = self.array.global_shape();
  std::ostringstream out;
  out << "<daptor.Array " << self.array.type() << ' ' << extents_text(extents);
  if (extents != padded) out << ", padded to " << extents_text(padded);
  out << ", '" << types << "', section " << extents_text(self.array.local_shape()) << " on rank "
      << self.comm.ranks.rank() << " of " << self.comm.ranks.size()
      << (has_warning(self.array) ? ", see its warnings" : "") << '>';
  return out.str();
}

/// Shows the garbage collector the references that this Array alone holds, and none that are
/// shared.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  const Array* const array = array_behind(self);
  if (array == nullptr || !array->array.described() ||
      array->array.buffer().state().use_count() != 1)
    return 0;
  const auto kept = array->kept.lock();
  if (!kept) return 0;
  Py_VISIT(kept->buffer.view().obj);
  if (kept->producer && kept->producer.use_count() == 1) Py_VISIT(kept->producer->get());
  return 0;
}

/// Releases the memory. Only finalizers can still see the Array.
int clear(PyObject* self) {
  auto* const array = const_cast<Array*>(array_behind(self));
  if (array == nullptr) return 0;
  array->edges.reset();
  array->array = describe(DataType::of<char>(), nullptr, {}).on(*array->comm);
  return 0;
}

py::object labels_of(const Array& self) {
  return self.labels ? py::reinterpret_borrow<py::object>(self.labels->get()) : py::none();
}

void set_labels(Array& self, const py::object& labels) {
  self.labels = labels.is_none() ? nullptr : std::make_shared<const Held>(labels.ptr());
}

void bind_form(ArrayClass& type) {
  bind_place(type);
  type.def("_owned_of", owned_of)
      .def_property_readonly(
          "byte_strides", [](const Array& self) { return tuple_of(self.array.byte_strides()); },
          "Strides of the section in bytes.")
      .def_property_readonly(
          "ndim", [](const Array& self) { return self.array.ndim(); }, "Number of dimensions.")
      .def_property_readonly("dtype", dtype_of, "Element type, a numpy.dtype; imports NumPy.")
      .def_property_readonly(
          "format", [](const Array& self) { return self.array.type().format(); },
          "Element type as PEP 3118 writes it.")
      .def_property_readonly(
          "readonly", [](const Array& self) { return self.array.readonly(); },
          "Whether the memory is read-only.")
      .def_property_readonly(
          "version", [](const Array& self) { return self.array.version().text(); },
          "Version of the protocol in which the array was described.")
      .def_property_readonly(
          "comm", [](const Array& self) { return to_mpi4py(self.comm); },
          "The communicator that was passed, as an mpi4py communicator.")
      .def_property_readonly(
          "warnings", [](const Array& self) { return self.array.warnings(); },
          "Warnings and notes about the array; a Report.")
      .def("__repr__", representation)
      .def("__str__", [](const Array& self) { return text(self.array); });
}

void bind_producer(ArrayClass& type) {
  type.def(
          "__distarray__",
          [](const Array& self, const std::optional<std::string>& version) {
            return write(self.array, version);
          },
          py::arg("version") = py::none(),
          R"(The dictionary of the Distributed Array Protocol. Process-local; no copy.

version  "0.9.0" or "0.10.0"; None: the one that the array was described in

Raises NotRepresentable where that version cannot say it, Unsupported for other versions.)")
      .def_property_readonly("__array_interface__", array_interface,
                             "The section, including padding, as NumPy's array interface.")
      .def_property_readonly("__cuda_array_interface__", cuda_array_interface,
                             "The section, including padding, if it is in memory of CUDA; whoever "
                             "uses it waits for the stream.")
      .def("__array__", to_numpy, py::arg("dtype") = py::none(), py::arg("copy") = py::none(),
           "The section, including padding, as a NumPy array on its memory.")
      .def("__dlpack__", dlpack, py::kw_only(), py::arg("stream") = py::none(),
           py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
           py::arg("copy") = py::none(),
           R"(The section, padding included, as a DLPack tensor in a capsule. Process-local.

max_version  the newest version that the consumer knows: (1, 0) or later gives "dltensor_versioned"
             with its flags; None, or less, "dltensor"
copy         None and False: a tensor on the section's memory, which it keeps alive. True: on new
             memory, in row-major order, writable and flagged as a copy

Raises BufferError for what DLPack cannot say (another byte order, strides that are no whole
elements, read-only memory before DLPack 1.0) and for a dl_device where the memory is not, ValueError
for a stream.)")
      .def("__dlpack_device__",
           [](const Array& self) {
             const auto space = self.array.buffer().space();
             return py::make_tuple(space.device_type, space.device_id);
           })
      .def(
          "__daptor_array__", [](const Array& self) { return make_capsule(self.array); },
          R"(The C struct of daptor/abi.h in a capsule named "daptor_array". Process-local.

Whoever takes the struct moves it out and sets its `release` to null; a capsule that still holds it
releases it. import_ takes such a capsule.)");
}

}  // namespace

void bind_array(py::module_& module) {
  ArrayClass type(
      module, "Array", py::custom_type_setup([](PyHeapTypeObject* heap_type) {
        show_buffers(heap_type, get_buffer);
        heap_type->ht_type.tp_new = refuse_new;
        heap_type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
        heap_type->ht_type.tp_traverse = traverse;
        heap_type->ht_type.tp_clear = clear;
      }),
      R"(One rank's section of a distributed array, with the communicator of all of them.

Made by import_, export and the builders. It refers to the producer's memory and keeps it alive.
numpy.asarray(a), memoryview(a) and numpy.from_dlpack(a) are this rank's section, padding included,
on that memory. a[...] does not exist, because an index would apply to one rank only. NumPy's other
functions and operators, which would take the section for the whole array, raise InvalidArgument
with the line to write.

Two ranks, a 2 x 10 array with ghost cells, divided over dimension 0:
    a = daptor.block(numpy.zeros((3, 12)), comm, shape=(2, 10), grid=(2, 1), ghosts=1)
    a.shape          (2, 10) on both
    a.padded_shape   (4, 12) on both: with the ghost cells at the edges of the whole
    a.local_shape    (3, 12) on both
    a.interior       the 1 x 10 elements within, whole[a.global_slices])");
  bind_form(type);
  bind_producer(type);
  refuse_pickling(type);
  type.def(
          "modified", [](const Array& self) { self.array.modified(); }, py::call_guard<Unlocked>(),
          R"(Call this after a write that no lease covers: native objects on the memory drop cached values.

Logically collective: call it on all ranks, even if they wrote no element.)")
      .def(
          "as_readonly",
          [](const Array& self) {
            return Array{self.array.as_readonly(), self.comm, self.kept, self.edges, self.labels};
          },
          "The same array on the same memory, but read-only. Process-local.")
      .def_property("_labels", labels_of, set_labels);
  module.def(
      "copy_to_host",
      [](const Array& a) {
        return Array{copy_to_host(a.array), a.comm, {}, a.edges, a.labels};
      },
      py::call_guard<Unlocked>(), py::arg("array"),
      R"(The section, padding included, in new memory of the host: a copy. Process-local.

array  in memory of a device of which Daptor knows the copies (register_device), or of the host

Raises InvalidArgument if it knows none (`copy.device`) or the array has no memory.)");
  module.def(
      "copy_to_device",
      [](const Array& host, const Array& device) { copy_to_device(host.array, device.array); },
      py::call_guard<Unlocked>(), py::arg("host"), py::arg("device"),
      R"(Copies all elements of this process's section, padding included, to memory of a device.
Logically collective: a modified() is part of it.

host    as copy_to_host(device) makes it
device  the array that is written

Raises InvalidArgument, on this process alone, if the sections have other forms (`copy.layout`), one
has no memory or cannot be written, or Daptor knows no copies for the device (`copy.device`).)");
}

}  // namespace daptor::python
