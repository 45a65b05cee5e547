/* SPDX-License-Identifier: BSD-3-Clause */
int fixed_limit = 1000;
