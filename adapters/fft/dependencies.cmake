# SPDX-License-Identifier: BSD-3-Clause
# Boxes, tiles and slabs need no other library.
set(daptor_fft_DEPENDENCIES_FOUND TRUE)
