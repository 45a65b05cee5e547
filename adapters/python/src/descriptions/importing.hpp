// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arrays/array.hpp"
#include "daptor/call.hpp"
#include "descriptions/read.hpp"

namespace daptor::python {

/// Collective. The array of the ranks' sections, which `reading` has read and a check of the call
/// has judged.
Array imported(Call& call, Section array, HeldComm comm, const Reading& reading);

/// Adds `import_`, `validate`, `explain`, `agreed` and the functions that the builders call to the
/// module.
void bind_importing(py::module_& module);

}  // namespace daptor::python
