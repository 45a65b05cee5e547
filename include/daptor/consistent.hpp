// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// The proof that the sections of all ranks make one array, with which every import begins.

namespace daptor {

/// Collective. Proves what every import relies on: that the sections of all ranks form one array,
/// by every rule of level `metadata` whose breach is an error (see `validate`). Costs one
/// all-reduce for a regular array without padding, and for any array that was proven before on this
/// communicator. Otherwise it costs two all-reduces, and two messages per distributed dimension or,
/// if ranks are not in row-major order, two exchanges.
/// @param array  the array; it needs no memory
/// @throws Malformed on all ranks, with all findings; the defect of an array that is not described
/// @throws LibraryFailed if the transport fails or a rank runs out of memory
void require_consistent(const DistArray& array);

}  // namespace daptor
