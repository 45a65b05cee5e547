// SPDX-License-Identifier: BSD-3-Clause
#include "kokkos.hpp"

#include <Tpetra_Core.hpp>

#include "daptor/error.hpp"

namespace daptor::solvers::plugin {

void start_kokkos() {
  static bool seen = false;
  if (!Kokkos::is_initialized()) {
    if (seen) throw Finalized("Kokkos");
    // Null pointers would crash, and the program's arguments belong to PETSc.
    static char name[] = "daptor";
    static char* arguments[] = {name, nullptr};
    int count = 1;
    char** list = arguments;
    Tpetra::initialize(&count, &list);
  }
  seen = true;
}

}  // namespace daptor::solvers::plugin
