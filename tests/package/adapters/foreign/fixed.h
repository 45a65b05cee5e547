/* SPDX-License-Identifier: BSD-3-Clause
   A library of somebody else that exists as an archive alone, which is not position independent
   enough to become part of a shared library. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

extern int fixed_limit;
int fixed_fits(long count);

#ifdef __cplusplus
}
#endif
