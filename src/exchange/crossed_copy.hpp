// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exchange/paired_loops.hpp"

namespace daptor::detail {

/// Iterations across that are copied together: two cache lines of doubles.
constexpr Index crossed_edge = 16;
/// Iterations down that are copied one after the other, so that pages stay in use.
constexpr Index crossed_strip = 256;

/// What copies elements of `run` bytes in two crossed loops.
PairedLoops::Kernel crossed_kernel(Index run);

}  // namespace daptor::detail
