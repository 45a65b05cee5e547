# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_sundials: SUNDIALS' vectors over MPI. Used by the build and, installed, by
# find_package.
#
# Debian has no .pc file, and SUNDIALSConfig.cmake asks for every library with which SUNDIALS was
# built. Another installation is found by CMAKE_PREFIX_PATH, or named by the cached variables below.
# Out: daptor_sundials_DEPENDENCIES_FOUND, _MESSAGE and _VERSION.

find_path(DAPTOR_SUNDIALS_INCLUDE_DIR nvector/nvector_parallel.h)
find_library(DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY NAMES sundials_nvecparallel)
# What all vectors have in common: `core` from version 7 on.
find_library(DAPTOR_SUNDIALS_CORE_LIBRARY NAMES sundials_core sundials_generic)
mark_as_advanced(DAPTOR_SUNDIALS_INCLUDE_DIR DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY
                 DAPTOR_SUNDIALS_CORE_LIBRARY)

set(daptor_sundials_DEPENDENCIES_FOUND FALSE)
set(daptor_sundials_DEPENDENCIES_VERSION)
set(daptor_sundials_DEPENDENCIES_MESSAGE
    "SUNDIALS with MPI (libsundials_nvecparallel, nvector/nvector_parallel.h) was not found (set CMAKE_PREFIX_PATH)"
)
if(DAPTOR_SUNDIALS_INCLUDE_DIR AND DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY
   AND DAPTOR_SUNDIALS_CORE_LIBRARY)
  set(daptor_sundials_DEPENDENCIES_MESSAGE)
  file(STRINGS "${DAPTOR_SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h" _daptor_sundials_version
       REGEX "#define SUNDIALS_VERSION ")
  string(REGEX REPLACE "[^0-9.]" "" daptor_sundials_DEPENDENCIES_VERSION
                       "${_daptor_sundials_version}")
  if(NOT TARGET daptor::_sundials)
    add_library(daptor::_sundials INTERFACE IMPORTED GLOBAL)
    target_include_directories(daptor::_sundials SYSTEM INTERFACE "${DAPTOR_SUNDIALS_INCLUDE_DIR}")
    target_link_libraries(
      daptor::_sundials INTERFACE "${DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY}"
                                  "${DAPTOR_SUNDIALS_CORE_LIBRARY}" MPI::MPI_CXX)
  endif()

  # A program with it compiles and links: this finds another precision or version. A shared library of
  # another MPI would link, too, so its symbols are compared with the MPI of the program.
  set(_daptor_sundials_open_mpi false)
  file(STRINGS "${DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY}" _daptor_sundials_symbols
       REGEX "ompi_mpi_" LIMIT_COUNT 1)
  if(_daptor_sundials_symbols)
    set(_daptor_sundials_open_mpi true)
  endif()
  string(
    MD5
    _daptor_sundials_key
    "${DAPTOR_SUNDIALS_INCLUDE_DIR};${DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY};${DAPTOR_SUNDIALS_CORE_LIBRARY};${MPI_CXX_LIBRARIES};${daptor_sundials_DEPENDENCIES_VERSION}"
  )
  set(_daptor_sundials_directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/daptor-sundials-probe")
  if(NOT "${DAPTOR_SUNDIALS_PROBE_KEY}" STREQUAL "${_daptor_sundials_key}")
    file(
      WRITE "${_daptor_sundials_directory}/probe.cpp"
      "constexpr bool sundials_has_open_mpi = ${_daptor_sundials_open_mpi};\n"
      [=[
#include <mpi.h>
#include <nvector/nvector_mpiplusx.h>
#include <nvector/nvector_parallel.h>
#include <sundials/sundials_context.h>
static_assert(SUNDIALS_VERSION_MAJOR >= 6, "SUNDIALS 6 or newer");
static_assert(sizeof(sunrealtype) == sizeof(double), "SUNDIALS in double precision");
#ifdef OPEN_MPI
constexpr bool open_mpi = true;
#else
constexpr bool open_mpi = false;
#endif
static_assert(open_mpi == sundials_has_open_mpi, "SUNDIALS with this MPI");
int main() {
  const SUNContext context = nullptr;
  return N_VMake_Parallel(MPI_COMM_WORLD, 0, 0, nullptr, context) == nullptr;
}
]=])
    try_compile(
      _daptor_sundials_works "${_daptor_sundials_directory}"
      SOURCES "${_daptor_sundials_directory}/probe.cpp"
      LINK_LIBRARIES daptor::_sundials
      OUTPUT_VARIABLE _daptor_sundials_output)
    file(WRITE "${_daptor_sundials_directory}/output.txt" "${_daptor_sundials_output}")
    set(DAPTOR_SUNDIALS_PROBE_KEY "${_daptor_sundials_key}" CACHE INTERNAL "")
    set(DAPTOR_SUNDIALS_PROBE "${_daptor_sundials_works}" CACHE INTERNAL "")
  endif()
  if(DAPTOR_SUNDIALS_PROBE)
    set(daptor_sundials_DEPENDENCIES_FOUND TRUE)
  else()
    set(daptor_sundials_DEPENDENCIES_MESSAGE
        "a program with '${DAPTOR_SUNDIALS_NVECPARALLEL_LIBRARY}' does not compile and link: SUNDIALS 6 or newer in double precision, with this MPI, is needed (see ${_daptor_sundials_directory}/output.txt)"
    )
  endif()
endif()
