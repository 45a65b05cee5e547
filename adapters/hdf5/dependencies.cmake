# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_hdf5: HDF5 with MPI or, where there is none, without. Used by the build and, installed,
# by find_package.
include("${DAPTOR_CMAKE_DIR}/DaptorPkgConfig.cmake")
# Debian has one for each MPI.
if("${MPI_CXX_LIBRARIES}" MATCHES "mpich")
  _daptor_pkg_config(hdf5 hdf5-mpich hdf5 hdf5-serial)
else()
  _daptor_pkg_config(hdf5 hdf5-openmpi hdf5 hdf5-serial)
endif()
if(NOT daptor_hdf5_DEPENDENCIES_FOUND)
  string(APPEND daptor_hdf5_DEPENDENCIES_MESSAGE
         ", and HDF5 is needed, best built with MPI (Debian: libhdf5-openmpi-dev)")
else()
  # A serial HDF5 has the same name where it is not Debian's, and one of another MPI would link, so a
  # program with it is compiled.
  get_target_property(_daptor_hdf5_libraries daptor::_hdf5 INTERFACE_LINK_LIBRARIES)
  string(MD5 _daptor_hdf5_key
             "${_daptor_hdf5_libraries};${MPI_CXX_LIBRARIES};${daptor_hdf5_DEPENDENCIES_VERSION}")
  set(_daptor_hdf5_directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/daptor-hdf5-probe")
  if(NOT "${DAPTOR_HDF5_PROBE_KEY}" STREQUAL "${_daptor_hdf5_key}")
    set(_daptor_hdf5_open_mpi false)
    foreach(_daptor_hdf5_library IN LISTS _daptor_hdf5_libraries)
      if("${_daptor_hdf5_library}" MATCHES "hdf5" AND EXISTS "${_daptor_hdf5_library}")
        file(STRINGS "${_daptor_hdf5_library}" _daptor_hdf5_symbols REGEX "ompi_mpi_" LIMIT_COUNT 1)
        if(_daptor_hdf5_symbols)
          set(_daptor_hdf5_open_mpi true)
        endif()
      endif()
    endforeach()
    file(
      WRITE "${_daptor_hdf5_directory}/probe.cpp"
      "constexpr bool hdf5_has_open_mpi = ${_daptor_hdf5_open_mpi};\n"
      [=[
#include <hdf5.h>
#include <mpi.h>
#ifndef H5_HAVE_PARALLEL
#error "HDF5 without MPI"
#endif
static_assert(H5_VERSION_GE(1, 10, 7), "HDF5 1.10.7 or newer");
#ifdef OPEN_MPI
constexpr bool open_mpi = true;
#else
constexpr bool open_mpi = false;
#endif
static_assert(open_mpi == hdf5_has_open_mpi, "HDF5 with this MPI");
int main() {
  return H5Pset_fapl_mpio(H5P_DEFAULT, MPI_COMM_WORLD, MPI_INFO_NULL) < 0;
}
]=])
    try_compile(
      _daptor_hdf5_works "${_daptor_hdf5_directory}"
      SOURCES "${_daptor_hdf5_directory}/probe.cpp"
      LINK_LIBRARIES daptor::_hdf5
      OUTPUT_VARIABLE _daptor_hdf5_output)
    file(WRITE "${_daptor_hdf5_directory}/output.txt" "${_daptor_hdf5_output}")
    file(
      WRITE "${_daptor_hdf5_directory}/serial.cpp"
      [=[
#include <hdf5.h>
#ifdef H5_HAVE_PARALLEL
#error "HDF5 with another MPI"
#endif
static_assert(H5_VERSION_GE(1, 10, 7), "HDF5 1.10.7 or newer");
int main() {
  return H5open() < 0;
}
]=])
    try_compile(
      _daptor_hdf5_serial "${_daptor_hdf5_directory}"
      SOURCES "${_daptor_hdf5_directory}/serial.cpp"
      LINK_LIBRARIES daptor::_hdf5
      OUTPUT_VARIABLE _daptor_hdf5_output)
    file(APPEND "${_daptor_hdf5_directory}/output.txt" "${_daptor_hdf5_output}")
    set(DAPTOR_HDF5_SERIAL "${_daptor_hdf5_serial}" CACHE INTERNAL "")
    set(DAPTOR_HDF5_PROBE_KEY "${_daptor_hdf5_key}" CACHE INTERNAL "")
    set(DAPTOR_HDF5_PROBE "${_daptor_hdf5_works}" CACHE INTERNAL "")
  endif()
  if(NOT DAPTOR_HDF5_PROBE AND DAPTOR_HDF5_SERIAL)
    string(APPEND daptor_hdf5_DEPENDENCIES_VERSION " without MPI")
  elseif(NOT DAPTOR_HDF5_PROBE)
    set(daptor_hdf5_DEPENDENCIES_FOUND FALSE)
    set(daptor_hdf5_DEPENDENCIES_MESSAGE
        "HDF5 ${daptor_hdf5_DEPENDENCIES_VERSION} was found, but 1.10.7 or newer is needed, and not with another MPI (Debian: libhdf5-openmpi-dev; see ${_daptor_hdf5_directory}/output.txt)"
    )
  endif()
endif()
