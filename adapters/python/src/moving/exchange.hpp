// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `HaloExchange` to the module.
void bind_exchange(py::module_& module);

}  // namespace daptor::python
