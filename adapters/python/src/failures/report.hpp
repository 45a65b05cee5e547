// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "calls/held.hpp"
#include "daptor/explain.hpp"
#include "daptor/report.hpp"

namespace daptor::python {

/// Text for Python. Bytes that are not UTF-8, such as those of a truncated text, are replaced.
py::str to_text(const std::string& bytes);

/// Wraps an Explanation, which pybind11 would otherwise convert to a list.
struct Explained {
  Explanation entries;
};

/// How messages are rendered for Python.
inline const Rendering in_python{Language::python};

/// Adds `Finding`, `Report`, `Assessment` and `Explanation` to the module.
void bind_report(py::module_& module);

}  // namespace daptor::python
