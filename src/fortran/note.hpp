// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::fortran {

/// What `daptor_fortran_message` tells this thread next, of a call that succeeded.
void note(std::string text);

}  // namespace daptor::fortran
