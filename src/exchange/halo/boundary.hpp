// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "exchange/sharing.hpp"

/// \file
/// An owner's boundary padding takes no contributions: how much of each region that is only the
/// owner knows.

namespace daptor::detail {

/// Process-local. What this process tells those that copy from it: the part of each region that
/// contributions may reach.
std::vector<Message> inner_parts(const Sharing& plan, const GlobalIndexMap& map);

/// Process-local. The plan without boundary padding of owners; `replies` are what the owners of
/// `plan.wanted` told, in their order.
Sharing without_boundary(const Sharing& plan, const GlobalIndexMap& map,
                         const std::vector<Message>& replies);

}  // namespace daptor::detail
