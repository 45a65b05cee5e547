// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::fortran {

/// Sets the message that the next `daptor_fortran_message` returns on this thread, about a call
/// that succeeded.
void note(std::string text);

}  // namespace daptor::fortran
