// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `import_`, `validate`, `explain`, `agreed` and the functions that the builders call to the
/// module.
void bind_importing(py::module_& module);

}  // namespace daptor::python
