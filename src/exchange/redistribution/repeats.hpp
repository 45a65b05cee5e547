// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Collective. The sharing with each element of the target once: what is on this process already is
/// preferred to what another sends, and a lower rank to a higher one. All regions have one
/// dimension, and those of the target are among the `count` elements from `first`.
Sharing without_repeats(Sharing sharing, Index first, Index count, Call& call);

}  // namespace daptor::detail
