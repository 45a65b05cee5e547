// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/form.hpp"

namespace daptor::fft::detail {

/// What a box asks of an array: indices that are one range, and strides of whole elements.
const adapter::Form& box_form();
/// What a tile of fftMPI asks, as far as one process sees it.
const adapter::Form& tile_form();
/// What a slab asks: a dimension that is divided among several processes, packed rows in row-major
/// order.
const adapter::Form& slab_form();

}  // namespace daptor::fft::detail
