// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// How often the elements of a target arrive. The order of the enumerators makes the minimum over
/// all ranks hold for all of them.
enum class Coverage { some_never, some_twice, once };

/// Collective. How often elements arrive, over all processes, by `sharing.wanted` and
/// `sharing.own`, at the `count` elements from `first` of a one-dimensional target. `some_never`
/// takes precedence over `some_twice`.
Coverage coverage_of(const Sharing& sharing, Index first, Index count, Call& call);

}  // namespace daptor::detail
