/* SPDX-License-Identifier: BSD-3-Clause
   A library of somebody else that exists as archives alone, which are not position independent
   enough to become part of a shared library: libfixed.a needs libfixed_most.a, which needs
   libfixed_limit.a. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

int fixed_fits(long count);
int fixed_most(void);

#ifdef __cplusplus
}
#endif
