// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/explain.hpp"
#include "daptor/fft/transform.hpp"

namespace daptor::fft::detail {

/// Collective. The redistributions of a transform with Engine::redistribution, in the
/// order of `forward`, without memory. Makes no plan.
/// @param input, output  neither needs memory; they count as separate arrays
/// @throws Error see `bytes_to_transform`
std::vector<TargetMove> redistributions_of(const DistArray& input, const DistArray& output,
                                           Call& call, const TransformOptions& options);

}  // namespace daptor::fft::detail
