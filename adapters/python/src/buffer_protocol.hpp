// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daptor/buffer.hpp"
#include "held.hpp"

namespace daptor::python {

/// Memory that Python sees through the buffer protocol, as one of its objects shows it.
struct Shown {
  std::string format;
  Py_ssize_t itemsize = 0;
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> byte_strides;
  void* data = nullptr;
  bool readonly = false;
  /// Keeps the memory, and knows the native views on it.
  std::shared_ptr<SharedState> state;

  bool contiguous(Order order) const;
  Py_ssize_t count() const;
};

/// Fills `view` with `shown` as `flags` ask. 0, or -1 with a BufferError: read-only memory asked
/// for writing, strides that were not asked for, memory that is not there or no longer the one
/// described.
int show(PyObject* owner, Shown shown, Py_buffer* view, int flags) noexcept;
void end_show(PyObject* owner, Py_buffer* view) noexcept;

/// Throws Stale where the memory is no longer what was described.
void require_current(const Shown& shown);

/// Lets a class have the buffer protocol by `get` and `end_show`.
void show_buffers(PyHeapTypeObject* type, getbufferproc get);

/// A memoryview of memory that some object in C++ keeps.
py::object memoryview_of(Shown shown);
/// What a memoryview_of, or a daptor.Array, shows; null for any other object.
std::shared_ptr<SharedState> state_behind(PyObject* exporter);

void bind_memory(py::module_& module);

}  // namespace daptor::python
