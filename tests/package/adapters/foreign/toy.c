/* SPDX-License-Identifier: BSD-3-Clause */
#include "toy.h"

#include <stdlib.h>

struct toy_list {
  double* values;
  long count;
};

static int started = 0;

int toy_start(void) {
  started = 1;
  return 0;
}

void toy_stop(void) {
  started = 0;
}

int toy_started(void) {
  return started;
}

toy_list* toy_list_on(double* values, long count) {
  toy_list* list = started ? malloc(sizeof(toy_list)) : NULL;
  if (list != NULL) {
    list->values = values;
    list->count = count;
  }
  return list;
}

double* toy_list_values(const toy_list* list) {
  return list->values;
}

long toy_list_count(const toy_list* list) {
  return list->count;
}

double toy_list_sum(const toy_list* list) {
  double sum = 0;
  for (long i = 0; i < list->count; ++i) sum += list->values[i];
  return sum;
}

void toy_list_free(toy_list* list) {
  free(list);
}
