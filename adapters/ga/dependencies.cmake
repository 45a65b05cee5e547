# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_ga: Global Arrays with ARMCI and what these archives need. Used by the build and,
# installed, by find_package.
#
# Debian has both libraries once for each MPI, as libga-openmpi.a and libga-mpich.a, without a .pc
# file. Another installation is found by CMAKE_PREFIX_PATH, or named by DAPTOR_GA_LIBRARY and so on.
# GA itself must be an archive: calls inside of a shared library do not reach the adapter.
# Out: daptor_ga_DEPENDENCIES_FOUND, _MESSAGE and _VERSION.

set(_daptor_ga_mpi openmpi)
if("${MPI_CXX_LIBRARIES};${MPI_CXX_HEADER_DIR}" MATCHES "mpich")
  set(_daptor_ga_mpi mpich)
endif()
find_library(
  DAPTOR_GA_LIBRARY
  NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}ga-${_daptor_ga_mpi}${CMAKE_STATIC_LIBRARY_SUFFIX}"
        "${CMAKE_STATIC_LIBRARY_PREFIX}ga${CMAKE_STATIC_LIBRARY_SUFFIX}" ga-${_daptor_ga_mpi} ga)
find_library(DAPTOR_ARMCI_LIBRARY NAMES armci-${_daptor_ga_mpi} armci comex)
find_path(DAPTOR_GA_INCLUDE_DIR ga-papi.h)
# GA's own linear algebra refers to these; a build of GA without it needs none of them.
find_library(DAPTOR_GA_SCALAPACK_LIBRARY NAMES scalapack-${_daptor_ga_mpi} scalapack)
find_library(DAPTOR_GA_LAPACK_LIBRARY NAMES lapack)
find_library(DAPTOR_GA_BLAS_LIBRARY NAMES blas)
mark_as_advanced(
  DAPTOR_GA_LIBRARY DAPTOR_ARMCI_LIBRARY DAPTOR_GA_INCLUDE_DIR DAPTOR_GA_SCALAPACK_LIBRARY
  DAPTOR_GA_LAPACK_LIBRARY DAPTOR_GA_BLAS_LIBRARY)

set(daptor_ga_DEPENDENCIES_FOUND FALSE)
set(daptor_ga_DEPENDENCIES_VERSION)
set(daptor_ga_DEPENDENCIES_MESSAGE
    "Global Arrays with ARMCI (libga, libarmci, ga-papi.h) was not found (set CMAKE_PREFIX_PATH)")
if(DAPTOR_GA_LIBRARY AND NOT DAPTOR_GA_LIBRARY MATCHES "\\${CMAKE_STATIC_LIBRARY_SUFFIX}$")
  set(daptor_ga_DEPENDENCIES_MESSAGE
      "'${DAPTOR_GA_LIBRARY}' is a shared library, in which GA_Destroy and its like are called past the adapter, so that it would not know when an array ends: build Global Arrays as an archive (-DBUILD_SHARED_LIBS=OFF, --disable-shared) and name it by DAPTOR_GA_LIBRARY"
  )
elseif(DAPTOR_GA_LIBRARY AND DAPTOR_ARMCI_LIBRARY AND DAPTOR_GA_INCLUDE_DIR)
  set(daptor_ga_DEPENDENCIES_MESSAGE)
  file(STRINGS "${DAPTOR_GA_INCLUDE_DIR}/gacommon.h" _daptor_ga_lines
       REGEX "#define GA_VERSION_(MAJOR|MINOR)")
  string(REGEX REPLACE "[^0-9;]" "" _daptor_ga_lines "${_daptor_ga_lines}")
  list(JOIN _daptor_ga_lines "." daptor_ga_DEPENDENCIES_VERSION)
  if(NOT TARGET daptor::_ga)
    set(_daptor_ga_others)
    foreach(_daptor_ga_part SCALAPACK LAPACK BLAS)
      if(DAPTOR_GA_${_daptor_ga_part}_LIBRARY)
        list(APPEND _daptor_ga_others "${DAPTOR_GA_${_daptor_ga_part}_LIBRARY}")
      endif()
    endforeach()
    add_library(daptor::_ga INTERFACE IMPORTED GLOBAL)
    target_include_directories(daptor::_ga SYSTEM INTERFACE "${DAPTOR_GA_INCLUDE_DIR}")
    # The linker hands these calls of GA's interfaces to the adapter first (src/ends.cpp), which so
    # learns that an array has ended, that it is restricted to some processes, and that there are
    # groups: GA gives the number of a destroyed array to the next one, often with the same memory.
    set(_daptor_ga_wrap "--undefined=__wrap_pnga_destroy")
    foreach(
      _daptor_ga_part
      destroy deallocate set_property unset_property terminate pgroup_create pgroup_duplicate
      pgroup_self pgroup_split pgroup_split_irreg set_restricted set_restricted_range duplicate)
      string(APPEND _daptor_ga_wrap ",--wrap=pnga_${_daptor_ga_part}")
    endforeach()
    target_link_options(daptor::_ga INTERFACE "LINKER:${_daptor_ga_wrap}")
    target_link_libraries(
      daptor::_ga INTERFACE "${DAPTOR_GA_LIBRARY}" ${_daptor_ga_others} "${DAPTOR_ARMCI_LIBRARY}" gfortran m
                            MPI::MPI_CXX)
  endif()

  # A program with it links: this finds archives of another MPI, and what else is missing.
  get_target_property(_daptor_ga_libraries daptor::_ga INTERFACE_LINK_LIBRARIES)
  get_target_property(_daptor_ga_options daptor::_ga INTERFACE_LINK_OPTIONS)
  string(MD5 _daptor_ga_key "${_daptor_ga_options};${_daptor_ga_libraries};${DAPTOR_GA_INCLUDE_DIR};${MPI_CXX_LIBRARIES}")
  if(NOT "${DAPTOR_GA_PROBE_KEY}" STREQUAL "${_daptor_ga_key}")
    set(_daptor_ga_directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/daptor-ga-probe")
    file(
      WRITE "${_daptor_ga_directory}/probe.cpp"
      [=[
#include <mpi.h>
#include <ga.h>
#include <ga-mpi.h>
extern "C" {
#include <ga-papi.h>
logical __real_pnga_destroy(Integer);
void __real_pnga_terminate();
logical __wrap_pnga_destroy(Integer array) { return __real_pnga_destroy(array); }
logical __real_pnga_deallocate(Integer);
logical __wrap_pnga_deallocate(Integer array) { return __real_pnga_deallocate(array); }
void __wrap_pnga_terminate() { __real_pnga_terminate(); }
void __wrap_pnga_set_property(Integer, char*) {}
void __wrap_pnga_unset_property(Integer) {}
Integer __wrap_pnga_pgroup_create(Integer*, Integer) { return 0; }
Integer __wrap_pnga_pgroup_duplicate(Integer) { return 0; }
Integer __wrap_pnga_pgroup_self() { return 0; }
Integer __wrap_pnga_pgroup_split(Integer, Integer) { return 0; }
Integer __wrap_pnga_pgroup_split_irreg(Integer, Integer) { return 0; }
void __wrap_pnga_set_restricted(Integer, Integer*, Integer) {}
void __wrap_pnga_set_restricted_range(Integer, Integer, Integer) {}
logical __wrap_pnga_duplicate(Integer, Integer*, char*) { return 0; }
}
int main() {
  GA_Destroy(0);
  GA_Terminate();
  return GA_Initialized() + (GA_MPI_Comm() == MPI_COMM_NULL);
}
]=])
    try_compile(
      _daptor_ga_works "${_daptor_ga_directory}" SOURCES "${_daptor_ga_directory}/probe.cpp"
      LINK_LIBRARIES daptor::_ga
      OUTPUT_VARIABLE _daptor_ga_output)
    file(WRITE "${_daptor_ga_directory}/output.txt" "${_daptor_ga_output}")
    set(DAPTOR_GA_PROBE_KEY "${_daptor_ga_key}" CACHE INTERNAL "")
    set(DAPTOR_GA_PROBE "${_daptor_ga_works}" CACHE INTERNAL "")
  endif()
  if(DAPTOR_GA_PROBE)
    set(daptor_ga_DEPENDENCIES_FOUND TRUE)
  else()
    set(daptor_ga_DEPENDENCIES_MESSAGE
        "a program with '${DAPTOR_GA_LIBRARY}' and '${DAPTOR_ARMCI_LIBRARY}' does not link (see ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/daptor-ga-probe/output.txt)"
    )
  endif()
endif()
