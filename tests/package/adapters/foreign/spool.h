/* SPDX-License-Identifier: BSD-3-Clause
   A library of somebody else: strided vectors, on the host or on a device. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

typedef struct spool_vector spool_vector;
enum spool_place { spool_on_host, spool_on_device };
/* null if count is negative, or if the place is unknown */
spool_vector* spool_wrap(double* first, int count, long stride, enum spool_place place);
double* spool_first(const spool_vector* vector);
enum spool_place spool_place_of(const spool_vector* vector);
void spool_scale(spool_vector* vector, double by); /* of a vector on the host */
void spool_free(spool_vector* vector);

#ifdef __cplusplus
}
#endif
