// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

/// Each function prints one table or a group of tables. All are collective over `comm`.
namespace bench {

void wrap(MPI_Comm comm, bool quick);
void halo(MPI_Comm comm, bool quick);
void halo_peers(MPI_Comm comm, bool quick);
void redistribution(MPI_Comm comm, bool quick);
void redistribution_peers(MPI_Comm comm, bool quick);
void fft(MPI_Comm comm, bool quick);
void time_to_solution(MPI_Comm comm, bool quick);

}  // namespace bench
