// SPDX-License-Identifier: BSD-3-Clause
#ifndef DAPTOR_TESTS_C_SECTIONS_H
#define DAPTOR_TESTS_C_SECTIONS_H

/* A producer and a consumer in C, as strangers to Daptor would write them: nothing but the header.
 */

#include <daptor/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** This rank's rows of a rows x columns array of double, blocks over dimension 0; each element
   holds its row-major global number. Returns 0, or 1 where memory is short. */
int c_make_grid(int rank, int ranks, int64_t rows, int64_t columns, daptor_array* out);

/** Number of grids that were made and are not yet released. */
int c_live_grids(void);

/** Sums the owned elements, which must be double; returns DAPTOR_OK or another status. */
int32_t c_sum(daptor_array* array, double* sum);

/** Multiplies every element of the section, padding included, and notifies the producer. */
int32_t c_scale(daptor_array* array, double factor);

#ifdef __cplusplus
}
#endif

#endif
