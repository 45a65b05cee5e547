// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/call.hpp"
#include "daptor/section.hpp"
#include "proof/proven.hpp"

namespace daptor::detail {

/// Collective over the ranks of an array with this proof. The bounds of its uneven blocks; null if
/// all blocks are even, and in the call in which this rank has failed already. They are gathered by
/// the first call, in log2(grid size) steps of messages for each dimension with uneven blocks, and
/// kept with the proof.
std::shared_ptr<const Bounds> bounds_of(const Section& array, const Proven& proven, Call& call);

}  // namespace daptor::detail
