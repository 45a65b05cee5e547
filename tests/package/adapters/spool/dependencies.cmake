# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_spool. Used by the build and, installed, by find_package.
include("${DAPTOR_CMAKE_DIR}/DaptorPkgConfig.cmake")
_daptor_pkg_config(spool spool)
