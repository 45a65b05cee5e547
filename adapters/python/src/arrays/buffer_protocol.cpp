// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/buffer_protocol.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "arrays/array.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

/// Address for an empty section, since some consumers treat a null pointer as an error.
char nowhere = 0;

int no_buffer(const char* why) {
  PyErr_SetString(PyExc_BufferError, why);
  return -1;
}

bool asks(int flags, int what) {
  return (flags & what) == what;
}

/// The reason why `buffer` cannot be given in the form that `flags` request; null if it can.
const char* obstacle(const Buffer& buffer, int flags) {
  if (!buffer.space().host()) return "memory of a device";
  if (!buffer.has_memory()) return "a description without memory";
  if (asks(flags, PyBUF_WRITABLE) && buffer.readonly()) return "the array is read-only";
  const bool c_order = buffer.contiguous(Order::c);
  const bool fortran_order = buffer.contiguous(Order::fortran);
  if (asks(flags, PyBUF_C_CONTIGUOUS) && !c_order)
    return "the section is not contiguous in C order";
  if (asks(flags, PyBUF_F_CONTIGUOUS) && !fortran_order)
    return "the section is not contiguous in Fortran order";
  if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !c_order && !fortran_order)
    return "the section is not contiguous";
  if (!asks(flags, PyBUF_STRIDES) && !c_order) return "the section has strides";
  return nullptr;
}

/// What a Py_buffer refers to.
struct Shown {
  Buffer buffer;
  std::string format;
};

Py_ssize_t* numbers_of(const std::vector<Index>& numbers) {
  static_assert(sizeof(Index) == sizeof(Py_ssize_t));
  return reinterpret_cast<Py_ssize_t*>(const_cast<Index*>(numbers.data()));
}

void fill(PyObject* owner, Shown* shown, Py_buffer* view, int flags) {
  const Buffer& buffer = shown->buffer;
  // The flag below carries the constness.
  view->buf = buffer.data() != nullptr ? const_cast<void*>(buffer.data()) : &nowhere;
  view->itemsize = static_cast<Py_ssize_t>(buffer.type().itemsize());
  view->len = buffer.local_count() * view->itemsize;
  view->readonly = buffer.readonly() ? 1 : 0;
  view->ndim = static_cast<int>(buffer.ndim());
  view->format = asks(flags, PyBUF_FORMAT) ? shown->format.data() : nullptr;
  const bool scalar = buffer.ndim() == 0;
  view->shape = asks(flags, PyBUF_ND) && !scalar ? numbers_of(buffer.local_shape()) : nullptr;
  view->strides =
      asks(flags, PyBUF_STRIDES) && !scalar ? numbers_of(buffer.byte_strides()) : nullptr;
  view->suboffsets = nullptr;
  view->internal = shown;
  view->obj = owner;
  Py_INCREF(owner);
}

void end_show(PyObject*, Py_buffer* view) noexcept {
  delete static_cast<Shown*>(view->internal);
  view->internal = nullptr;
}

/// A Python object that has no other purpose than to expose memory as a buffer, or to carry that of
/// a device to where it is described.
struct Memory {
  Buffer buffer;
};

int get_memory(PyObject* self, Py_buffer* view, int flags) {
  return show(self, py::cast<const Memory&>(py::handle(self)).buffer, view, flags);
}

}  // namespace

void require_current(const Buffer& buffer) {
  if (buffer.state()->plain()) return;
  Producer& producer = buffer.state()->producer();
  const void* const now = producer.begin_access(Access::read, const_cast<void*>(buffer.data()));
  producer.end_access(Access::read);
  if (now != buffer.data())
    throw Stale("memory at a different address than the description says", "");
}

int show(PyObject* owner, const Buffer& buffer, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  try {
    if (const char* const why = obstacle(buffer, flags)) return no_buffer(why);
    require_current(buffer);
    auto shown = std::make_unique<Shown>(Shown{buffer, buffer.type().format()});
    fill(owner, shown.get(), view, flags);
    static_cast<void>(shown.release());  // end_show has it now
    return 0;
  } catch (const std::exception& error) {
    return no_buffer(error.what());
  }
}

void show_buffers(PyHeapTypeObject* type, getbufferproc get) {
  type->as_buffer.bf_getbuffer = get;
  type->as_buffer.bf_releasebuffer = end_show;
  type->ht_type.tp_as_buffer = &type->as_buffer;
}

py::object memory_object(Buffer buffer) {
  const bool host = buffer.space().host();
  py::object memory = py::cast(Memory{std::move(buffer)});
  if (!host) return memory;
  PyObject* const view = PyMemoryView_FromObject(memory.ptr());
  if (view == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(view);
}

const Buffer* device_memory_behind(PyObject* object) {
  if (!is_a<Memory>(object)) return nullptr;
  const Buffer& buffer = py::cast<const Memory&>(py::handle(object)).buffer;
  return buffer.space().host() ? nullptr : &buffer;
}

std::shared_ptr<SharedState> state_behind(PyObject* exporter) {
  if (const Array* const array = array_behind(exporter)) return array->array.buffer().state();
  if (!is_a<Memory>(exporter)) return nullptr;
  return py::cast<const Memory&>(py::handle(exporter)).buffer.state();
}

void bind_memory(py::module_& module) {
  py::class_<Memory>(module, "_Memory", py::custom_type_setup([](PyHeapTypeObject* type) {
                       show_buffers(type, get_memory);
                       type->ht_type.tp_new = refuse_new;
                     }),
                     "Memory that a distributed array refers to.")
      .def_property_readonly(
          "shape", [](const Memory& self) { return tuple_of(self.buffer.local_shape()); });
}

}  // namespace daptor::python
