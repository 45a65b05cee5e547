/* SPDX-License-Identifier: BSD-3-Clause */
/* Another code, which looks at the field where it is, and knows nothing of Daptor but the headers
   abi.h and abi_reader.h, of which it has copies. Prints what each rank owns, and the sum. */

#include <stdio.h>

#include <mpi.h>

#include "abi_reader.h"

int32_t field(int32_t comm, daptor_array* out); /* of field.c */

/* begin: what looks at it */
static double sum_of_owned(const daptor_array* array) {
  const daptor_axis i = daptor_array_axis(array, 0), j = daptor_array_axis(array, 1);
  double sum = 0;
  int64_t at[2];
  for (at[0] = i.owned_offset; at[0] < i.owned_offset + i.owned; ++at[0])
    for (at[1] = j.owned_offset; at[1] < j.owned_offset + j.owned; ++at[1])
      sum += *(const double*)daptor_array_element(array, at);
  return sum;
}
/* end */

int main(int argc, char** argv) {
  daptor_array array;
  daptor_fault fault;
  daptor_axis axis;
  double mine, sum = 0;
  int rank, ranks;
  int64_t starts[64], start;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 64 || field((int32_t)MPI_Comm_c2f(MPI_COMM_WORLD), &array) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  fault = daptor_array_check(&array);
  if (fault.verdict != DAPTOR_CONFORMS || strcmp(array.format, "d") != 0 || array.ndim != 2) {
    fprintf(stderr, "rank %d: not for me, rule '%s'\n", rank, fault.rule);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  axis = daptor_array_axis(&array, 0);
  start = axis.start;
  MPI_Allgather(&start, 1, MPI_INT64_T, starts, 1, MPI_INT64_T, MPI_COMM_WORLD);
  mine = sum_of_owned(&array);
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%ld x %ld, sum %g, row 7 is on rank %ld\n", (long)axis.size,
           (long)daptor_array_axis(&array, 1).size, sum, (long)daptor_axis_owner(&axis, starts, 7));
  daptor_array_release(&array);
  MPI_Finalize();
  return 0;
}
