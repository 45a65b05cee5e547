// SPDX-License-Identifier: BSD-3-Clause
#include "start.hpp"

#include <Tpetra_Core.hpp>

namespace daptor::test {

int with_tpetra(int& argc, char**& argv, const Run& run) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  return run();
}

}  // namespace daptor::test
