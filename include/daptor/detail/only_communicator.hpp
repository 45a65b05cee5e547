// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/communicator.hpp"

namespace daptor::detail {

/// Process-local. The communicator of several processes that Daptor has met and that is alive,
/// where there is just one; null otherwise. For a rank whose arguments do not say who the others of
/// a collective call are: they can only be on this one.
std::shared_ptr<const MpiCommunicator> only_communicator();

}  // namespace daptor::detail
