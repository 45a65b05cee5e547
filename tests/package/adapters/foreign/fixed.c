/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixed.h"

int fixed_fits(long count) {
  return count <= fixed_most();
}
