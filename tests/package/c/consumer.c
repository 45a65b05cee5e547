/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program that knows no C++: it describes its section by the C struct, and asks the library
 * which it is. */

#include <stdio.h>
#include <stdlib.h>

#include <daptor/abi.h>
#include <daptor/about.h>
#include <mpi.h>

static void release_cells(daptor_array* self) {
  free(self->private_data);
  self->release = NULL;
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const daptor_dimension rows = daptor_even_block(18, ranks, rank);
  const int64_t count = rows.stop - rows.start;
  double* const cells = calloc((size_t)count + 1, sizeof *cells);
  daptor_array array;
  daptor_array_init(&array, "d", sizeof *cells, 1, &count, &rows, cells);
  array.private_data = cells;
  array.release = release_cells;

  long mine = (long)count, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  array.release(&array);
  const int works = sum == 18 && daptor_configuration("version") != NULL;
  if (rank == 0 && works) printf("the C interface of Daptor works.\n");
  MPI_Finalize();
  return works ? 0 : 1;
}
