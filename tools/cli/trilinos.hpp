// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::cli {

/// `Trilinos 13.2`. There where the Tpetra adapter is built.
std::string trilinos_text();

}  // namespace daptor::cli
