// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/buffer_protocol.hpp"

#include <exception>
#include <utility>

#include <pybind11/stl.h>

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

/// The reason why `shown` cannot be given in the form that `flags` request; null if it can.
const char* obstacle(const Shown& shown, int flags) {
  if (!shown.space.host()) return "memory of a device";
  if (shown.data == nullptr && shown.count() != 0) return "a description without memory";
  if (asks(flags, PyBUF_WRITABLE) && shown.readonly) return "the array is read-only";
  const bool c_order = shown.contiguous(Order::c);
  const bool fortran_order = shown.contiguous(Order::fortran);
  if (asks(flags, PyBUF_C_CONTIGUOUS) && !c_order)
    return "the section is not contiguous in C order";
  if (asks(flags, PyBUF_F_CONTIGUOUS) && !fortran_order)
    return "the section is not contiguous in Fortran order";
  if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !c_order && !fortran_order)
    return "the section is not contiguous";
  if (!asks(flags, PyBUF_STRIDES) && !c_order) return "the section has strides";
  return nullptr;
}

void fill(PyObject* owner, Shown* shown, Py_buffer* view, int flags) {
  view->buf = shown->data != nullptr ? shown->data : &nowhere;
  view->len = shown->count() * shown->itemsize;
  view->itemsize = shown->itemsize;
  view->readonly = shown->readonly ? 1 : 0;
  view->ndim = static_cast<int>(shown->shape.size());
  view->format = asks(flags, PyBUF_FORMAT) ? shown->format.data() : nullptr;
  const bool scalar = shown->shape.empty();
  view->shape = asks(flags, PyBUF_ND) && !scalar ? shown->shape.data() : nullptr;
  view->strides = asks(flags, PyBUF_STRIDES) && !scalar ? shown->byte_strides.data() : nullptr;
  view->suboffsets = nullptr;
  view->internal = shown;
  view->obj = owner;
  Py_INCREF(owner);
}

/// A Python object that has no other purpose than to expose memory as a buffer, or to carry that of
/// a device to where it is described.
struct Memory {
  Shown shown;
};

int get_memory(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  try {
    return show(self, py::cast<const Memory&>(py::handle(self)).shown, view, flags);
  } catch (const std::exception& error) {
    return no_buffer(error.what());
  }
}

}  // namespace

void require_current(const Shown& shown) {
  if (!shown.state || shown.state->plain()) return;
  Producer& producer = shown.state->producer();
  const void* const now = producer.begin_access(Access::read, shown.data);
  producer.end_access(Access::read);
  if (now != shown.data) throw Stale("memory at a different address than the description says", "");
}

Py_ssize_t Shown::count() const {
  Py_ssize_t product = 1;
  for (const Py_ssize_t extent : shape) product *= extent;
  return product;
}

bool Shown::contiguous(Order order) const {
  if (count() == 0) return true;
  Py_ssize_t gapless = itemsize;
  const std::size_t ndim = shape.size();
  for (std::size_t k = 0; k < ndim; ++k) {
    const std::size_t d = order == Order::c ? ndim - 1 - k : k;
    if (shape[d] != 1 && byte_strides[d] != gapless) return false;
    gapless *= shape[d];
  }
  return true;
}

int show(PyObject* owner, Shown shown, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  try {
    if (const char* const why = obstacle(shown, flags)) return no_buffer(why);
    require_current(shown);
    auto kept = std::make_unique<Shown>(std::move(shown));
    fill(owner, kept.get(), view, flags);
    static_cast<void>(kept.release());  // end_show has it now
    return 0;
  } catch (const std::exception& error) {
    return no_buffer(error.what());
  }
}

void end_show(PyObject*, Py_buffer* view) noexcept {
  delete static_cast<Shown*>(view->internal);
  view->internal = nullptr;
}

void show_buffers(PyHeapTypeObject* type, getbufferproc get) {
  type->as_buffer.bf_getbuffer = get;
  type->as_buffer.bf_releasebuffer = end_show;
  type->ht_type.tp_as_buffer = &type->as_buffer;
}

py::object memoryview_of(Shown shown) {
  const py::object memory = py::cast(Memory{std::move(shown)});
  PyObject* const view = PyMemoryView_FromObject(memory.ptr());
  if (view == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(view);
}

py::object memory_object(Shown shown) {
  return shown.space.host() ? memoryview_of(std::move(shown)) : py::cast(Memory{std::move(shown)});
}

const Shown* device_memory_behind(PyObject* object) {
  if (!is_a<Memory>(object)) return nullptr;
  const Shown& shown = py::cast<const Memory&>(py::handle(object)).shown;
  return shown.space.host() ? nullptr : &shown;
}

std::shared_ptr<SharedState> state_behind(PyObject* exporter) {
  if (const Array* const array = array_behind(exporter)) return array->array.buffer().state();
  if (!is_a<Memory>(exporter)) return nullptr;
  return py::cast<const Memory&>(py::handle(exporter)).shown.state;
}

void bind_memory(py::module_& module) {
  py::class_<Memory>(module, "_Memory", py::custom_type_setup([](PyHeapTypeObject* type) {
                       show_buffers(type, get_memory);
                       type->ht_type.tp_new = refuse_new;
                     }),
                     "Memory that a distributed array refers to.")
      .def_property_readonly(
          "shape", [](const Memory& self) { return py::tuple(py::cast(self.shown.shape)); });
}

}  // namespace daptor::python
