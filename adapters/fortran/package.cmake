# SPDX-License-Identifier: BSD-3-Clause
# In an installed package: defines MPI::MPI_Fortran where users of an archive link it. A project without Fortran,
# for which FindMPI finds nothing, gets the libraries with which Daptor was built: daptor_MPI_FORTRAN, divided by bars.
set(daptor_fortran_DEPENDENCIES_FOUND TRUE)
if(daptor_MPI_FORTRAN AND NOT TARGET MPI::MPI_Fortran)
  get_property(_daptor_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("Fortran" IN_LIST _daptor_languages)
    find_package(MPI QUIET COMPONENTS Fortran)
    set(daptor_fortran_DEPENDENCIES_FOUND "${MPI_Fortran_FOUND}")
    set(daptor_fortran_DEPENDENCIES_MESSAGE "MPI was not found for Fortran")
  else()
    string(REPLACE "|" ";" _daptor_mpi_fortran "${daptor_MPI_FORTRAN}")
    add_library(MPI::MPI_Fortran INTERFACE IMPORTED)
    target_link_libraries(MPI::MPI_Fortran INTERFACE ${_daptor_mpi_fortran})
  endif()
endif()
