// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "calls/held.hpp"
#include "daptor/buffer.hpp"

/// \file
/// The buffer protocol (PEP 3118), which exposes memory of the host alone.

namespace daptor::python {

/// Fills `view` with `buffer` in the form that `flags` request. Returns 0, or -1 with a
/// BufferError: writable access to read-only memory, strided memory for a consumer that did not
/// request strides, no memory, or other memory than was described.
int show(PyObject* owner, const Buffer& buffer, Py_buffer* view, int flags) noexcept;

/// Throws Stale where the memory is no longer what was described.
void require_current(const Buffer& buffer);

/// Gives a class the buffer protocol, implemented by `get` and `end_show`.
void show_buffers(PyHeapTypeObject* type, getbufferproc get);

/// A memoryview of memory of the host, which the memoryview keeps alive. For that of a device an
/// object that has a `shape` and nothing else that Python could use.
py::object memory_object(Buffer buffer);
/// What such an object of a device has; null for any other object.
const Buffer* device_memory_behind(PyObject* object);
/// The memory that a result of memory_object, or a daptor.Array, exposes; null for any other
/// object.
std::shared_ptr<SharedState> state_behind(PyObject* exporter);

void bind_memory(py::module_& module);

}  // namespace daptor::python
