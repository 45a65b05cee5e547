// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string>

namespace daptor::test {

/// The text that `<<` writes.
template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace daptor::test
