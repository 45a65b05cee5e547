/* SPDX-License-Identifier: BSD-3-Clause */
/* A code that has a field of 12 x 5 numbers, in blocks of rows, and knows nothing of Daptor but the
   header abi.h, of which it has a copy. `daptor check ./libfield.so:field --labels` checks it. */

#include <mpi.h>

#include "abi.h"

/* What the code had before: this rank's rows. */
static double rows[12][5];
static int64_t first, last;

static void set_up(MPI_Comm comm) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  first = (int64_t)12 * rank / ranks;
  last = (int64_t)12 * (rank + 1) / ranks;
  for (int64_t i = first; i < last; ++i)
    for (int64_t j = 0; j < 5; ++j) rows[i - first][j] = (double)(5 * i + j);
}

/* begin: what shares it */
int32_t field(int32_t comm, daptor_array* out) {
  static daptor_dimension dimensions[2];
  static int64_t shape[2];
  int rank, ranks;
  MPI_Comm_rank(MPI_Comm_f2c(comm), &rank);
  MPI_Comm_size(MPI_Comm_f2c(comm), &ranks);
  if (shape[1] == 0) set_up(MPI_Comm_f2c(comm));
  dimensions[0] = daptor_block(12, ranks, rank, first, last); /* rows [first, last) of 12 */
  dimensions[1] = daptor_undistributed(5);                    /* all 5 columns */
  shape[0] = last - first;
  shape[1] = 5;
  daptor_array_init(out, "d", sizeof(double), 2, shape, dimensions, rows);
  out->release = daptor_release_nothing; /* the rows live as long as the program */
  return 0;
}
/* end */
