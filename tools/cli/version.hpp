// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::cli {

/// The version of Daptor, of the protocol, and what this command was built with.
std::string version_text();

}  // namespace daptor::cli
