// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `_memory_of` to the module: the memory of an object without the buffer protocol that has
/// `__dlpack__` or `__cuda_array_interface__`, or of an Array whose memory a device has. Null if
/// the object has none of these.
void bind_device_memory(py::module_& module);

}  // namespace daptor::python
