// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"
#include "held.hpp"

namespace daptor::python {

/// The section as a DLPack capsule, "dltensor" or "dltensor_versioned". Raises BufferError for what
/// DLPack cannot say: other byte orders, strides between elements, read-only memory without a
/// version.
py::capsule make_dlpack(const DistArray& array, bool versioned);

/// Adds `_dlpack_memory`: the memory of an object that has `__dlpack__` alone, as a memoryview.
void bind_dlpack(py::module_& module);

}  // namespace daptor::python
