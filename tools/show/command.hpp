// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/session.hpp"

namespace daptor::show {

/// Adds the subcommand `show` to `daptor`.
void add_show(CLI::App& daptor, cli::Action& action, const cli::Host& host);

}  // namespace daptor::show
