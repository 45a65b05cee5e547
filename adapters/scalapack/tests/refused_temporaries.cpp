// SPDX-License-Identifier: BSD-3-Clause
// Members of temporaries that own an object of ScaLAPACK: they must not compile, and the first line
// of each error says what to write (tests/support/refused.sh).
#include "daptor/scalapack.hpp"

const int* matrix(const daptor::DistArray& a, const daptor::scalapack::Grid& grid) {
  return daptor::scalapack::import_matrix<double>(a, grid)
      .desc();  // refused: auto A = import_matrix
}
