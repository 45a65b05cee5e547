// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "box_reasons.hpp"
#include "daptor/adapter/form.hpp"
#include "daptor/fft/tile.hpp"

namespace daptor::fft::detail {

/// What a tile of fftMPI asks of an array, as far as one process sees it.
const adapter::Form& tile_form();
/// What a slab asks: a dimension that is divided among several processes, packed rows in row-major
/// order.
const adapter::Form& slab_form();

/// Refuses a tile that is none: numbers that are missing, a dimension twice, an end before the
/// beginning. Process-local.
/// @throws InvalidArgument (`fft.corners`)
void require_tile(const Tile& tile);

}  // namespace daptor::fft::detail
