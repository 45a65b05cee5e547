// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/comm.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// How often elements of a target arrive.
enum class Coverage { once, some_never, some_twice };

/// Collective. What `sharing.wanted` and `sharing.own` bring to the `count` elements from `first`
/// on of a one-dimensional target, over all processes. Where some arrive never, the others do not
/// count.
Coverage coverage_of(const Sharing& sharing, Index first, Index count, const Comm& comm);

}  // namespace daptor::detail
