// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "daptor/block_dimensions.hpp"

/// \file
/// Not part of the public interface.

namespace daptor::detail {

/// The part of `options` for dimension `d`. The options have an entry for each dimension, or none
/// (`block_dimensions` checks that).
BlockPadding padding_of(const BlockOptions& options, std::size_t d);

}  // namespace daptor::detail
