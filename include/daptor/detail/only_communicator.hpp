// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"

namespace daptor::detail {

/// Process-local. The communicator of several processes that Daptor has met and that is alive,
/// where there is just one; nothing otherwise. For a rank whose arguments do not say who the others
/// of a collective call are: they can only be on this one.
std::optional<Comm> only_communicator();

}  // namespace daptor::detail
