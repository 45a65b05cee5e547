// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "box_reasons.hpp"
#include "daptor/fft/tile.hpp"

namespace daptor::fft::detail {

/// The reasons why the section is no tile of fftMPI, as far as one process sees them.
/// Process-local.
adapter::Reasons tile_reasons(const Section& array);

/// The reasons why the section is no slab, as far as one process sees them: a dimension that is
/// divided among several processes, packed rows in row-major order. Process-local.
adapter::Reasons slab_reasons(const Section& array);

/// Refuses a tile that is none: numbers that are missing, a dimension twice, an end before the
/// beginning. Process-local.
/// @throws InvalidArgument (`fft.corners`)
void require_tile(const Tile& tile);

}  // namespace daptor::fft::detail
