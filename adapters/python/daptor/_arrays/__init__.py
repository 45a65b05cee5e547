# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of one's own sections: made, allocated, named, moved; and rows of sparse matrices."""
