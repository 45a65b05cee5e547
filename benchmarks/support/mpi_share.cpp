// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_share.hpp"

#include <mpi.h>

namespace {

bench::MpiShare share;

template <class Call>
int counted(const Call& call) {
  const double start = PMPI_Wtime();
  const int code = call();
  share.seconds += PMPI_Wtime() - start;
  ++share.calls;
  return code;
}

/// Seconds that counting adds to one call.
double measure_cost() {
  constexpr int calls = 100000;
  const bench::MpiShare before = share;
  share = {};
  const double start = PMPI_Wtime();
  for (int i = 0; i < calls; ++i) counted([] { return MPI_SUCCESS; });
  const double cost = (PMPI_Wtime() - start - share.seconds) / calls;
  share = before;
  return cost;
}

}  // namespace

namespace bench {

void reset_mpi_share() {
  share = {};
}
MpiShare mpi_share() {
  static const double cost = measure_cost();
  return {share.seconds + share.calls * cost, share.calls};
}

}  // namespace bench

extern "C" {

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  return counted([&] { return PMPI_Allreduce(send, receive, count, type, op, comm); });
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return counted([&] { return PMPI_Bcast(buffer, count, type, root, comm); });
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm) {
  return counted([&] { return PMPI_Scan(send, receive, count, type, op, comm); });
}

int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  return counted([&] { return PMPI_Exscan(send, receive, count, type, op, comm); });
}

int MPI_Allgather(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  return counted(
      [&] { return PMPI_Allgather(send, sent, send_type, receive, received, receive_type, comm); });
}
}
