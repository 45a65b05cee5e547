// SPDX-License-Identifier: BSD-3-Clause
// For tests in Python: an error at the check of a Call that this rank passes as the one of a
// number.

#include <cstring>
#include <stdexcept>

#include "daptor/detail/fault.hpp"

namespace {

long passed = 0;
long planted_at = 0;

void count(const char* point) {
  if (std::strchr(point, '#') == nullptr) return;
  if (++passed == planted_at) throw std::runtime_error("planted");
}

}  // namespace

extern "C" {

/// Begins to count; 0 plants nothing.
void daptor_test_plant(long at) {
  passed = 0;
  planted_at = at;
  daptor::detail::set_fault_hook(count);
}

long daptor_test_passed() {
  return passed;
}
}
