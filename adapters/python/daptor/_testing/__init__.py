# SPDX-License-Identifier: BSD-3-Clause
"""Tests of a producer's __dlpack__."""
