// SPDX-License-Identifier: BSD-3-Clause
#include "start.hpp"

#include <ga.h>
#include <macdecls.h>

namespace daptor::test {

int with_ga(int& /*argc*/, char**& /*argv*/, const Run& run) {
  GA_Initialize();
  // GA 5.8's scans and packs take their work memory from this.
  if (MA_init(C_DBL, 1000000, 1000000) == 0) return 1;
  const int status = run();
  GA_Terminate();
  return status;
}

}  // namespace daptor::test
