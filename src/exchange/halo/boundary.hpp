// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "exchange/sharing.hpp"

/// \file
/// The boundary padding of an owner does not accept contributions. Only the owner knows which part
/// of a region is boundary padding, so it tells the other processes.

namespace daptor::detail {

/// Process-local. The messages of this process to the processes that copy from it: they say which
/// part of each region accepts contributions.
std::vector<Message> inner_parts(const Sharing& plan, const GlobalIndexMap& map);

/// Process-local. The plan without the owners' boundary padding; `replies` are the messages of the
/// owners of `plan.wanted`, in the same order.
Sharing without_boundary(const Sharing& plan, const GlobalIndexMap& map,
                         const std::vector<Message>& replies);

}  // namespace daptor::detail
