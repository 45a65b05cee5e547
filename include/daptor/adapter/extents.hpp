// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: numbers of elements that may not fit in 64 bits.

namespace daptor::adapter {

/// A product of extents. Process-local.
/// @param factors  zero or more each
/// @param first    position of the first factor that is used
/// @returns 0 if one of them is 0, 1 if there are none, `nullopt` if the product does not fit in 64
///   bits
std::optional<Index> product(const std::vector<Index>& factors, std::size_t first = 0);

/// The product of the global sizes, that is, the number of elements of the logical array if no
/// dimension is unstructured. Process-local.
/// @param dimensions  those of this process; the result is the same on all processes
/// @param first       the first dimension that is used
/// @returns see `product`
std::optional<Index> global_count(const std::vector<Dimension>& dimensions, std::size_t first = 0);

}  // namespace daptor::adapter
