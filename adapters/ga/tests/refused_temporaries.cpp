// SPDX-License-Identifier: BSD-3-Clause
// Members of temporaries that own an object of Global Arrays: they must not compile, and the first
// line of each error says what to write (tests/support/refused.sh).
#include "daptor/ga.hpp"

int array(const daptor::DistArray& a) {
  return daptor::ga::copy_to_array(a).handle();  // refused: auto g = copy_to_array(a)
}
