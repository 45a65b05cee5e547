// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <vector>

#include "cli/describe.hpp"

namespace daptor::cli {

/// Manual page of `commands[which]`: `daptor.1`, `daptor-check.1`, ….
void write_man_page(std::ostream& out, const std::vector<CommandDescription>& commands,
                    std::size_t which);

}  // namespace daptor::cli
