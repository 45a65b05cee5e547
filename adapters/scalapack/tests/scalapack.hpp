// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests call of ScaLAPACK and its BLACS, which come without headers.

#include <mpi.h>

extern "C" {
int numroc_(const int* n, const int* block, const int* process, const int* source,
            const int* processes);
int indxg2p_(const int* global, const int* block, const int* ignored, const int* source,
             const int* processes);
int indxg2l_(const int* global, const int* block, const int* process, const int* source,
             const int* processes);
int indxl2g_(const int* local, const int* block, const int* process, const int* source,
             const int* processes);
void descinit_(int* desc, const int* m, const int* n, const int* mb, const int* nb,
               const int* row_source, const int* column_source, const int* context, const int* lld,
               int* info);

int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
void Cblacs_exit(int mpi_goes_on);

void pigemr2d_(const int* m, const int* n, const int* a, const int* ia, const int* ja,
               const int* desc_a, int* b, const int* ib, const int* jb, const int* desc_b,
               const int* context);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja,
              const int* desc_a, int* pivots, int* info);
void pdgetrs_(const char* trans, const int* n, const int* columns, const double* a, const int* ia,
              const int* ja, const int* desc_a, const int* pivots, double* b, const int* ib,
              const int* jb, const int* desc_b, int* info);
void pdpotrf_(const char* part, const int* n, double* a, const int* ia, const int* ja,
              const int* desc_a, int* info);
void pdpotrs_(const char* part, const int* n, const int* columns, const double* a, const int* ia,
              const int* ja, const int* desc_a, double* b, const int* ib, const int* jb,
              const int* desc_b, int* info);
void pdsyev_(const char* vectors, const char* part, const int* n, double* a, const int* ia,
             const int* ja, const int* desc_a, double* values, double* z, const int* iz,
             const int* jz, const int* desc_z, double* work, const int* length, int* info);
void pdgeqrf_(const int* m, const int* n, double* a, const int* ia, const int* ja,
              const int* desc_a, double* tau, double* work, const int* length, int* info);
void pdorgqr_(const int* m, const int* n, const int* k, double* a, const int* ia, const int* ja,
              const int* desc_a, const double* tau, double* work, const int* length, int* info);
}
