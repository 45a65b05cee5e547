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

}  // namespace

namespace bench {

void reset_mpi_share() {
  share = {};
}
MpiShare mpi_share() {
  return share;
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
