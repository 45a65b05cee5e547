// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

/// Each function prints one table or a group of tables. All are collective over `comm`.
namespace bench {

void agreement(MPI_Comm comm, bool quick);
void wrap(MPI_Comm comm, bool quick);
void rebind(MPI_Comm comm, bool quick);
void memory(MPI_Comm comm, bool quick);
void validate(MPI_Comm comm, bool quick);
void solve(MPI_Comm comm, bool quick);
void hand_over(MPI_Comm comm, bool quick);
void matrix(MPI_Comm comm, bool quick);
void csr(MPI_Comm comm, bool quick);
void halo(MPI_Comm comm, bool quick);
void halo_peers(MPI_Comm comm, bool quick);
void halo_ways(MPI_Comm comm, bool quick);
void redistribution(MPI_Comm comm, bool quick);
void redistribution_peers(MPI_Comm comm, bool quick);
void sparse(MPI_Comm comm, bool quick);
void sparse_ga(MPI_Comm comm, bool quick);
void scalapack_matrices(MPI_Comm comm, bool quick);
void nvector(MPI_Comm comm, bool quick);
void fft(MPI_Comm comm, bool quick);
void time_to_solution(MPI_Comm comm, bool quick);

}  // namespace bench
