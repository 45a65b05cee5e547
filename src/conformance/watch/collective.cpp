// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "conformance/watch/wrapper.hpp"

// Collective communication: blocking and nonblocking, global and among neighbours.

using daptor::conformance::MpiKind;

extern "C" {

DAPTOR_WATCH(MpiKind::collective, Barrier, &comm, (MPI_Comm comm), (comm))
DAPTOR_WATCH(MpiKind::collective, Bcast, &comm,
             (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
             (buffer, count, datatype, root, comm))
DAPTOR_WATCH(MpiKind::collective, Gather, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
DAPTOR_WATCH(MpiKind::collective, Gatherv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
              MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm))
DAPTOR_WATCH(MpiKind::collective, Scatter, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
DAPTOR_WATCH(MpiKind::collective, Scatterv, &comm,
             (const void* sendbuf, const int sendcounts[], const int displs[],
              MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
              MPI_Comm comm),
             (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm))
DAPTOR_WATCH(MpiKind::collective, Allgather, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Allgatherv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Alltoall, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Alltoallv, &comm,
             (const void* sendbuf, const int sendcounts[], const int sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
              MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Alltoallw, &comm,
             (const void* sendbuf, const int sendcounts[], const int sdispls[],
              const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
              const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
              comm))
DAPTOR_WATCH(MpiKind::collective, Reduce, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              int root, MPI_Comm comm),
             (sendbuf, recvbuf, count, datatype, op, root, comm))
DAPTOR_WATCH(MpiKind::collective, Allreduce, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm),
             (sendbuf, recvbuf, count, datatype, op, comm))
DAPTOR_WATCH(MpiKind::collective, Reduce_scatter, &comm,
             (const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
              MPI_Op op, MPI_Comm comm),
             (sendbuf, recvbuf, recvcounts, datatype, op, comm))
DAPTOR_WATCH(MpiKind::collective, Reduce_scatter_block, &comm,
             (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm),
             (sendbuf, recvbuf, recvcount, datatype, op, comm))
DAPTOR_WATCH(MpiKind::collective, Scan, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm),
             (sendbuf, recvbuf, count, datatype, op, comm))
DAPTOR_WATCH(MpiKind::collective, Exscan, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm),
             (sendbuf, recvbuf, count, datatype, op, comm))
DAPTOR_WATCH(MpiKind::collective, Ibarrier, &comm, (MPI_Comm comm, MPI_Request* request),
             (comm, request))
DAPTOR_WATCH(MpiKind::collective, Ibcast, &comm,
             (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
              MPI_Request* request),
             (buffer, count, datatype, root, comm, request))
DAPTOR_WATCH(MpiKind::collective, Igather, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request))
DAPTOR_WATCH(MpiKind::collective, Igatherv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
              MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
              request))
DAPTOR_WATCH(MpiKind::collective, Iscatter, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request))
DAPTOR_WATCH(MpiKind::collective, Iscatterv, &comm,
             (const void* sendbuf, const int sendcounts[], const int displs[],
              MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
              MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
              request))
DAPTOR_WATCH(MpiKind::collective, Iallgather, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
DAPTOR_WATCH(MpiKind::collective, Iallgatherv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
              MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ialltoall, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ialltoallv, &comm,
             (const void* sendbuf, const int sendcounts[], const int sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
              request))
DAPTOR_WATCH(MpiKind::collective, Ialltoallw, &comm,
             (const void* sendbuf, const int sendcounts[], const int sdispls[],
              const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
              const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
              MPI_Request* request),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
              comm, request))
DAPTOR_WATCH(MpiKind::collective, Ireduce, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              int root, MPI_Comm comm, MPI_Request* request),
             (sendbuf, recvbuf, count, datatype, op, root, comm, request))
DAPTOR_WATCH(MpiKind::collective, Iallreduce, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Request* request),
             (sendbuf, recvbuf, count, datatype, op, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ireduce_scatter, &comm,
             (const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
              MPI_Op op, MPI_Comm comm, MPI_Request* request),
             (sendbuf, recvbuf, recvcounts, datatype, op, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ireduce_scatter_block, &comm,
             (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Request* request),
             (sendbuf, recvbuf, recvcount, datatype, op, comm, request))
DAPTOR_WATCH(MpiKind::collective, Iscan, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Request* request),
             (sendbuf, recvbuf, count, datatype, op, comm, request))
DAPTOR_WATCH(MpiKind::collective, Iexscan, &comm,
             (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Request* request),
             (sendbuf, recvbuf, count, datatype, op, comm, request))
DAPTOR_WATCH(MpiKind::collective, Neighbor_allgather, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Neighbor_allgatherv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Neighbor_alltoall, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Neighbor_alltoallv, &comm,
             (const void* sendbuf, const int sendcounts[], const int sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
              MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
DAPTOR_WATCH(MpiKind::collective, Neighbor_alltoallw, &comm,
             (const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
              const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
              comm))
DAPTOR_WATCH(MpiKind::collective, Ineighbor_allgather, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ineighbor_allgatherv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
              MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ineighbor_alltoall, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
DAPTOR_WATCH(MpiKind::collective, Ineighbor_alltoallv, &comm,
             (const void* sendbuf, const int sendcounts[], const int sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
              request))
DAPTOR_WATCH(MpiKind::collective, Ineighbor_alltoallw, &comm,
             (const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
              const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
              MPI_Request* request),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
              comm, request))

}  // extern "C"
