// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/block_dimensions.hpp"

/// \file
/// Not part of the public interface.

namespace daptor::detail {

/// The part of `options` for dimension `d`. The options have an entry for each dimension, or none
/// (`block_dimensions` checks that).
BlockPadding padding_of(const BlockOptions& options, std::size_t d);

/// `block_dimensions` on a grid that is known; `grid` and `periodic` of the options do not count.
/// Throws InvalidArgument for a wrong number of entries.
std::vector<Dimension> even_blocks(const IndexVector& global_shape, const ProcessGrid& on,
                                   const BlockOptions& options);

}  // namespace daptor::detail
