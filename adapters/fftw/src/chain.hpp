// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/redistribute.hpp"
#include "local_transform.hpp"
#include "problem.hpp"

namespace daptor::fft::detail {

/// One step between two arrays, which are numbers in a list: 0 is the input, 1 the output, the
/// others are work memory. A step with transformed dimensions is local, one without is a
/// redistribution.
struct Step {
  std::size_t from, to;
  std::vector<int> transformed;

  bool local() const { return !transformed.empty(); }
};

/// The steps of `forward`, and the descriptions of the work memory that they need, without memory.
/// `backward` takes the same steps in the opposite order and direction.
///
/// Example: slabs of dimension 0 back to the same slabs, in place. The steps are: the input in
/// itself, dimensions 1 and 2; input to work 2, by redistribution; work 2 in itself, dimension 0;
/// work 2 to input.
struct Chain {
  std::vector<Step> steps;
  struct Work {
    std::size_t stage;  ///< whose layout it has
    bool real;          ///< real numbers, or their spectrum
  };
  std::vector<Work> work;  ///< number 2 and on
};

/// Arranges the steps so that no more is overwritten than allowed, with as little work memory as
/// that takes. Process-local; the same on all ranks.
Chain make_chain(const std::vector<Stage>& stages, int real_dimension, bool in_place,
                 bool overwrite);

/// Dimensions of this rank's section of work memory. Process-local.
std::vector<Dimension> work_dimensions(const Chain::Work& work, const std::vector<Stage>& stages,
                                       const Section& input, const Section& output,
                                       const StageProblem& problem, const Comm& comm);

}  // namespace daptor::fft::detail
