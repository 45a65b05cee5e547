// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "conformance/watch/wrapper.hpp"

// Functions that make and free communicators; they are collective over the parent communicator.

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

DAPTOR_WATCH_MADE(Comm_dup, comm, newcomm, (MPI_Comm comm, MPI_Comm* newcomm), (comm, newcomm))
DAPTOR_WATCH_MADE(Comm_dup_with_info, comm, newcomm,
                  (MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm), (comm, info, newcomm))
DAPTOR_WATCH_MADE(Comm_idup, comm, newcomm,
                  (MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request),
                  (comm, newcomm, request))
DAPTOR_WATCH_MADE(Comm_create, comm, newcomm, (MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm),
                  (comm, group, newcomm))
DAPTOR_WATCH_MADE(Comm_split, comm, newcomm, (MPI_Comm comm, int color, int key, MPI_Comm* newcomm),
                  (comm, color, key, newcomm))
DAPTOR_WATCH_MADE(Comm_split_type, comm, newcomm,
                  (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm),
                  (comm, split_type, key, info, newcomm))
DAPTOR_WATCH_MADE(Cart_create, old_comm, comm_cart,
                  (MPI_Comm old_comm, int ndims, const int dims[], const int periods[], int reorder,
                   MPI_Comm* comm_cart),
                  (old_comm, ndims, dims, periods, reorder, comm_cart))
DAPTOR_WATCH_MADE(Cart_sub, comm, new_comm,
                  (MPI_Comm comm, const int remain_dims[], MPI_Comm* new_comm),
                  (comm, remain_dims, new_comm))
DAPTOR_WATCH_MADE(Graph_create, comm_old, comm_graph,
                  (MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
                   MPI_Comm* comm_graph),
                  (comm_old, nnodes, index, edges, reorder, comm_graph))
DAPTOR_WATCH_MADE(Dist_graph_create, comm_old, newcomm,
                  (MPI_Comm comm_old, int n, const int nodes[], const int degrees[],
                   const int targets[], const int weights[], MPI_Info info, int reorder,
                   MPI_Comm* newcomm),
                  (comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm))
DAPTOR_WATCH_MADE(Dist_graph_create_adjacent, comm_old, comm_dist_graph,
                  (MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[],
                   int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                   int reorder, MPI_Comm* comm_dist_graph),
                  (comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights,
                   info, reorder, comm_dist_graph))
DAPTOR_WATCH_MADE(Intercomm_create, local_comm, newintercomm,
                  (MPI_Comm local_comm, int local_leader, MPI_Comm bridge_comm, int remote_leader,
                   int tag, MPI_Comm* newintercomm),
                  (local_comm, local_leader, bridge_comm, remote_leader, tag, newintercomm))
DAPTOR_WATCH_MADE(Intercomm_merge, intercomm, newintercomm,
                  (MPI_Comm intercomm, int high, MPI_Comm* newintercomm),
                  (intercomm, high, newintercomm))
DAPTOR_WATCH_MADE(Comm_spawn, comm, intercomm,
                  (const char* command, char* argv[], int maxprocs, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm* intercomm, int array_of_errcodes[]),
                  (command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes))
DAPTOR_WATCH_MADE(Comm_spawn_multiple, comm, intercomm,
                  (int count, char* array_of_commands[], char** array_of_argv[],
                   const int array_of_maxprocs[], const MPI_Info array_of_info[], int root,
                   MPI_Comm comm, MPI_Comm* intercomm, int array_of_errcodes[]),
                  (count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root,
                   comm, intercomm, array_of_errcodes))
DAPTOR_WATCH_MADE(Comm_accept, comm, newcomm,
                  (const char* port_name, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm* newcomm),
                  (port_name, info, root, comm, newcomm))
DAPTOR_WATCH_MADE(Comm_connect, comm, newcomm,
                  (const char* port_name, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm* newcomm),
                  (port_name, info, root, comm, newcomm))

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
