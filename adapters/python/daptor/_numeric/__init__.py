# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of all elements, and what NumPy's functions do with an Array."""
