# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_fftw: FFTW in double and single precision. Used by the build and, installed, by
# find_package.
include("${DAPTOR_CMAKE_DIR}/DaptorPkgConfig.cmake")
_daptor_pkg_config(fftw fftw3)
if(daptor_fftw_DEPENDENCIES_FOUND)
  _daptor_pkg_config(fftw_single fftw3f)
  if(daptor_fftw_single_DEPENDENCIES_FOUND)
    target_link_libraries(daptor::_fftw INTERFACE daptor::_fftw_single)
  else()
    set(daptor_fftw_DEPENDENCIES_FOUND FALSE)
    set(daptor_fftw_DEPENDENCIES_MESSAGE "${daptor_fftw_single_DEPENDENCIES_MESSAGE}")
  endif()
endif()
# FFTW-MPI in both precisions, which comes without .pc files on Debian.
find_library(DAPTOR_FFTW_MPI_LIBRARY fftw3_mpi)
find_library(DAPTOR_FFTW_MPI_SINGLE_LIBRARY fftw3f_mpi)
find_path(DAPTOR_FFTW_MPI_INCLUDE_DIR fftw3-mpi.h)
mark_as_advanced(DAPTOR_FFTW_MPI_LIBRARY DAPTOR_FFTW_MPI_SINGLE_LIBRARY DAPTOR_FFTW_MPI_INCLUDE_DIR)
if(daptor_fftw_DEPENDENCIES_FOUND AND DAPTOR_FFTW_MPI_LIBRARY AND DAPTOR_FFTW_MPI_SINGLE_LIBRARY
   AND DAPTOR_FFTW_MPI_INCLUDE_DIR AND NOT TARGET daptor::_fftw_mpi)
  add_library(daptor::_fftw_mpi INTERFACE IMPORTED GLOBAL)
  target_include_directories(daptor::_fftw_mpi SYSTEM INTERFACE "${DAPTOR_FFTW_MPI_INCLUDE_DIR}")
  target_link_libraries(
    daptor::_fftw_mpi INTERFACE "${DAPTOR_FFTW_MPI_LIBRARY}" "${DAPTOR_FFTW_MPI_SINGLE_LIBRARY}"
                                daptor::_fftw)
endif()
