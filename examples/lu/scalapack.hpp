// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

// What the example calls: ScaLAPACK comes without a header.
extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
void Cigamx2d(int context, const char* scope, const char* topology, int rows, int columns,
              int* values, int leading, int* max_rows, int* max_columns, int leading_of_those,
              int to_row, int to_column);

void pdgetrf_(const int* rows, const int* columns, double* a, const int* row, const int* column,
              const int* descriptor, int* pivots, int* info);
void pdgetrs_(const char* transposed, const int* size, const int* right_hand_sides, const double* a,
              const int* row, const int* column, const int* descriptor, const int* pivots,
              double* b, const int* row_of_b, const int* column_of_b, const int* descriptor_of_b,
              int* info);
}
