// SPDX-License-Identifier: BSD-3-Clause
#include "start.hpp"

#include <toy.h>

namespace daptor::test {

int with_toy(int& /*argc*/, char**& /*argv*/, const Run& run) {
  if (toy_start() != 0) return 1;
  const int status = run();
  toy_stop();
  return status;
}

}  // namespace daptor::test
