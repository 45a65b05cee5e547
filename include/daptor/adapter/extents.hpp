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

/// The product of the factors from position `first` on: 0 where one of them is 0, 1 where there is
/// none, `nullopt` where 64 bits do not hold it. Process-local.
std::optional<Index> product(const std::vector<Index>& factors, std::size_t first = 0);

/// The product of the global sizes of the dimensions from `first` on: elements of the logical
/// array, where no dimension is unstructured. Process-local.
std::optional<Index> global_count(const std::vector<Dimension>& dimensions, std::size_t first = 0);

}  // namespace daptor::adapter
