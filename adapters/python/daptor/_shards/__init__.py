# SPDX-License-Identifier: BSD-3-Clause
"""Arrays as lists of boxes, in the forms that other libraries have for them."""
