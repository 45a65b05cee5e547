/* SPDX-License-Identifier: BSD-3-Clause */
/* Two components in C hand a distributed array to each other; neither links to Daptor. */

#include <mpi.h>
#include <stdio.h>

#include "c_sections.h"

/* The consumer takes the array over, uses it in place and gives it back. */
static double consume(daptor_array* offered) {
  daptor_array mine;
  double sum = 0;
  daptor_array_move(offered, &mine);
  if (c_scale(&mine, 2.0) != DAPTOR_OK || c_sum(&mine, &sum) != DAPTOR_OK) sum = -1;
  daptor_array_release(&mine);
  return sum;
}

static int check(int rank, int holds, const char* what) {
  if (!holds) fprintf(stderr, "rank %d: %s\n", rank, what);
  return holds ? 0 : 1;
}

int main(int argc, char** argv) {
  const int64_t rows = 7, columns = 3;
  const double expected = (double)(rows * columns * (rows * columns - 1));
  daptor_array offered;
  double sum, total = 0;
  const double* cells;
  int rank, ranks, failures = 0, all_failures = 0;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  if (c_make_grid(rank, ranks, rows, columns, &offered) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  cells = offered.data;
  failures +=
      check(rank, offered.shape[0] == 0 || cells[0] == (double)(3 * offered.dimensions->start),
            "the section does not start with its global number");
  sum = consume(&offered);
  failures += check(rank, offered.release == NULL, "the struct still holds what was moved");
  failures += check(rank, c_live_grids() == 0, "the section was not released once");
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  failures += check(rank, total == expected, "the sum over all ranks is wrong");

  MPI_Allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all_failures == 0) printf("%d ranks: sum %g\n", ranks, total);
  MPI_Finalize();
  return all_failures == 0 ? 0 : 1;
}
