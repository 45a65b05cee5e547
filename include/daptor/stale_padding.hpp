// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/report.hpp"

/// \file
/// Whether communication padding and ghosts have the values of their owners.

namespace daptor {

/// Collective. Compares each copy of an element, as `update_padding` would fill it, with the value
/// of its owner. Nothing is written to the array, which may be read-only.
///
/// \code
/// step(a);
/// const daptor::Report report = daptor::stale_padding(a);  // on all ranks
/// if (!report) std::cerr << report << '\n';
/// \endcode
///
/// Example: 18 elements on two processes with padding (1, 1). If process 1 has changed its first
/// element and nothing was exchanged since, the finding of rank 0 is that the copy of the element 9
/// holds the former value.
///
/// Costs what a HaloExchange and an update cost, memory for the local section (twice on a device),
/// and one reading of it.
/// @param array    the array, with memory
/// @param options  which padding must be right, and who owns which index: those of the exchange
///                 that the program makes; the same on all ranks
/// @returns the same report on all ranks: true if every copy equals its owner (two NaN are equal),
///   otherwise with one finding, `check.ghosts.stale`, which names the ranks with such copies, the
///   first one on the lowest of these ranks with both values, how many there are, and the largest
///   difference of all ranks
/// @throws Error like HaloExchange, on all ranks, except for read-only arrays
Report stale_padding(const DistArray& array, const HaloOptions& options = {});

}  // namespace daptor
