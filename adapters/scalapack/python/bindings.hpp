// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds the class `Grid` to the module.
void bind_grid(py::module_& module);
/// Adds `import_matrix` and `transposed` to the module.
void bind_importing_matrix(py::module_& module);
/// Adds `export_matrix` to the module.
void bind_exporting_matrix(py::module_& module);
/// Adds what `call` is made of to the module.
void bind_calling(py::module_& module);
/// Adds `copy_to_matrix` and `copy_from_matrix` to the module.
void bind_copying_matrix(py::module_& module);

}  // namespace daptor::python
