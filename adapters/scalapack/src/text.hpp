// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/types.hpp"

namespace daptor::scalapack {

/// A number in a message.
inline std::string text(Index value) {
  return std::to_string(value);
}

}  // namespace daptor::scalapack
