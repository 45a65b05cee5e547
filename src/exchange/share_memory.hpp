// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// Whether two sections share memory. This is exact for arrays with the same strides, such as
/// columns of a matrix. Arrays with other strides count as sharing memory if their spans overlap,
/// unless their elements interleave at every step, like the fields of a record. Process-local.
bool share_memory(const DistArray& a, const DistArray& b);

/// Whether two elements of one section share memory, as with a stride of 0 or in a sliding window,
/// so that what is written to one is read from another. Exact, except where finding out would take
/// very long: then they count as sharing it. Process-local.
bool elements_share_memory(const DistArray& array);

}  // namespace daptor::detail
