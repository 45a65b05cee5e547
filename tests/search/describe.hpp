// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/value.hpp"
#include "json/recorded.hpp"
#include "layout.hpp"
#include "random.hpp"

namespace daptor::search {

/// Describes the array as the producers of all ranks would, in any form that means it: element
/// types, strides, the order of keys and optional keys are random. Without element memory.
Recorded describe_layout(Random& random, const Layout& layout);

/// The list as a buffer of any integer type that can hold it, with any stride.
Value index_buffer(Random& random, const std::vector<Index>& indices);

}  // namespace daptor::search
