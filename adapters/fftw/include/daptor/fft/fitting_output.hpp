// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fft/transform.hpp"

namespace daptor::fft {

/// Makes the output that takes the fewest and smallest redistributions: the layout of the input's
/// last stage. Allocates it, zeroed. Process-local, except for a communicator that is new to Daptor
/// (see Comm).
///
/// Does not throw: what is wrong with the arguments is a defect of the result, which the first
/// collective call throws on all ranks.
/// @param input    this process's section of the array that will be transformed; needs no memory
/// @param comm     the processes among which it is divided
/// @param options  those of the transform
/// @returns this process's section of an array of complex numbers, on memory of its own, without
///   padding; for a real input the last transformed dimension has size / 2 + 1
DistArray fitting_output(const DistArray& input, const Comm& comm,
                         const TransformOptions& options = {});

}  // namespace daptor::fft
