// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "scale.hpp"

/// \file
/// How fast the counts of an operation may grow with the number of ranks P.

namespace daptor::test {

enum class Growth {
  constant,
  logarithm,  ///< log2 P
  cube_root,  ///< of P: the processes of one dimension of a cube
  root,       ///< the square root of P: the partners of a pencil
  linear      ///< P: one bound for each process of a single dimension
};

/// What is promised of a step. The number of collective calls never grows, and the depth with
/// log2 P at most.
struct Promise {
  std::string step;
  Growth messages = Growth::constant;
  Growth memory = Growth::constant;
};

/// The promises for a case, one for each of its steps, in order.
std::vector<Promise> promises_for(const std::string& name);

/// What grew faster than promised from the first number of ranks to each of the others, one line
/// each. `counted[i]` are the steps of the case on `ranks[i]` ranks.
std::vector<std::string> broken_promises(const std::vector<Promise>& promises,
                                         const std::vector<int>& ranks,
                                         const std::vector<std::vector<Step>>& counted);

}  // namespace daptor::test
