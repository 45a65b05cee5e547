/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixed.h"

extern int fixed_limit;

int fixed_most(void) {
  return fixed_limit;
}
