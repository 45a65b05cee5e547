// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/types.hpp"

/// \file
/// For authors of adapters: indices as findings and messages name them. Process-local.

namespace daptor::adapter {

/// The numbers with something between them, as `2 x 3 x 4`.
template <class Number>
std::string joined_text(const std::vector<Number>& numbers, const char* between) {
  std::string text;
  for (const Number number : numbers)
    text += (text.empty() ? "" : between) + std::to_string(number);
  return text;
}

/// `2 x 3 x 4`
template <class Number>
std::string shape_text(const std::vector<Number>& shape) {
  return joined_text(shape, " x ");
}

/// `(2, 3, 4)`
template <class Number>
std::string tuple_text(const std::vector<Number>& numbers) {
  return "(" + joined_text(numbers, ", ") + ")";
}

}  // namespace daptor::adapter
