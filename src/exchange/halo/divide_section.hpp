// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "exchange/pieces.hpp"

namespace daptor::detail {

/// For each dimension, the pieces of the section along it, one for each owner. `divide_lists` fills
/// in the dimensions that need a directory of indices.
using Pieces = std::vector<std::vector<Piece>>;

/// Collective. Fills in the pieces of unstructured dimensions whose indices may be shared. `map` is
/// the map of `array`, and `owned` is HaloOptions::owned, given on all ranks or on none. If a list
/// breaks a rule (U12, `owned.twice`, `owned.nobody`), throws Malformed with what `validate` would
/// report.
void divide_lists(const Section& array, const GlobalIndexMap& map,
                  const std::optional<Dimension>& owned, Call& call, Pieces& pieces);

/// Process-local. Fills in the pieces of all other dimensions, and removes pieces without
/// elements.
void divide_blocks(const GlobalIndexMap& map, const std::optional<Dimension>& owned,
                   Pieces& pieces);

}  // namespace daptor::detail
