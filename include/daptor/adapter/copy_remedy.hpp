// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/dist_array.hpp"

/// \file
/// For authors of adapters: the sentence that recommends a copy. Process-local.

namespace daptor::adapter {

/// Whether processes list indices without saying who owns them, so that an index may be on several:
/// a copy then needs RedistributionOptions::read_from_any, and is right only if all of them hold
/// the same value.
bool may_share_indices(const DistArray& array);

/// The call that copies the array to blocks, or to slabs of dimension 0, as text.
std::string blocks_copy_call(const DistArray& array);
std::string slabs_copy_call(const DistArray& array);

/// "Copy the array: <call>.", with the condition under which that copies the right values.
std::string copy_remedy(const DistArray& array, const std::string& call);

}  // namespace daptor::adapter
