# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_stratimikos. Used by the build and, installed, by find_package.
include("${DAPTOR_CMAKE_DIR}/DaptorTrilinos.cmake")
_daptor_trilinos(stratimikos Stratimikos)
