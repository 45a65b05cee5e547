// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "calls/held.hpp"

/// \file
/// Signatures of compiled functions. pybind11 writes one with types as the first line of a
/// function's docstring.

namespace daptor::python {

/// Replaces `**kwargs` in the signature of a function, and the line `{options}` in its text.
/// @param keywords  `flat: bool = False, width: int = 0`
/// @param options   what each keyword means
void sign(py::handle function, const std::string& keywords, const std::string& options);

/// Gives all functions and classes of a module signatures that `inspect.signature` finds. The line
/// with types goes to the module's attribute `_typed`, a dictionary by qualified names, of which
/// the stubs are made. The last call of a module's definition.
void finish_signatures(py::module_& module);

}  // namespace daptor::python
