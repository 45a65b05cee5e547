// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/types.hpp"

namespace daptor {

std::ostream& operator<<(std::ostream& out, IndexRange range) {
  return out << '[' << range.start << ", " << range.stop << ')';
}

std::ostream& operator<<(std::ostream& out, Padding padding) {
  return out << '(' << padding.lower << ", " << padding.upper << ')';
}

}  // namespace daptor
