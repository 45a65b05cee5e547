/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that misbehaves when it is loaded: MISBEHAVE names the function that does it. */

#include <stdlib.h>
#include <unistd.h>

#include "daptor/conformance/producer.h"

static inline void misbehave_crash(void) {
  abort();
}

static inline void misbehave_hang(void) {
  for (;;) pause();
}

static inline void misbehave_exit(void) {
  exit(0);
}

__attribute__((constructor)) static void misbehave(void) {
  MISBEHAVE();
}

daptor_produce make;

int32_t make(int32_t comm, daptor_array* out) {
  (void)comm;
  (void)out;
  return 1;
}
