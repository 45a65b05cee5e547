// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fields.hpp"

namespace daptor {

/// How contributed values are combined with the owner's value: added to it, as the smaller or the
/// larger of both, or in its place. Bools can be combined by max (or), min (and) and insert,
/// complex numbers by sum and insert, and elements with which this machine cannot compute (of
/// foreign byte order, half precision) by insert only. Sums of integers wrap around.
enum class Combine { sum, min, max, insert };
constexpr auto words(Combine) {
  return word_list(word("sum", Combine::sum), word("min", Combine::min), word("max", Combine::max),
                   word("insert", Combine::insert));
}

}  // namespace daptor
