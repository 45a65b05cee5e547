// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/dist_array.hpp"

/// \file
/// For authors of adapters: the sentence that recommends a copy. Process-local.

namespace daptor::adapter {

/// The first dimension whose indices processes list without saying who owns them, so that an index
/// may be on several; -1 if there is none. A copy then needs RedistributionOptions::read_from_any,
/// and is right only if all of them hold the same value.
int shared_dimension(const Section& array);
inline bool may_share_indices(const Section& array) {
  return shared_dimension(array) >= 0;
}

/// The call that copies the array to blocks, or to slabs of dimension 0, as text.
std::string blocks_copy_call(const Section& array);
std::string slabs_copy_call(const Section& array);

/// Under which condition a copy may read an element that several processes have from any of them.
inline constexpr const char* equal_copies_condition =
    "All copies of an index that several processes have must be equal: a HaloExchange with "
    "HaloOptions::owned gives them the values of their owners.";

/// \name The sentence that recommends a copy: "Copy the array: <call>." If the array may share
/// indices, the call reads them from any process, and the sentence begins with the condition.
/// \{
std::string copy_remedy(const Section& array, const std::string& call);
/// With `blocks_copy_call` and `slabs_copy_call`.
std::string copy_to_blocks(const Section& array);
std::string copy_to_slabs(const Section& array);
/// The same behind another remedy: " Or copy: <call>."
std::string or_copy(const Section& array, const std::string& call);
/// For arrays without lists.
std::string or_copy(const std::string& call);
/// \}

}  // namespace daptor::adapter
