// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a node exchange elements until one of them kills itself, at its K-th call of MPI or of
// reading after set-up:
//
//   mpirun -n 3 daptor_killed RANK K

#include <cstdlib>
#include <vector>

#include <signal.h>
#include <sys/uio.h>

#include <daptor/daptor.hpp>

namespace {

int left = -1;  // calls that this rank lives

void count() {
  if (left >= 0 && left-- == 0) raise(SIGKILL);
}

}  // namespace

extern "C" {
int MPI_Isend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count();
  return PMPI_Isend(data, n, type, to, tag, comm, request);
}
int MPI_Testany(int n, MPI_Request* requests, int* at, int* done, MPI_Status* status) {
  count();
  return PMPI_Testany(n, requests, at, done, status);
}
int MPI_Waitany(int n, MPI_Request* requests, int* at, MPI_Status* status) {
  count();
  return PMPI_Waitany(n, requests, at, status);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  count();
  return PMPI_Wait(request, status);
}
}

int main(int argc, char** argv) {
  using namespace daptor;
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    const GridPosition grid{ranks, rank};
    const auto rows =
        allocate<double>({block(100 * ranks, grid, BlockPadding({1, 1})), block(200, {1, 0})})
            .on(MPI_COMM_WORLD);
    const auto columns =
        allocate<double>({block(100 * ranks, {1, 0}), block(200, grid)}, Order::fortran)
            .on(MPI_COMM_WORLD);
    HaloExchange halo(rows);
    Redistribution move(rows, columns);
    move.run();
    if (argc > 2 && rank == std::atoi(argv[1])) left = std::atoi(argv[2]);
    for (int i = 0; i < 100000; ++i) {
      halo.update();
      move.run();
    }
  }
  MPI_Finalize();
}
