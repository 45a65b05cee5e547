// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fft/transform.hpp"

namespace daptor::fft::detail {

/// Dimensions of this rank's section of the output that takes the fewest and smallest
/// redistributions (`fitting_output`). Process-local.
/// @throws InvalidArgument (`fft.type`, `fft.shape`, `fft.dimensions`)
std::vector<Dimension> fitting_dimensions(const Section& input, const Comm& comm,
                                          const TransformOptions& options);

/// Dimensions of this rank's section of an output in the layout of the input, without padding. If
/// the dimension that is halved is divided, its size / 2 + 1 frequencies are on the same processes:
/// of blocks each process has an equal share, of anything else what is left of its own indices.
/// Process-local.
/// @throws InvalidArgument as `fitting_dimensions`
std::vector<Dimension> unchanged_dimensions(const Section& input, const Comm& comm,
                                            const TransformOptions& options);

}  // namespace daptor::fft::detail
