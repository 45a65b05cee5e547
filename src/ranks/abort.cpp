// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/detail/abort.hpp"

#include <cstdio>
#include <cstdlib>

namespace daptor {

void detail::abort_communicator(MPI_Comm comm, const char* operation, const char* what) noexcept {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  std::fprintf(stderr,
               "daptor: rank %d: %s failed while other ranks may be waiting in it, which cannot be "
               "undone; aborting. %s\n",
               rank, operation, what);
  MPI_Abort(comm, 1);
  std::abort();
}

}  // namespace daptor
