/* SPDX-License-Identifier: BSD-3-Clause */
/* Producers for the tests of the command: 2 n elements in blocks on n processes, right and wrong.
 */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daptor/conformance/producer.h"

enum { per_rank = 2 };

typedef struct {
  int holders;
  int64_t shape;
  daptor_dimension dimension;
  double elements[per_rank];
} section;

static section* kept = NULL;

static void give_up(section* held) {
  if (--held->holders == 0) free(held);
}

static void release(daptor_array* self) {
  give_up((section*)self->private_data);
  self->release = NULL;
}

static int rank_in(int32_t comm) {
  int rank = 0;
  MPI_Comm_rank(MPI_Comm_f2c(comm), &rank);
  return rank;
}

/* Describes the section of this process, made once, in `*out`. */
static daptor_dimension* describe(int32_t comm, daptor_array* out) {
  if (kept == NULL) {
    int size = 0;
    const int rank = rank_in(comm);
    MPI_Comm_size(MPI_Comm_f2c(comm), &size);
    kept = (section*)calloc(1, sizeof *kept);
    kept->holders = 1;
    kept->shape = per_rank;
    kept->dimension.dist_type = 'b';
    kept->dimension.size = (int64_t)per_rank * size;
    kept->dimension.proc_grid_size = size;
    kept->dimension.proc_grid_rank = rank;
    kept->dimension.start = (int64_t)per_rank * rank;
    kept->dimension.stop = kept->dimension.start + per_rank;
    for (int i = 0; i < per_rank; ++i) kept->elements[i] = (double)(per_rank * rank + i);
  }
  ++kept->holders;
  daptor_array_init(out, "d", sizeof(double), 1, &kept->shape, &kept->dimension, kept->elements);
  out->private_data = kept;
  out->release = release;
  return &kept->dimension;
}

daptor_produce good, shifted, fails_on_last, crashes_on_last, exits_on_last, waits_on_last, talks,
    garbage;

int32_t good(int32_t comm, daptor_array* out) {
  describe(comm, out);
  return 0;
}

static int is_last(int32_t comm) {
  int size = 0;
  MPI_Comm_size(MPI_Comm_f2c(comm), &size);
  return rank_in(comm) == size - 1;
}

/* Every process but the first and the last starts one element too late. */
int32_t shifted(int32_t comm, daptor_array* out) {
  daptor_dimension* dimension = describe(comm, out);
  const int already = dimension->start % per_rank != 0;
  if (rank_in(comm) > 0 && !is_last(comm) && !already) ++dimension->start, ++dimension->stop;
  return 0;
}

int32_t fails_on_last(int32_t comm, daptor_array* out) {
  if (is_last(comm)) return 7;
  return good(comm, out);
}
const char* fails_on_last_daptor_error(void) {
  return "no \x1b[31mluck\xff";
}

int32_t crashes_on_last(int32_t comm, daptor_array* out) {
  if (is_last(comm)) abort();
  return good(comm, out);
}

int32_t exits_on_last(int32_t comm, daptor_array* out) {
  if (is_last(comm)) exit(0);
  return good(comm, out);
}

int32_t waits_on_last(int32_t comm, daptor_array* out) {
  while (is_last(comm)) pause();
  return good(comm, out);
}

int32_t talks(int32_t comm, daptor_array* out) {
  MPI_Barrier(MPI_Comm_f2c(comm));
  return good(comm, out);
}

/* Returns success with a struct full of garbage. */
int32_t garbage(int32_t comm, daptor_array* out) {
  (void)comm;
  memset(out, 0x5a, sizeof *out);
  return 0;
}
