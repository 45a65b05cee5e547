#pragma once

#include "daptor/dist_array.hpp"
#include "held.hpp"

namespace daptor::python {

/// The section as a DLPack capsule, "dltensor" or "dltensor_versioned". Raises BufferError for what
/// DLPack cannot say: other byte orders, strides between elements, read-only memory without a
/// version.
py::capsule make_dlpack(const DistArray& array, bool versioned);

}  // namespace daptor::python
