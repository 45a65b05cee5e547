// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::python {

/// The library's advice, with the calls and options of the Python package in place of those of C++:
/// `to_petsc(padded=True)` for `import_padded_vec`.
std::string in_python(std::string text);

}  // namespace daptor::python
