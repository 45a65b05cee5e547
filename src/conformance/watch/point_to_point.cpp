// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "conformance/watch/wrapper.hpp"

// Messages from one process to another.

using daptor::conformance::MpiKind;

extern "C" {

DAPTOR_WATCH(MpiKind::point_to_point, Send, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
DAPTOR_WATCH(MpiKind::point_to_point, Bsend, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
DAPTOR_WATCH(MpiKind::point_to_point, Ssend, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
DAPTOR_WATCH(MpiKind::point_to_point, Rsend, &comm,
             (const void* ibuf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (ibuf, count, datatype, dest, tag, comm))
DAPTOR_WATCH(MpiKind::point_to_point, Isend, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Ibsend, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Issend, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Irsend, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Recv, &comm,
             (void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status* status),
             (buf, count, datatype, source, tag, comm, status))
DAPTOR_WATCH(MpiKind::point_to_point, Irecv, &comm,
             (void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, source, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Mrecv, nullptr,
             (void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
             (buf, count, type, message, status))
DAPTOR_WATCH(MpiKind::point_to_point, Imrecv, nullptr,
             (void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
             (buf, count, type, message, request))
DAPTOR_WATCH(MpiKind::point_to_point, Sendrecv, &comm,
             (const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Status* status),
             (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
              recvtag, comm, status))
DAPTOR_WATCH(MpiKind::point_to_point, Sendrecv_replace, &comm,
             (void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
              int recvtag, MPI_Comm comm, MPI_Status* status),
             (buf, count, datatype, dest, sendtag, source, recvtag, comm, status))
DAPTOR_WATCH(MpiKind::point_to_point, Probe, &comm,
             (int source, int tag, MPI_Comm comm, MPI_Status* status), (source, tag, comm, status))
DAPTOR_WATCH(MpiKind::point_to_point, Iprobe, &comm,
             (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
             (source, tag, comm, flag, status))
DAPTOR_WATCH(MpiKind::point_to_point, Mprobe, &comm,
             (int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
             (source, tag, comm, message, status))
DAPTOR_WATCH(MpiKind::point_to_point, Improbe, &comm,
             (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
              MPI_Status* status),
             (source, tag, comm, flag, message, status))
DAPTOR_WATCH(MpiKind::point_to_point, Send_init, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Bsend_init, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Ssend_init, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Rsend_init, &comm,
             (const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, dest, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Recv_init, &comm,
             (void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request),
             (buf, count, datatype, source, tag, comm, request))
DAPTOR_WATCH(MpiKind::point_to_point, Start, nullptr, (MPI_Request * request), (request))
DAPTOR_WATCH(MpiKind::point_to_point, Startall, nullptr,
             (int count, MPI_Request array_of_requests[]), (count, array_of_requests))

}  // extern "C"
