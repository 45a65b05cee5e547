// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds the classes of the objects that `Array.read()` and `Array.write()` return to the module.
void bind_lease(py::module_& module);

}  // namespace daptor::python
