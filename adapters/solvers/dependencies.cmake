# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_muelu, _belos, _ifpack2 and _amesos2. Used by the build and, installed, by
# find_package.
include("${DAPTOR_CMAKE_DIR}/DaptorTrilinos.cmake")
_daptor_trilinos(solvers MueLu Belos Ifpack2 Amesos2)
