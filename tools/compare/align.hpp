// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "compare/trace_file.hpp"

namespace daptor::compare {

/// Items of two runs that are about the same, or one that the other run does not have.
struct Pair {
  const Item* one = nullptr;
  const Item* other = nullptr;
  bool both() const { return one != nullptr && other != nullptr; }
  const Item& any() const { return one != nullptr ? *one : *other; }
};

/// Lines up the items of two runs up to this level, in their order. Where they go apart, the
/// nearest place is taken at which both go on alike.
///
/// Example: a b c d and a c d of two runs make the pairs (a, a), (b, -), (c, c), (d, d).
std::vector<Pair> align(const Trace& one, const Trace& other, int level);

}  // namespace daptor::compare
