// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Translates every error of Daptor that leaves a function of one of the package's modules into an
/// exception of daptor._errors.
void bind_errors(py::module_& module);

}  // namespace daptor::python
