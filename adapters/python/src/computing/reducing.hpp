// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

namespace daptor::python {

/// Adds `_reduced` and `_divided_alike`, of which daptor._numeric.reductions is made.
void bind_reducing(py::module_& module);

}  // namespace daptor::python
