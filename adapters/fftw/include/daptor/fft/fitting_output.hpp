// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"
#include "daptor/fft/transform.hpp"

namespace daptor::fft {

/// Makes the output that takes the fewest and smallest redistributions: the layout of the input's
/// last stage. Allocates it, zeroed. Process-local.
///
/// Does not throw: what is wrong with the arguments is a defect of the result, which the first
/// collective call throws on all ranks.
/// @param input    the array that will be transformed; needs no memory
/// @param options  those of the transform
/// @returns an array of complex numbers on the input's communicator, on memory of its own, without
///   padding; for a real input the last transformed dimension has size / 2 + 1
DistArray fitting_output(const DistArray& input, const TransformOptions& options = {});

}  // namespace daptor::fft
