// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `_Dimensions`, the dimensions of a rank's section, and `_import_section` to the module: the
/// builders of the package need them.
void bind_building(py::module_& module);

}  // namespace daptor::python
