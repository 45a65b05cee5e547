// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calls/held.hpp"
#include "daptor/buffer.hpp"

namespace daptor::python {

/// Memory as a Python object describes it. Only that of the host is exposed through the buffer
/// protocol.
struct Shown {
  std::string format;
  Py_ssize_t itemsize = 0;
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> byte_strides;
  void* data = nullptr;
  bool readonly = false;
  MemorySpace space = {};
  /// Keeps the memory alive, and knows the native views on it.
  std::shared_ptr<SharedState> state;

  bool contiguous(Order order) const;
  Py_ssize_t count() const;
};

/// Fills `view` with `shown` in the form that `flags` request. Returns 0, or -1 with a BufferError:
/// writable access to read-only memory, strided memory for a consumer that did not request strides,
/// no memory, or other memory than was described.
int show(PyObject* owner, Shown shown, Py_buffer* view, int flags) noexcept;
void end_show(PyObject* owner, Py_buffer* view) noexcept;

/// Throws Stale where the memory is no longer what was described.
void require_current(const Shown& shown);

/// Gives a class the buffer protocol, implemented by `get` and `end_show`.
void show_buffers(PyHeapTypeObject* type, getbufferproc get);

/// A memoryview of memory that a C++ object keeps alive.
py::object memoryview_of(Shown shown);
/// The same for memory of the host. For that of a device an object that has a `shape` and nothing
/// else that Python could use.
py::object memory_object(Shown shown);
/// What such an object has; null for any other object.
const Shown* device_memory_behind(PyObject* object);
/// The memory that a result of memoryview_of, or a daptor.Array, exposes; null for any other
/// object.
std::shared_ptr<SharedState> state_behind(PyObject* exporter);

void bind_memory(py::module_& module);

}  // namespace daptor::python
