// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "calls/held.hpp"
#include "daptor/section.hpp"

namespace daptor::python {

/// The section as a DLPack capsule, "dltensor" or "dltensor_versioned". Raises BufferError for an
/// array that DLPack cannot describe: foreign byte order, strides that are not whole elements, or
/// read-only memory in the older capsule, which has no flag for it. `copy`, if it is not null, has
/// the section's elements in row-major order: the tensor is then on them, and not on the array's
/// memory.
py::capsule make_dlpack(const Section& array, bool versioned, std::unique_ptr<std::byte[]> copy);

/// The memory of a tensor that `make_dlpack` has made, in its capsule, or in the one by which a
/// NumPy array keeps the tensor alive. Null for other objects.
std::shared_ptr<SharedState> state_behind_tensor(PyObject* capsule);

/// The memory of an object that has `__dlpack__`, as memory_object gives it. That of CUDA and ROCm
/// is to be used on their default streams. Throws InvalidArgument for a tensor that Daptor cannot
/// describe, which is left in its capsule.
py::object dlpack_memory(const py::object& object);

}  // namespace daptor::python
