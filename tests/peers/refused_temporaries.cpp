// SPDX-License-Identifier: BSD-3-Clause
// Members of temporaries that own an object of hypre: they must not compile, and the first line of
// each error says what to write (tests/support/refused.sh).
#include "daptor/hypre.hpp"

HYPRE_ParVector vector(const daptor::DistArray& a) {
  return daptor::hypre::import_vector(a).get();  // refused: auto x = import_vector(a)
}
