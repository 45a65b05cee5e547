// SPDX-License-Identifier: BSD-3-Clause
#ifndef DAPTOR_CONFORMANCE_PRODUCER_H
#define DAPTOR_CONFORMANCE_PRODUCER_H

/**
 * \file
 * The functions of a shared library that the command daptor and the conformance kit call.
 *
 * One function is required, and a few more are optional; `daptor check ./library.so:grid` calls
 * them. C99 and C++. Neither this header nor daptor/abi.h needs MPI, and the library need not link
 * to Daptor.
 *
 * Only `grid` is required. The others are found by their names: the symbol followed by
 * `_daptor_open`, `_daptor_close`, `_daptor_read`, `_daptor_write` or `_daptor_error`. Declare them
 * with the types below, so that the compiler checks them:
 *
 *     daptor_produce grid;
 *     int32_t grid(int32_t comm, daptor_array* out) { ... }
 *
 * `comm` is the communicator of the array as a Fortran handle (MPI_Fint, `MPI_Comm_c2f`): an
 * integer is the same for every compiler and language, while MPI_Comm is not. C code converts it
 * back by `MPI_Comm_f2c`; Fortran code uses it as it is. docs/conformance.md has a whole producer.
 */

#include <stdint.h>

#include "daptor/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * `grid`: describes this process's section of one array in `*out`, which the caller provides and
 * then owns (daptor/abi.h). Returns 0; any other value means that `*out` holds no section.
 *
 * It is called several times, on all processes in the same order, even while earlier sections are
 * not released. Until `grid_daptor_close`, all calls must describe the same array, on the same
 * memory. It must not communicate, except in the first call of a library without
 * `grid_daptor_open`, which may set the array up. It must return on every process, or fail without
 * having waited for the others.
 */
typedef int32_t daptor_produce(int32_t comm, daptor_array* out);

/** `grid_daptor_open`: makes the array. Called on all processes, and again after
    `grid_daptor_close`; may communicate. Returns 0 on all processes, or another value on all. */
typedef int32_t daptor_open(int32_t comm);

/** `grid_daptor_close`: gives up the array. Called on all processes; may communicate. Sections that
    are not released yet, and everything to which they point, stay valid until their release. */
typedef void daptor_close(void);

/** `grid_daptor_read`: reads the producer's own data. Writes to `*element` the element at a local
   index, which has one number for each dimension and counts from the first element of the section,
   all padding included. Process-local. Returns 0. */
typedef int32_t daptor_read(const int64_t* local_index, void* element);

/** `grid_daptor_write`: changes the element at a local index of the producer's own data.
   Process-local. Returns 0. */
typedef int32_t daptor_write(const int64_t* local_index, const void* element);

/** `grid_daptor_error`: the reason why the last of these calls returned a value other than 0. */
typedef const char* daptor_error(void);

#ifdef __cplusplus
}
#endif

#endif
