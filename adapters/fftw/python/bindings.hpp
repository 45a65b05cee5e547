// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds the class `Transform` and `fitting_output` to the module.
void bind_transform(py::module_& module);
/// Adds `box`, `tile`, `slab` and `complex_view` to the module.
void bind_tilings(py::module_& module);

}  // namespace daptor::python
