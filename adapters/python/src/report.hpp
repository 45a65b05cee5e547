// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/explain.hpp"
#include "daptor/report.hpp"
#include "held.hpp"

namespace daptor::python {

/// Text for Python: bytes that are no UTF-8, such as of a text that was cut, are replaced.
py::str to_text(const std::string& bytes);

/// An Explanation that Python does not take for a list.
struct Explained {
  Explanation entries;
};

/// Adds `Finding`, `Report`, `Assessment` and `Explanation` to the module.
void bind_report(py::module_& module);

}  // namespace daptor::python
