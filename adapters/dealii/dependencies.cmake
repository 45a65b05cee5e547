# SPDX-License-Identifier: BSD-3-Clause
# The headers need deal.II, which the user's program finds (find_package(deal.II)), not Daptor.
set(daptor_dealii_DEPENDENCIES_FOUND TRUE)
