// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "reading.hpp"

namespace daptor::search {

/// Judges the index list of an unstructured dimension, and appends its indices to `indices`.
/// Returns whether the list is right by itself.
/// @param value  the list; null if the key is absent
bool judge_indices(const Value* value, const DimensionFindings& findings,
                   std::vector<std::int64_t>& indices);

}  // namespace daptor::search
