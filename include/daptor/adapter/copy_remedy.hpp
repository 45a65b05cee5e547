// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"
#include "daptor/suggestion.hpp"

/// \file
/// For authors of adapters: the copies that reasons suggest. Process-local.

namespace daptor::adapter {

/// The first dimension whose indices processes list without saying who owns them, so that an index
/// may be on several; -1 if there is none. A copy then needs RedistributionOptions::read_from_any,
/// and is right only if all of them hold the same value.
int shared_dimension(const Section& array);
inline bool may_share_indices(const Section& array) {
  return shared_dimension(array) >= 0;
}

/// A copy of the array: with the option `read_from_any` if it may share indices.
/// @param function  see Suggestion
/// @param plain     the call
/// @param shared    the call with `read_from_any`
Suggestion suggest_copy(const Section& array, const char* function, const Terms& plain,
                        const Terms& shared);

/// \name Copies by `redistributed`: to blocks, and to slabs of dimension 0
/// \{
Suggestion copy_to_blocks(const Section& array);
Suggestion copy_to_slabs(const Section& array);
/// \}

}  // namespace daptor::adapter
