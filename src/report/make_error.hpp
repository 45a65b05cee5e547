// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>

#include "daptor/error.hpp"

namespace daptor::detail {

/// What `throw_error` throws, for a caller that throws it once it has nothing left to clean up:
/// unwinding the stack is most of what an error costs.
std::exception_ptr make_error(ErrorKind kind, const Report& report);

}  // namespace daptor::detail
