// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <string>

#include "daptor/error.hpp"
#include "held.hpp"

namespace daptor::python {

/// Makes every error of Daptor that leaves a bound function an exception of daptor._errors.
void bind_errors(py::module_& module);

/// The Daptor error that this Python exception stands for; null for any other exception.
std::exception_ptr as_daptor_error(const py::error_already_set& error);

/// Who threw what, in one line: "ValueError: no grid (grid.py:12 in __distarray__)". Runs foreign
/// code (`__str__`), and lets nothing of it out.
std::string describe(const py::error_already_set& error);
std::string describe(const py::object& exception);

/// Makes this exception the `__cause__` of the next error of Daptor that leaves a function on this
/// thread, where that one's finding says `found`: on other ranks it is about somebody else.
void set_cause(const py::error_already_set& error, const std::string& found);
void clear_cause();

}  // namespace daptor::python
