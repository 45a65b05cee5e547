// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::detail {

/// How ranks of a node exchange large arrays, and why not otherwise: `memory of the other process,
/// shared pages, ...` or `messages (...)`. Process-local: tries it on this process itself.
std::string node_text();

}  // namespace daptor::detail
