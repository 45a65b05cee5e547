// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::cli {

/// The versions of Daptor, of the protocol, and of the libraries that this command was built with.
std::string version_text();

}  // namespace daptor::cli
