// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: how many elements there are, where 64 bits may not hold the number.

namespace daptor::adapter {

/// A product of extents. Process-local.
/// @param factors  zero or more each
/// @param first    position of the first factor that counts
/// @returns 0 where one of them is 0, 1 where there is none, `nullopt` where 64 bits do not hold it
std::optional<Index> product(const std::vector<Index>& factors, std::size_t first = 0);

/// The product of the global sizes: elements of the logical array, where no dimension is
/// unstructured. Process-local.
/// @param dimensions  of this process; the result is the same on all
/// @param first       the first dimension that counts
/// @returns as `product`
std::optional<Index> global_count(const std::vector<Dimension>& dimensions, std::size_t first = 0);

}  // namespace daptor::adapter
