// SPDX-License-Identifier: BSD-3-Clause
#include "traffic.hpp"

#include <mpi.h>

namespace bench {
namespace {

MpiTraffic counted;

std::int64_t bytes_of(MPI_Datatype type, std::int64_t count) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

int size_of(MPI_Comm comm) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  return size;
}

void collective(std::int64_t bytes) {
  ++counted.collectives;
  counted.collective_bytes += bytes;
}

void gathering(std::int64_t bytes) {
  ++counted.collectives;
  counted.gathered_bytes += bytes;
}

void message(MPI_Datatype type, int count, int to) {
  if (to == MPI_PROC_NULL) return;
  ++counted.messages;
  counted.message_bytes += bytes_of(type, count);
}

std::int64_t sum_of(const int* counts, int size) {
  std::int64_t sum = 0;
  for (int i = 0; i < size; ++i) sum += counts[i];
  return sum;
}

}  // namespace

const MpiTraffic& mpi_traffic() {
  return counted;
}

}  // namespace bench

using namespace bench;

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  collective(0);
  return PMPI_Barrier(comm);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  collective(0);
  return PMPI_Ibarrier(comm, request);
}
int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  collective(bytes_of(type, count));
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  collective(bytes_of(type, count));
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}
int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  collective(bytes_of(type, count));
  return PMPI_Reduce(in, out, count, type, op, root, comm);
}
int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  collective(bytes_of(type, count));
  return PMPI_Scan(in, out, count, type, op, comm);
}
int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  collective(bytes_of(type, count));
  return PMPI_Exscan(in, out, count, type, op, comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  collective(bytes_of(type, count));
  return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
               MPI_Datatype out_type, int root, MPI_Comm comm) {
  gathering(bytes_of(in_type, in_count) * size_of(comm));
  return PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}
int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm) {
  gathering(bytes_of(out_type, out_count) * size_of(comm));
  return PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm);
}
int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int* counts,
                   const int* starts, MPI_Datatype out_type, MPI_Comm comm) {
  gathering(bytes_of(out_type, sum_of(counts, size_of(comm))));
  return PMPI_Allgatherv(in, in_count, in_type, out, counts, starts, out_type, comm);
}
int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                 MPI_Datatype out_type, MPI_Comm comm) {
  gathering(bytes_of(out_type, out_count) * size_of(comm));
  return PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}
int MPI_Reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  gathering(bytes_of(type, sum_of(counts, size_of(comm))));
  return PMPI_Reduce_scatter(in, out, counts, type, op, comm);
}
int MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  gathering(bytes_of(type, count) * size_of(comm));
  return PMPI_Reduce_scatter_block(in, out, count, type, op, comm);
}
int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  message(type, count, to);
  return PMPI_Send(data, count, type, to, tag, comm);
}
int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  message(type, count, to);
  return PMPI_Ssend(data, count, type, to, tag, comm);
}
int MPI_Rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  message(type, count, to);
  return PMPI_Rsend(data, count, type, to, tag, comm);
}
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  message(type, count, to);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  message(type, count, to);
  return PMPI_Issend(data, count, type, to, tag, comm, request);
}
int MPI_Irsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  message(type, count, to);
  return PMPI_Irsend(data, count, type, to, tag, comm, request);
}
int MPI_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag,
                 void* received, int received_count, MPI_Datatype received_type, int from,
                 int received_tag, MPI_Comm comm, MPI_Status* status) {
  message(sent_type, sent_count, to);
  return PMPI_Sendrecv(sent, sent_count, sent_type, to, sent_tag, received, received_count,
                       received_type, from, received_tag, comm, status);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  collective(0);
  return PMPI_Comm_dup(comm, made);
}

}  // extern "C"
