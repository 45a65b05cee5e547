// SPDX-License-Identifier: BSD-3-Clause
// Members of temporaries that own an object of SUNDIALS: they must not compile, and the first line
// of each error says what to write (tests/support/refused.sh).
#include "daptor/sundials.hpp"

N_Vector vector(const daptor::DistArray& a, SUNContext context) {
  return daptor::sundials::import_nvector(a, context).get();  // refused: auto x = import_...(a)
}
