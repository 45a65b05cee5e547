/* SPDX-License-Identifier: BSD-3-Clause */
#include "c_sections.h"

#include <stdlib.h>

struct grid {
  double* cells;
  int64_t shape[2];
  daptor_dimension dimensions[2];
};

static int live_grids = 0;

static void release_grid(daptor_array* self) {
  struct grid* grid = self->private_data;
  free(grid->cells);
  free(grid);
  self->release = NULL;
  --live_grids;
}

int c_make_grid(int rank, int ranks, int64_t rows, int64_t columns, daptor_array* out) {
  struct grid* grid = malloc(sizeof *grid);
  int64_t i;
  if (grid == NULL) return 1;
  grid->dimensions[0] = daptor_even_block(rows, ranks, rank);
  grid->dimensions[1] = daptor_undistributed(columns);
  grid->shape[0] = grid->dimensions[0].stop - grid->dimensions[0].start;
  grid->shape[1] = columns;
  grid->cells = malloc(sizeof(double) * (size_t)(grid->shape[0] * columns + 1));
  if (grid->cells == NULL) {
    free(grid);
    return 1;
  }
  for (i = 0; i < grid->shape[0] * columns; ++i)
    grid->cells[i] = (double)(grid->dimensions[0].start * columns + i);

  daptor_array_init(out, "d", sizeof(double), 2, grid->shape, grid->dimensions, grid->cells);
  out->private_data = grid;
  out->release = release_grid;
  ++live_grids;
  return 0;
}

int c_live_grids(void) {
  return live_grids;
}

/* Byte stride of dimension d; in C order without gaps if the producer gave none. */
static int64_t stride(const daptor_array* array, int d) {
  int64_t bytes = array->itemsize;
  int k;
  if (array->byte_strides != NULL) return array->byte_strides[d];
  for (k = d + 1; k < array->ndim; ++k) bytes *= array->shape[k];
  return bytes;
}

static const daptor_dimension* dimension(const daptor_array* array, int d) {
  return (const daptor_dimension*)((const char*)array->dimensions + d * (int)array->dimension_size);
}

/* Communication padding of dimension d at the lower (0) or upper (1) end, version 0.9. */
static int64_t communication(const daptor_array* array, int d, int end) {
  const daptor_dimension* entry = dimension(array, d);
  const int64_t last = entry->dist_type == 'n' ? 0 : entry->proc_grid_size - 1;
  const int64_t edge = end == 0 ? 0 : last;
  if (array->shape[d] == 0) return 0;
  return entry->periodic || entry->proc_grid_rank != edge ? entry->padding[end] : 0;
}

typedef void (*visitor)(double* element, void* context);

static void visit(const daptor_array* array, int d, char* at, int owned, visitor call,
                  void* context) {
  int64_t i, stop;
  if (d == array->ndim) {
    call((double*)at, context);
    return;
  }
  i = owned ? communication(array, d, 0) : 0;
  stop = array->shape[d] - (owned ? communication(array, d, 1) : 0);
  for (; i < stop; ++i) visit(array, d + 1, at + i * stride(array, d), owned, call, context);
}

static void add(double* element, void* sum) {
  *(double*)sum += *element;
}
static void multiply(double* element, void* factor) {
  *element *= *(double*)factor;
}

static int32_t begin(daptor_array* array, int32_t access) {
  if (array->abi_version != DAPTOR_ABI_VERSION || strcmp(array->format, "d") != 0)
    return DAPTOR_FAILED;
  return array->begin_access == NULL ? DAPTOR_OK : array->begin_access(array, access);
}

static void end(daptor_array* array, int32_t access) {
  if (array->end_access != NULL) array->end_access(array, access);
}

int32_t c_sum(daptor_array* array, double* sum) {
  const int32_t status = begin(array, DAPTOR_READ);
  *sum = 0;
  if (status != DAPTOR_OK) return status;
  visit(array, 0, array->data, 1, add, sum);
  end(array, DAPTOR_READ);
  return DAPTOR_OK;
}

int32_t c_scale(daptor_array* array, double factor) {
  const int32_t status = begin(array, DAPTOR_WRITE);
  if (status != DAPTOR_OK) return status;
  visit(array, 0, array->data, 0, multiply, &factor);
  end(array, DAPTOR_WRITE);
  return array->modified == NULL ? DAPTOR_OK : array->modified(array);
}
