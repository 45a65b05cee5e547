// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "forms.hpp"

namespace daptor::fft::detail {

/// What is known of a transform on all ranks alike, from which all choose the same stages.
struct StageProblem {
  std::vector<Index> shape;      ///< global sizes of the input
  std::vector<int> transformed;  ///< dimensions, ascending
  int real_dimension = -1;       ///< that whose spectrum is halved; -1 for complex numbers
  Form input;
  std::optional<Form> output;  ///< `nullopt` if it is to be chosen
  /// Whether the output has every element where the input has it.
  bool same_distribution = false;
  Index processes = 1;

  friend bool operator==(const StageProblem& a, const StageProblem& b) {
    return a.shape == b.shape && a.transformed == b.transformed &&
           a.real_dimension == b.real_dimension && a.input == b.input && a.output == b.output &&
           a.same_distribution == b.same_distribution && a.processes == b.processes;
  }
};

/// A layout, and what is transformed in it.
struct Stage {
  Form form;
  std::vector<int> transformed;
};

/// The cheapest stages. The first is the input, the last the output, which is the input if there is
/// one stage; between two stages is a redistribution. The dimension that is halved is transformed
/// before all others. Process-local; the same problem has the same stages on every process.
std::vector<Stage> choose_stages(const StageProblem& problem);

}  // namespace daptor::fft::detail
