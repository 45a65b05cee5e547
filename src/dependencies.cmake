# SPDX-License-Identifier: BSD-3-Clause
# In an installed package: refuses an MPI of another family than the one that Daptor was built with. Their
# handles have different types, so that programs would not link, or end in the wrong library.
include("${DAPTOR_CMAKE_DIR}/DaptorMpi.cmake")
daptor_mpi_family(_daptor_mpi ${MPI_CXX_INCLUDE_DIRS} ${MPI_C_INCLUDE_DIRS} ${MPI_Fortran_INCLUDE_DIRS})
set(daptor_core_DEPENDENCIES_FOUND TRUE)
set(daptor_core_DEPENDENCIES_MESSAGE)
if(daptor_MPI AND _daptor_mpi AND NOT "${daptor_MPI}" STREQUAL "${_daptor_mpi}")
  set(daptor_core_DEPENDENCIES_FOUND FALSE)
  set(daptor_core_DEPENDENCIES_MESSAGE
      "this Daptor was built with ${daptor_MPI}, but the MPI of this project is ${_daptor_mpi}: use the first one (MPI_CXX_COMPILER), or a Daptor built with the second"
  )
endif()
