// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdlib>

#include "daptor/section.hpp"

namespace daptor::fft::detail {

/// How far the owned elements reach from the first of them, in bytes.
struct Span {
  std::size_t before = 0;  ///< to lower addresses, by negative strides
  std::size_t after = 0;   ///< to the end of the last element
};

/// Of a section with owned elements. Process-local.
inline Span owned_span(const Section& array) {
  Span span{0, array.type().itemsize()};
  for (std::size_t d = 0; d < array.owned_shape().size(); ++d) {
    const Index reach = (array.owned_shape()[d] - 1) * array.byte_strides()[d];
    (reach < 0 ? span.before : span.after) += static_cast<std::size_t>(std::abs(reach));
  }
  return span;
}

}  // namespace daptor::fft::detail
