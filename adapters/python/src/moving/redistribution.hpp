// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `Redistribution`, `redistribute` and `bytes_to_redistribute` to the module.
void bind_redistribution(py::module_& module);

}  // namespace daptor::python
