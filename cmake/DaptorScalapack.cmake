# SPDX-License-Identifier: BSD-3-Clause
# ScaLAPACK for a benchmark and an example: daptor::_scalapack where it is found. Debian names the
# library after the MPI that it was built with.
if(NOT TARGET daptor::_scalapack)
  find_library(DAPTOR_SCALAPACK NAMES scalapack-openmpi scalapack scalapack-mpich)
  mark_as_advanced(DAPTOR_SCALAPACK)
  if(DAPTOR_SCALAPACK)
    add_library(daptor::_scalapack UNKNOWN IMPORTED GLOBAL)
    set_target_properties(
      daptor::_scalapack PROPERTIES IMPORTED_LOCATION "${DAPTOR_SCALAPACK}"
                                    INTERFACE_LINK_LIBRARIES MPI::MPI_CXX)
  endif()
endif()
