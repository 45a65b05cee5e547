// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/watch/wrapper.hpp"

using daptor::conformance::MpiKind;
using daptor::conformance::detail::announce_wrappers;
using daptor::conformance::detail::communicator_freed;
using daptor::conformance::detail::communicator_made;
using daptor::conformance::detail::mpi_called;

namespace {

struct Announcement {
  Announcement() { announce_wrappers(); }
};
const Announcement announcement;

}  // namespace

extern "C" {

// clang-format off
// Functions that make communicators; they are collective over the parent communicator.
DAPTOR_WATCH_MADE(Comm_dup, 2, a0, a1)
DAPTOR_WATCH_MADE(Comm_dup_with_info, 3, a0, a2)
DAPTOR_WATCH_MADE(Comm_idup, 3, a0, a1)
DAPTOR_WATCH_MADE(Comm_create, 3, a0, a2)
DAPTOR_WATCH_MADE(Comm_split, 4, a0, a3)
DAPTOR_WATCH_MADE(Comm_split_type, 5, a0, a4)
DAPTOR_WATCH_MADE(Cart_create, 6, a0, a5)
DAPTOR_WATCH_MADE(Cart_sub, 3, a0, a2)
DAPTOR_WATCH_MADE(Graph_create, 6, a0, a5)
DAPTOR_WATCH_MADE(Dist_graph_create, 9, a0, a8)
DAPTOR_WATCH_MADE(Dist_graph_create_adjacent, 10, a0, a9)
DAPTOR_WATCH_MADE(Intercomm_create, 6, a0, a5)
DAPTOR_WATCH_MADE(Intercomm_merge, 3, a0, a2)
DAPTOR_WATCH_MADE(Comm_spawn, 8, a5, a6)
DAPTOR_WATCH_MADE(Comm_spawn_multiple, 9, a6, a7)
DAPTOR_WATCH_MADE(Comm_accept, 5, a3, a4)
DAPTOR_WATCH_MADE(Comm_connect, 5, a3, a4)

// Collective communication: blocking and nonblocking, global and among neighbours.
DAPTOR_WATCH(collective, Barrier, 1, &a0)
DAPTOR_WATCH(collective, Bcast, 5, &a4)
DAPTOR_WATCH(collective, Gather, 8, &a7)
DAPTOR_WATCH(collective, Gatherv, 9, &a8)
DAPTOR_WATCH(collective, Scatter, 8, &a7)
DAPTOR_WATCH(collective, Scatterv, 9, &a8)
DAPTOR_WATCH(collective, Allgather, 7, &a6)
DAPTOR_WATCH(collective, Allgatherv, 8, &a7)
DAPTOR_WATCH(collective, Alltoall, 7, &a6)
DAPTOR_WATCH(collective, Alltoallv, 9, &a8)
DAPTOR_WATCH(collective, Alltoallw, 9, &a8)
DAPTOR_WATCH(collective, Reduce, 7, &a6)
DAPTOR_WATCH(collective, Allreduce, 6, &a5)
DAPTOR_WATCH(collective, Reduce_scatter, 6, &a5)
DAPTOR_WATCH(collective, Reduce_scatter_block, 6, &a5)
DAPTOR_WATCH(collective, Scan, 6, &a5)
DAPTOR_WATCH(collective, Exscan, 6, &a5)
DAPTOR_WATCH(collective, Ibarrier, 2, &a0)
DAPTOR_WATCH(collective, Ibcast, 6, &a4)
DAPTOR_WATCH(collective, Igather, 9, &a7)
DAPTOR_WATCH(collective, Igatherv, 10, &a8)
DAPTOR_WATCH(collective, Iscatter, 9, &a7)
DAPTOR_WATCH(collective, Iscatterv, 10, &a8)
DAPTOR_WATCH(collective, Iallgather, 8, &a6)
DAPTOR_WATCH(collective, Iallgatherv, 9, &a7)
DAPTOR_WATCH(collective, Ialltoall, 8, &a6)
DAPTOR_WATCH(collective, Ialltoallv, 10, &a8)
DAPTOR_WATCH(collective, Ialltoallw, 10, &a8)
DAPTOR_WATCH(collective, Ireduce, 8, &a6)
DAPTOR_WATCH(collective, Iallreduce, 7, &a5)
DAPTOR_WATCH(collective, Ireduce_scatter, 7, &a5)
DAPTOR_WATCH(collective, Ireduce_scatter_block, 7, &a5)
DAPTOR_WATCH(collective, Iscan, 7, &a5)
DAPTOR_WATCH(collective, Iexscan, 7, &a5)
DAPTOR_WATCH(collective, Neighbor_allgather, 7, &a6)
DAPTOR_WATCH(collective, Neighbor_allgatherv, 8, &a7)
DAPTOR_WATCH(collective, Neighbor_alltoall, 7, &a6)
DAPTOR_WATCH(collective, Neighbor_alltoallv, 9, &a8)
DAPTOR_WATCH(collective, Neighbor_alltoallw, 9, &a8)
DAPTOR_WATCH(collective, Ineighbor_allgather, 8, &a6)
DAPTOR_WATCH(collective, Ineighbor_allgatherv, 9, &a7)
DAPTOR_WATCH(collective, Ineighbor_alltoall, 8, &a6)
DAPTOR_WATCH(collective, Ineighbor_alltoallv, 10, &a8)
DAPTOR_WATCH(collective, Ineighbor_alltoallw, 10, &a8)

// Messages from one process to another.
DAPTOR_WATCH(point_to_point, Send, 6, &a5)
DAPTOR_WATCH(point_to_point, Bsend, 6, &a5)
DAPTOR_WATCH(point_to_point, Ssend, 6, &a5)
DAPTOR_WATCH(point_to_point, Rsend, 6, &a5)
DAPTOR_WATCH(point_to_point, Isend, 7, &a5)
DAPTOR_WATCH(point_to_point, Ibsend, 7, &a5)
DAPTOR_WATCH(point_to_point, Issend, 7, &a5)
DAPTOR_WATCH(point_to_point, Irsend, 7, &a5)
DAPTOR_WATCH(point_to_point, Recv, 7, &a5)
DAPTOR_WATCH(point_to_point, Irecv, 7, &a5)
DAPTOR_WATCH(point_to_point, Mrecv, 5, nullptr)
DAPTOR_WATCH(point_to_point, Imrecv, 5, nullptr)
DAPTOR_WATCH(point_to_point, Sendrecv, 12, &a10)
DAPTOR_WATCH(point_to_point, Sendrecv_replace, 9, &a7)
DAPTOR_WATCH(point_to_point, Probe, 4, &a2)
DAPTOR_WATCH(point_to_point, Iprobe, 5, &a2)
DAPTOR_WATCH(point_to_point, Mprobe, 5, &a2)
DAPTOR_WATCH(point_to_point, Improbe, 6, &a2)
DAPTOR_WATCH(point_to_point, Send_init, 7, &a5)
DAPTOR_WATCH(point_to_point, Bsend_init, 7, &a5)
DAPTOR_WATCH(point_to_point, Ssend_init, 7, &a5)
DAPTOR_WATCH(point_to_point, Rsend_init, 7, &a5)
DAPTOR_WATCH(point_to_point, Recv_init, 7, &a5)
DAPTOR_WATCH(point_to_point, Start, 1, nullptr)
DAPTOR_WATCH(point_to_point, Startall, 2, nullptr)

// Waiting for requests, and parallel file access.
DAPTOR_WATCH(completion, Wait, 2, nullptr)
DAPTOR_WATCH(completion, Waitall, 3, nullptr)
DAPTOR_WATCH(completion, Waitany, 4, nullptr)
DAPTOR_WATCH(completion, Waitsome, 5, nullptr)
DAPTOR_WATCH(completion, Test, 3, nullptr)
DAPTOR_WATCH(completion, Testall, 4, nullptr)
DAPTOR_WATCH(completion, Testany, 5, nullptr)
DAPTOR_WATCH(completion, Testsome, 5, nullptr)
DAPTOR_WATCH(completion, Request_free, 1, nullptr)
DAPTOR_WATCH(completion, Cancel, 1, nullptr)
DAPTOR_WATCH(file, File_open, 5, &a0)
DAPTOR_WATCH(file, File_close, 1, nullptr)

// Windows, and one-sided communication in them.
DAPTOR_WATCH(one_sided, Win_create, 6, &a4)
DAPTOR_WATCH(one_sided, Win_allocate, 6, &a3)
DAPTOR_WATCH(one_sided, Win_allocate_shared, 6, &a3)
DAPTOR_WATCH(one_sided, Win_create_dynamic, 3, &a1)
DAPTOR_WATCH(one_sided, Win_free, 1, nullptr)
DAPTOR_WATCH(one_sided, Win_fence, 2, nullptr)
DAPTOR_WATCH(one_sided, Win_post, 3, nullptr)
DAPTOR_WATCH(one_sided, Win_start, 3, nullptr)
DAPTOR_WATCH(one_sided, Win_complete, 1, nullptr)
DAPTOR_WATCH(one_sided, Win_wait, 1, nullptr)
DAPTOR_WATCH(one_sided, Win_test, 2, nullptr)
DAPTOR_WATCH(one_sided, Win_lock, 4, nullptr)
DAPTOR_WATCH(one_sided, Win_unlock, 2, nullptr)
DAPTOR_WATCH(one_sided, Win_lock_all, 2, nullptr)
DAPTOR_WATCH(one_sided, Win_unlock_all, 1, nullptr)
DAPTOR_WATCH(one_sided, Win_flush, 2, nullptr)
DAPTOR_WATCH(one_sided, Win_flush_all, 1, nullptr)
DAPTOR_WATCH(one_sided, Win_flush_local, 2, nullptr)
DAPTOR_WATCH(one_sided, Win_flush_local_all, 1, nullptr)
DAPTOR_WATCH(one_sided, Put, 8, nullptr)
DAPTOR_WATCH(one_sided, Get, 8, nullptr)
DAPTOR_WATCH(one_sided, Accumulate, 9, nullptr)
DAPTOR_WATCH(one_sided, Get_accumulate, 12, nullptr)
DAPTOR_WATCH(one_sided, Fetch_and_op, 7, nullptr)
DAPTOR_WATCH(one_sided, Compare_and_swap, 7, nullptr)
DAPTOR_WATCH(one_sided, Rput, 9, nullptr)
DAPTOR_WATCH(one_sided, Rget, 9, nullptr)
DAPTOR_WATCH(one_sided, Raccumulate, 10, nullptr)
DAPTOR_WATCH(one_sided, Rget_accumulate, 13, nullptr)
// clang-format on

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  mpi_called(MpiKind::communicator, "MPI_Comm_create_group", &comm);
  const int status = PMPI_Comm_create_group(comm, group, tag, newcomm);
  if (status == MPI_SUCCESS) communicator_made(comm, tag, *newcomm);
  return status;
}

int MPI_Comm_free(MPI_Comm* comm) {
  mpi_called(MpiKind::communicator, "MPI_Comm_free", comm);
  // Announced before the call, because another thread may get the handle as soon as it is freed.
  communicator_freed(*comm);
  return PMPI_Comm_free(comm);
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  mpi_called(MpiKind::communicator, "MPI_Comm_disconnect", comm);
  communicator_freed(*comm);
  return PMPI_Comm_disconnect(comm);
}

}  // extern "C"
