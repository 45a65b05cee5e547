// SPDX-License-Identifier: BSD-3-Clause
#ifndef DAPTOR_CONFORMANCE_PRODUCER_H
#define DAPTOR_CONFORMANCE_PRODUCER_H

/**
 * \file
 * What a shared library offers so that the command daptor and the conformance kit can call it.
 *
 * That is one function, and a few more if it likes; `daptor check ./library.so:grid` calls them.
 * C99 and C++; neither this header nor daptor/abi.h needs MPI, and the library links to nothing of
 * Daptor's.
 *
 * Only `grid` is required; the others are found by their names, the symbol with `_daptor_open`,
 * `_daptor_close`, `_daptor_read`, `_daptor_write` or `_daptor_error` behind it. Declare them with
 * the types below to have the compiler compare them:
 *
 *     daptor_produce grid;
 *     int32_t grid(int32_t comm, daptor_array* out) { ... }
 *
 * `comm` is the communicator of the array as a Fortran handle (MPI_Fint, `MPI_Comm_c2f`): an
 * integer is the same for every compiler and language, where MPI_Comm is not. C code has it back by
 * `MPI_Comm_f2c`; Fortran code uses it as it is. docs/conformance.md has a whole producer.
 */

#include <stdint.h>

#include "daptor/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * `grid`: describes this process's section of one array in `*out`, which the caller provides and
 * then owns (daptor/abi.h). Returns 0; anything else means that `*out` holds nothing.
 *
 * It is called several times, on all processes in the same order, also while earlier sections are
 * not released: until `grid_daptor_close` all of them describe the same array, on the same memory.
 * It communicates nothing, but for the first call of a library without `grid_daptor_open`, which
 * may set the array up. It must return on every process, or fail without having waited for the
 * others.
 */
typedef int32_t daptor_produce(int32_t comm, daptor_array* out);

/** `grid_daptor_open`: makes the array. Called on all processes, may communicate; comes again after
    `grid_daptor_close`. Returns 0 on all processes or something else on all. */
typedef int32_t daptor_open(int32_t comm);

/** `grid_daptor_close`: the producer gives up the array. Called on all processes, may communicate.
    Sections that are not released yet stay valid, with what they point to, until they are. */
typedef void daptor_close(void);

/** `grid_daptor_read`: the producer's own view of its data. Writes to `*element` the element at a
   local index, one number for each dimension, that counts from the first element of the section,
   all padding included. Process-local. Returns 0. */
typedef int32_t daptor_read(const int64_t* local_index, void* element);

/** `grid_daptor_write`: the producer changes the element at a local index of its own data.
   Process-local. Returns 0. */
typedef int32_t daptor_write(const int64_t* local_index, const void* element);

/** `grid_daptor_error`: why the last of these calls returned something else than 0. */
typedef const char* daptor_error(void);

#ifdef __cplusplus
}
#endif

#endif
