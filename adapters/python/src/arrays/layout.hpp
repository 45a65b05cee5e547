// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `Layout`, the functions that make one, and `Array.like` and `Array.redistributed` to the
/// module, which has `Array` already.
void bind_layout(py::module_& module);

}  // namespace daptor::python
