// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "conformance/watch/wrapper.hpp"

// Windows, and one-sided communication in them.

using daptor::conformance::MpiKind;

extern "C" {

DAPTOR_WATCH(MpiKind::one_sided, Win_create, &comm,
             (void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
             (base, size, disp_unit, info, comm, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_allocate, &comm,
             (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
              MPI_Win* win),
             (size, disp_unit, info, comm, baseptr, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_allocate_shared, &comm,
             (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
              MPI_Win* win),
             (size, disp_unit, info, comm, baseptr, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_create_dynamic, &comm,
             (MPI_Info info, MPI_Comm comm, MPI_Win* win), (info, comm, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_free, nullptr, (MPI_Win * win), (win))
DAPTOR_WATCH(MpiKind::one_sided, Win_fence, nullptr, (int assert, MPI_Win win), (assert, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_post, nullptr, (MPI_Group group, int assert, MPI_Win win),
             (group, assert, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_start, nullptr, (MPI_Group group, int assert, MPI_Win win),
             (group, assert, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_complete, nullptr, (MPI_Win win), (win))
DAPTOR_WATCH(MpiKind::one_sided, Win_wait, nullptr, (MPI_Win win), (win))
DAPTOR_WATCH(MpiKind::one_sided, Win_test, nullptr, (MPI_Win win, int* flag), (win, flag))
DAPTOR_WATCH(MpiKind::one_sided, Win_lock, nullptr,
             (int lock_type, int rank, int assert, MPI_Win win), (lock_type, rank, assert, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_unlock, nullptr, (int rank, MPI_Win win), (rank, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_lock_all, nullptr, (int assert, MPI_Win win), (assert, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_unlock_all, nullptr, (MPI_Win win), (win))
DAPTOR_WATCH(MpiKind::one_sided, Win_flush, nullptr, (int rank, MPI_Win win), (rank, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_flush_all, nullptr, (MPI_Win win), (win))
DAPTOR_WATCH(MpiKind::one_sided, Win_flush_local, nullptr, (int rank, MPI_Win win), (rank, win))
DAPTOR_WATCH(MpiKind::one_sided, Win_flush_local_all, nullptr, (MPI_Win win), (win))
DAPTOR_WATCH(MpiKind::one_sided, Put, nullptr,
             (const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
              MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
              target_datatype, win))
DAPTOR_WATCH(MpiKind::one_sided, Get, nullptr,
             (void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
              target_datatype, win))
DAPTOR_WATCH(MpiKind::one_sided, Accumulate, nullptr,
             (const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
              MPI_Op op, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
              target_datatype, op, win))
DAPTOR_WATCH(MpiKind::one_sided, Get_accumulate, nullptr,
             (const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
              void* result_addr, int result_count, MPI_Datatype result_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
              MPI_Win win),
             (origin_addr, origin_count, origin_datatype, result_addr, result_count,
              result_datatype, target_rank, target_disp, target_count, target_datatype, op, win))
DAPTOR_WATCH(MpiKind::one_sided, Fetch_and_op, nullptr,
             (const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
              MPI_Aint target_disp, MPI_Op op, MPI_Win win),
             (origin_addr, result_addr, datatype, target_rank, target_disp, op, win))
DAPTOR_WATCH(MpiKind::one_sided, Compare_and_swap, nullptr,
             (const void* origin_addr, const void* compare_addr, void* result_addr,
              MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win),
             (origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win))
DAPTOR_WATCH(MpiKind::one_sided, Rput, nullptr,
             (const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, int target_cout, MPI_Datatype target_datatype,
              MPI_Win win, MPI_Request* request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_cout,
              target_datatype, win, request))
DAPTOR_WATCH(MpiKind::one_sided, Rget, nullptr,
             (void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request* request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
              target_datatype, win, request))
DAPTOR_WATCH(MpiKind::one_sided, Raccumulate, nullptr,
             (const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
              MPI_Op op, MPI_Win win, MPI_Request* request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
              target_datatype, op, win, request))
DAPTOR_WATCH(MpiKind::one_sided, Rget_accumulate, nullptr,
             (const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
              void* result_addr, int result_count, MPI_Datatype result_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
              MPI_Win win, MPI_Request* request),
             (origin_addr, origin_count, origin_datatype, result_addr, result_count,
              result_datatype, target_rank, target_disp, target_count, target_datatype, op, win,
              request))

}  // extern "C"
