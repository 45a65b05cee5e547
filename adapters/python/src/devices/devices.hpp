// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `register_device` to the module.
void bind_devices(py::module_& module);

}  // namespace daptor::python
