// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "show/scene.hpp"

namespace daptor::show {

/// Writes the ranks with their sections as a table for a terminal.
void write_legend(std::ostream& out, const Scene& scene, const TerminalOptions& options);

}  // namespace daptor::show
