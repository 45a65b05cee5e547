// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trilinos.hpp"

#include <Trilinos_version.h>

namespace daptor::cli {

std::string trilinos_text() {
  return "Trilinos " TRILINOS_VERSION_STRING;
}

}  // namespace daptor::cli
