#pragma once

#include "daptor/explain.hpp"
#include "daptor/report.hpp"
#include "held.hpp"

namespace daptor::python {

/// An Explanation that Python does not take for a list.
struct Explained {
  Explanation entries;
};

/// Adds `Finding`, `Report`, `Assessment` and `Explanation` to the module.
void bind_report(py::module_& module);

}  // namespace daptor::python
