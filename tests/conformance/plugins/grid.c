/* SPDX-License-Identifier: BSD-3-Clause */
/* Producers in a shared library for daptor/conformance/producer.h. This one has every optional
   function. */

#include <stdlib.h>

#include <mpi.h>

#include <daptor/conformance/producer.h>

enum { rows_here = 3, columns = 2 };

struct grid {
  double cells[rows_here * columns];
  int64_t shape[2];
  daptor_dimension dimensions[2];
  int holders;
};

static struct grid* current = NULL;
static const char* failure = NULL;

daptor_open grid_daptor_open;
daptor_produce grid;
daptor_close grid_daptor_close;
daptor_read grid_daptor_read;
daptor_write grid_daptor_write;
daptor_error grid_daptor_error;
int live_grids(void);

static int live = 0;

int live_grids(void) {
  return live;
}

static void let_go(struct grid* grid) {
  if (--grid->holders > 0) return;
  free(grid);
  --live;
}

int32_t grid_daptor_open(int32_t comm) {
  int rank, ranks, i;
  MPI_Comm_rank(MPI_Comm_f2c(comm), &rank);
  MPI_Comm_size(MPI_Comm_f2c(comm), &ranks);
  MPI_Barrier(MPI_Comm_f2c(comm));
  current = malloc(sizeof *current);
  if (current == NULL) {
    failure = "no memory";
    return 1;
  }
  ++live;
  current->holders = 1;
  current->shape[0] = rows_here;
  current->shape[1] = columns;
  current->dimensions[0] = daptor_even_block((int64_t)rows_here * ranks, ranks, rank);
  current->dimensions[1] = daptor_undistributed(columns);
  for (i = 0; i < rows_here * columns; ++i)
    current->cells[i] = (double)(rank * rows_here * columns + i);
  return 0;
}

static void release_grid(daptor_array* self) {
  let_go(self->private_data);
  self->release = NULL;
}

int32_t grid(int32_t comm, daptor_array* out) {
  (void)comm;
  ++current->holders;
  daptor_array_init(out, "d", sizeof(double), 2, current->shape, current->dimensions,
                    current->cells);
  out->private_data = current;
  out->release = release_grid;
  return 0;
}

void grid_daptor_close(void) {
  let_go(current);
  current = NULL;
}

int32_t grid_daptor_read(const int64_t* local_index, void* element) {
  *(double*)element = current->cells[local_index[0] * columns + local_index[1]];
  return 0;
}

int32_t grid_daptor_write(const int64_t* local_index, const void* element) {
  current->cells[local_index[0] * columns + local_index[1]] = *(const double*)element;
  return 0;
}

const char* grid_daptor_error(void) {
  return failure;
}

/* Refuses on one rank, and says why. */
daptor_produce refuses;
daptor_error refuses_daptor_error;

int32_t refuses(int32_t comm, daptor_array* out) {
  (void)comm;
  (void)out;
  return 5;
}

const char* refuses_daptor_error(void) {
  return "the file of the mesh is gone";
}

/* Communicates with the other ranks at every export. */
static double numbers[1];
static daptor_dimension line[1];
static const int64_t one[1] = {1};

daptor_produce asks;

int32_t asks(int32_t comm, daptor_array* out) {
  int rank, ranks;
  MPI_Comm_rank(MPI_Comm_f2c(comm), &rank);
  MPI_Comm_size(MPI_Comm_f2c(comm), &ranks);
  numbers[0] = rank;
  line[0] = daptor_even_block(ranks, ranks, rank);
  MPI_Bcast(numbers, 0, MPI_DOUBLE, 0, MPI_Comm_f2c(comm));
  daptor_array_init(out, "d", sizeof(double), 1, one, line, numbers);
  out->release = daptor_release_nothing;
  return 0;
}
