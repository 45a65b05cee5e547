/* SPDX-License-Identifier: BSD-3-Clause */
#include "spool.h"

#include <stdlib.h>

struct spool_vector {
  double* first;
  int count;
  long stride;
  enum spool_place place;
};

spool_vector* spool_wrap(double* first, int count, long stride, enum spool_place place) {
  spool_vector* vector = count < 0 ? NULL : malloc(sizeof(spool_vector));
  if (vector != NULL) *vector = (spool_vector){first, count, stride, place};
  return vector;
}

double* spool_first(const spool_vector* vector) {
  return vector->first;
}

enum spool_place spool_place_of(const spool_vector* vector) {
  return vector->place;
}

void spool_scale(spool_vector* vector, double by) {
  for (int i = 0; i < vector->count; ++i) vector->first[i * vector->stride] *= by;
}

void spool_free(spool_vector* vector) {
  free(vector);
}
