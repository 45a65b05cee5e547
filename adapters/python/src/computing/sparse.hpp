// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `enumerate`, the segmented scans, `pack`, `unpack` and `packed`.
void bind_sparse(py::module_& module);

}  // namespace daptor::python
