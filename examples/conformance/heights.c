/* SPDX-License-Identifier: BSD-3-Clause */
/* A terrain of heights, divided by rows: a C library that uses nothing of Daptor but daptor/abi.h.
   `daptor check ./libheights.so:heights` calls the function `heights`. */

#include <stdlib.h>

#include <mpi.h>

#include <daptor/abi.h>

enum { rows = 50, columns = 20 };

struct terrain {
  double* height;
  int64_t shape[2];
  daptor_dimension dimensions[2];
  int holders; /* the library itself, and every section that is out */
};

static struct terrain* terrain = NULL;

static struct terrain* make_terrain(MPI_Comm comm) {
  struct terrain* made = malloc(sizeof *made);
  int rank, ranks;
  int64_t i, count;
  if (made == NULL) return NULL;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  made->dimensions[0] = daptor_even_block(rows, ranks, rank);
  made->dimensions[1] = daptor_undistributed(columns);
  made->shape[0] = made->dimensions[0].stop - made->dimensions[0].start;
  made->shape[1] = columns;
  made->holders = 1;
  count = made->shape[0] * columns;
  made->height = malloc(sizeof(double) * (size_t)(count + 1));
  if (made->height == NULL) {
    free(made);
    return NULL;
  }
  /* For the conformance kit: each element holds its row-major global number. */
  for (i = 0; i < count; ++i) made->height[i] = (double)(made->dimensions[0].start * columns + i);
  return made;
}

static void let_go(struct terrain* held) {
  if (--held->holders > 0) return;
  free(held->height);
  free(held);
}

static void release(daptor_array* self) {
  let_go(self->private_data);
  self->release = NULL;
}

int32_t heights(int32_t comm, daptor_array* out) {
  if (terrain == NULL) terrain = make_terrain(MPI_Comm_f2c(comm));
  if (terrain == NULL) return 1;
  ++terrain->holders;
  daptor_array_init(out, "d", sizeof(double), 2, terrain->shape, terrain->dimensions,
                    terrain->height);
  out->private_data = terrain;
  out->release = release;
  return 0;
}

void heights_daptor_close(void) {
  if (terrain != NULL) let_go(terrain);
  terrain = NULL;
}
