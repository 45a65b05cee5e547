# SPDX-License-Identifier: BSD-3-Clause
# The header needs CUDA's runtime, which the user's program finds, not Daptor.
set(daptor_cuda_DEPENDENCIES_FOUND TRUE)
