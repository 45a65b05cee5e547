// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/value.hpp"
#include "json/recorded.hpp"
#include "layout.hpp"
#include "random.hpp"

namespace daptor::search {

/// What the producers of all ranks say about the array, in any words that mean it: element types,
/// strides, the order of keys and what is optional are left to chance. Without element memory.
Recorded describe_layout(Random& random, const Layout& layout);

/// The list as a buffer of any integer type that holds it, with any stride.
Value index_buffer(Random& random, const std::vector<Index>& indices);

}  // namespace daptor::search
