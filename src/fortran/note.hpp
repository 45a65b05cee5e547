// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::fortran {

/// Sets the message that `daptor_fortran_message` returns to this thread next, about a call that
/// succeeded.
void note(std::string text);

}  // namespace daptor::fortran
