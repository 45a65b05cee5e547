# SPDX-License-Identifier: BSD-3-Clause
# Enables Fortran and finds MPI for it. Used by the build alone.
#
# Out: daptor_fortran_DEPENDENCIES_FOUND, _MESSAGE and _VERSION; the results of FindMPI for Fortran.

get_property(_daptor_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
set(daptor_fortran_DEPENDENCIES_FOUND FALSE)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  set(daptor_fortran_DEPENDENCIES_MESSAGE
      "a program writes parts of its modules, which a cross build cannot run without CMAKE_CROSSCOMPILING_EMULATOR"
  )
elseif("Fortran" IN_LIST _daptor_languages)
  set(daptor_fortran_DEPENDENCIES_FOUND TRUE)
elseif(NOT PROJECT_IS_TOP_LEVEL AND "${DAPTOR_FORTRAN}" STREQUAL "AUTO")
  set(daptor_fortran_DEPENDENCIES_MESSAGE "Daptor is a part of a project without Fortran")
else()
  include(CheckLanguage)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    set(daptor_fortran_DEPENDENCIES_FOUND TRUE)
  else()
    set(daptor_fortran_DEPENDENCIES_MESSAGE "no Fortran compiler was found")
  endif()
endif()
if(daptor_fortran_DEPENDENCIES_FOUND)
  set(daptor_fortran_DEPENDENCIES_VERSION
      "${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION}")
  daptor_find_mpi_fortran()
endif()
