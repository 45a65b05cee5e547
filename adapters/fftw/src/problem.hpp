// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fft/transform.hpp"
#include "stages.hpp"

namespace daptor::fft::detail {

/// Input and output of a transform, proven to fit.
struct Problem {
  StageProblem stages;
  /// Whether the first owned elements of both are the same memory, on ranks that have elements.
  bool in_place = false;
};

/// What the choice of stages needs to know of an input and of its output, or of the input alone.
/// Process-local.
/// @throws InvalidArgument (`fft.type`, `fft.shape`, `fft.dimensions`)
StageProblem stage_problem(const Section& input, const Section* output,
                           const TransformOptions& options, Index processes);

/// Notes the options that must be the same on all ranks, for a check that comes before the proof of
/// the arrays: an output that was made for other dimensions would be told as one that does not fit.
/// To be called within the body of that check.
void same_options(const TransformOptions& options, Call& call);

enum class Memory { used, ignored };

/// Collective. Proves both arrays, and that they can be input and output. The options are the same
/// on all ranks.
/// @param memory  whether the arrays' memory is looked at
/// @throws Error see Transform
Problem proven_problem(const DistArray& input, const DistArray& output, Call& call,
                       const TransformOptions& options, Memory memory = Memory::used);

/// Whether input and output of this process are in one memory: `nullopt` if it has no elements of
/// either. Process-local.
/// @throws InvalidArgument (`fft.memory`) if they overlap in another way
std::optional<bool> in_one_memory(const Section& input, const Section& output,
                                  const StageProblem& problem, Engine engine);

/// The form of an array: its grid.
Form form_of(const Section& array);

/// Global sizes of the spectrum.
std::vector<Index> spectrum_shape(const StageProblem& problem);

/// The dimensions of an array without padding, with other global sizes where they are whole: which
/// elements this process owns. Process-local.
std::vector<Dimension> without_padding(const Section& array, const std::vector<Index>& shape);

/// What a transform asks of the input on this process, apart from memory that is there.
/// Process-local.
/// @throws InvalidArgument (`fft.device`, `fft.strides`, `fft.alignment`)
void require_reachable(const Section& array);

/// What `forward` or `backward` asks of an array on this process. Process-local.
void require_usable(const Section& array, bool written);

}  // namespace daptor::fft::detail
