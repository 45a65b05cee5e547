#pragma once

#include "daptor/report.hpp"
#include "held.hpp"

namespace daptor::python {

/// Adds `Finding`, `Report`, `Assessment` and `Explanation` to the module.
void bind_report(py::module_& module);

}  // namespace daptor::python
