// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "conformance/watch/wrapper.hpp"

// Waiting for requests, and parallel file access.

using daptor::conformance::MpiKind;

extern "C" {

DAPTOR_WATCH(MpiKind::completion, Wait, nullptr, (MPI_Request * request, MPI_Status* status),
             (request, status))
DAPTOR_WATCH(MpiKind::completion, Waitall, nullptr,
             (int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses),
             (count, array_of_requests, array_of_statuses))
DAPTOR_WATCH(MpiKind::completion, Waitany, nullptr,
             (int count, MPI_Request array_of_requests[], int* index, MPI_Status* status),
             (count, array_of_requests, index, status))
DAPTOR_WATCH(MpiKind::completion, Waitsome, nullptr,
             (int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
              MPI_Status array_of_statuses[]),
             (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
DAPTOR_WATCH(MpiKind::completion, Test, nullptr,
             (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
DAPTOR_WATCH(MpiKind::completion, Testall, nullptr,
             (int count, MPI_Request array_of_requests[], int* flag,
              MPI_Status array_of_statuses[]),
             (count, array_of_requests, flag, array_of_statuses))
DAPTOR_WATCH(MpiKind::completion, Testany, nullptr,
             (int count, MPI_Request array_of_requests[], int* index, int* flag,
              MPI_Status* status),
             (count, array_of_requests, index, flag, status))
DAPTOR_WATCH(MpiKind::completion, Testsome, nullptr,
             (int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
              MPI_Status array_of_statuses[]),
             (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
DAPTOR_WATCH(MpiKind::completion, Request_free, nullptr, (MPI_Request * request), (request))
DAPTOR_WATCH(MpiKind::completion, Cancel, nullptr, (MPI_Request * request), (request))

DAPTOR_WATCH(MpiKind::file, File_open, &comm,
             (MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh),
             (comm, filename, amode, info, fh))
DAPTOR_WATCH(MpiKind::file, File_close, nullptr, (MPI_File * fh), (fh))

}  // extern "C"
