// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `export` to the module.
void bind_exporting(py::module_& module);
/// Adds `to_vec`, `to_dmda` and `ImportedDMDA` to the module.
void bind_importing_petsc(py::module_& module);
/// Adds `check`, `check_ghosts` and `ValueWatch` to the module.
void bind_checking(py::module_& module);
/// Adds `to_dense`, `export_csr` and `csr_to_petsc` to the module.
void bind_matrices(py::module_& module);
/// Adds `load_plugin` to the module, and what tells errors of Daptor in PETSc apart.
void bind_plugin(py::module_& module);

}  // namespace daptor::python
