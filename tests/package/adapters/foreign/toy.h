/* SPDX-License-Identifier: BSD-3-Clause
   A library of somebody else that has to be started: lists on memory that it is given. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

typedef struct toy_list toy_list;
int toy_start(void); /* 0: started */
void toy_stop(void);
int toy_started(void);
toy_list* toy_list_on(double* values, long count); /* null before toy_start */
double* toy_list_values(const toy_list* list);
long toy_list_count(const toy_list* list);
double toy_list_sum(const toy_list* list);
void toy_list_free(toy_list* list);

#ifdef __cplusplus
}
#endif
