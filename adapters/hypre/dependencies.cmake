# SPDX-License-Identifier: BSD-3-Clause
# The headers need hypre, which the user's program finds, not Daptor.
set(daptor_hypre_DEPENDENCIES_FOUND TRUE)
