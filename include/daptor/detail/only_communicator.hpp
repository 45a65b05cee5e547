// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"

namespace daptor::detail {

/// Process-local. The communicator of several processes that Daptor knows and that is alive, if
/// there is exactly one; `nullopt` otherwise. If a rank's arguments do not say which ranks make a
/// collective call with it, they can only be those of this communicator.
std::optional<Comm> only_communicator();

}  // namespace daptor::detail
