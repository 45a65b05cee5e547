// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/explain.hpp"
#include "daptor/report.hpp"

namespace daptor::python {

/// The library's advice, with the calls and options of the Python package in place of those of C++:
/// `to_petsc(padded=True)` for `import_padded_vec`.
std::string in_python(std::string text);

/// The call as a Python program writes it: `a.copy_to_petsc(read_from_any=True)`. Empty if the
/// package has no such function, or nothing is suggested.
std::string in_python(const Suggestion& suggestion);

/// \name The same with the calls that they suggest in the words of Python, as far as it has such
/// calls. Other texts remain as they are.
/// \{
Finding in_python(Finding finding);
Report in_python(const Report& report);
Assessment in_python(Assessment assessment);
Explanation in_python(const Explanation& explanation);
/// \}

/// Says what else to do about findings of this rule on this key, in a sentence. A later text
/// replaces an earlier one.
void add_python_remedy(const std::string& rule, const std::string& key, std::string text);

/// Says how a Python program writes a suggested call.
/// @param function  see Suggestion; with the option `layout` of the core's functions behind it:
///                  `redistributed slab`
/// @param call      the call, with `{}` where options go: `a.copy_to_petsc(padded=True{})`
void add_python_copy(const std::string& function, std::string call);

}  // namespace daptor::python
