/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that misbehaves while it is loaded; a macro selects how. */

#include <stdlib.h>
#include <unistd.h>

int grid(void);

int grid(void) {
  return 0;
}

static void __attribute__((constructor)) loaded(void) {
#if defined(CRASHES)
  abort(); /* a signal that sanitizers leave alone */
#elif defined(EXITS)
  exit(3);
#elif defined(HANGS)
  for (;;) pause();
#elif defined(PRINTS)
  if (write(1, "loaded\n", 7) != 7) abort();
#endif
}
