/* A library that misbehaves when it is loaded: MISBEHAVE says how. */

#include <stdlib.h>
#include <unistd.h>

#include "daptor/conformance/producer.h"

__attribute__((constructor)) static void misbehave(void) { MISBEHAVE; }

daptor_produce make;

int32_t make(int32_t comm, daptor_array* out) {
  (void)comm;
  (void)out;
  return 1;
}
