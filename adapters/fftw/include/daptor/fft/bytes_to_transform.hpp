// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "daptor/dist_array.hpp"
#include "daptor/fft/transform.hpp"

namespace daptor::fft {

/// Collective. Number of bytes that one direction of a transform sends between processes, in total,
/// with Engine::redistribution. Makes no plan and copies no element.
/// @param input, output  neither needs memory; they count as separate arrays
/// @param options        see Transform
/// @returns the number of bytes, the same on all ranks
/// @throws Error like Transform, except for errors about memory
std::int64_t bytes_to_transform(const DistArray& input, const DistArray& output,
                                const TransformOptions& options = {});

}  // namespace daptor::fft
