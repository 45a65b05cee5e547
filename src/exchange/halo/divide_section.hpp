// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "exchange/pieces.hpp"

namespace daptor::detail {

/// For each dimension the section along it, divided by owners; of dimensions that only a directory
/// of indices can divide it is filled by `divide_lists`.
using Pieces = std::vector<std::vector<Piece>>;

/// Collective. Fills the pieces of unstructured dimensions whose indices processes may share.
/// `owned`: HaloOptions::owned, on all ranks or on none.
void divide_lists(const GlobalIndexMap& map, const std::optional<Dimension>& owned,
                  const Comm& comm, Pieces& pieces);

/// Process-local. Fills the pieces of all others. Nothing without elements stays.
void divide_blocks(const GlobalIndexMap& map, const std::optional<Dimension>& owned,
                   Pieces& pieces);

}  // namespace daptor::detail
