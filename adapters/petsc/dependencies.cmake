# SPDX-License-Identifier: BSD-3-Clause
# Finds PETSc through pkg-config and defines daptor::_petsc. Used by the build and, installed, by
# find_package(daptor COMPONENTS petsc).
#
# In:  DAPTOR_PETSC_PKG, a pkg-config module or the path of a .pc file; PETSC_DIR and PETSC_ARCH.
#      In an installed package, daptor_PETSC_{SCALAR,PRECISION,INDEX_BITS,PKG} of its build.
# Out: daptor_petsc_DEPENDENCIES_FOUND and _MESSAGE; DAPTOR_PETSC_FOUND_{SCALAR,PRECISION,
#      INDEX_BITS,VERSION}; the version is `3.18.5`, or `3.25.5 (development)` of the main branch.

if(NOT DEFINED daptor_PETSC_PKG)
  set(daptor_PETSC_PKG "PETSc")
endif()
if(NOT DEFINED DAPTOR_PETSC_PKG)
  set(DAPTOR_PETSC_PKG "${daptor_PETSC_PKG}" CACHE STRING
      "pkg-config module (or .pc file) of the PETSc to use")
endif()

function(_daptor_petsc_pkg_config)
  find_package(PkgConfig QUIET)
  if(NOT PkgConfig_FOUND)
    set(daptor_petsc_MESSAGE "pkg-config was not found" PARENT_SCOPE)
    return()
  endif()

  set(saved "$ENV{PKG_CONFIG_PATH}")
  foreach(name PETSC_DIR PETSC_ARCH)
    if(NOT DEFINED ${name})
      set(${name} "$ENV{${name}}")
    endif()
  endforeach()
  if(PETSC_DIR)
    set(ENV{PKG_CONFIG_PATH}
        "${PETSC_DIR}/${PETSC_ARCH}/lib/pkgconfig:${PETSC_DIR}/lib/pkgconfig:${saved}")
  endif()
  pkg_check_modules(daptor_pc_petsc QUIET "${DAPTOR_PETSC_PKG}")
  set(ENV{PKG_CONFIG_PATH} "${saved}")

  if(NOT daptor_pc_petsc_FOUND)
    set(daptor_petsc_MESSAGE
        "pkg-config knows no PETSc by the name '${DAPTOR_PETSC_PKG}' (set PKG_CONFIG_PATH, PETSC_DIR or DAPTOR_PETSC_PKG)"
        PARENT_SCOPE)
    return()
  endif()

  set(libraries ${daptor_pc_petsc_LINK_LIBRARIES})
  set(other_flags ${daptor_pc_petsc_LDFLAGS_OTHER})
  if("${libraries}" MATCHES "petsc[^;/]*\\.a(;|$)")
    set(libraries ${daptor_pc_petsc_STATIC_LDFLAGS})
    set(other_flags)
  endif()
  add_library(daptor::_petsc INTERFACE IMPORTED GLOBAL)
  target_include_directories(daptor::_petsc SYSTEM INTERFACE ${daptor_pc_petsc_INCLUDE_DIRS})
  target_link_libraries(daptor::_petsc INTERFACE ${libraries} MPI::MPI_CXX)
  target_link_options(daptor::_petsc INTERFACE ${other_flags})
endfunction()

# The kind of this PETSc, which a compiled probe reads from its headers.
function(_daptor_petsc_probe)
  set(source [=[
#include <petscsys.h>
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifdef PETSC_USE_COMPLEX
#define SCALAR "complex"
#else
#define SCALAR "real"
#endif
#if defined(PETSC_USE_REAL_DOUBLE)
#define PRECISION "double"
#elif defined(PETSC_USE_REAL_SINGLE)
#define PRECISION "single"
#else
#define PRECISION "other"
#endif
#ifdef PETSC_USE_64BIT_INDICES
#define BITS "64"
#else
#define BITS "32"
#endif
#if PETSC_VERSION_RELEASE == 1
#define STATE ""
#else
#define STATE " (development)"
#endif
const char* volatile daptor_probe =
    "daptor-probe[" SCALAR "|" PRECISION "|" BITS "|" TEXT(PETSC_VERSION_MAJOR) "."
    TEXT(PETSC_VERSION_MINOR) "." TEXT(PETSC_VERSION_SUBMINOR) STATE "]";
int main() { return daptor_probe[0] == 'd' ? 0 : 1; }
]=])
  get_target_property(includes daptor::_petsc INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(libraries daptor::_petsc INTERFACE_LINK_LIBRARIES)
  string(MD5 key "${source};${includes};${libraries};${daptor_pc_petsc_VERSION}")
  if(NOT "${DAPTOR_PETSC_PROBE_KEY}" STREQUAL "${key}")
    set(directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/daptor-petsc-probe")
    file(WRITE "${directory}/probe.cpp" "${source}")
    try_compile(
      works "${directory}" SOURCES "${directory}/probe.cpp"
      LINK_LIBRARIES daptor::_petsc
      OUTPUT_VARIABLE output
      COPY_FILE "${directory}/probe.bin")
    set(found)
    if(works)
      file(STRINGS "${directory}/probe.bin" found LIMIT_COUNT 1 REGEX "daptor-probe\\[.*\\]")
    else()
      file(WRITE "${directory}/output.txt" "${output}")
    endif()
    if(NOT found MATCHES "daptor-probe\\[([a-z]+)\\|([a-z]+)\\|([0-9]+)\\|([0-9a-z. ()]+)\\]")
      set(daptor_petsc_MESSAGE
          "a program with the PETSc of '${DAPTOR_PETSC_PKG}' does not compile and link (see ${directory}/output.txt)"
          PARENT_SCOPE)
      return()
    endif()
    set(DAPTOR_PETSC_PROBE
        "${CMAKE_MATCH_1};${CMAKE_MATCH_2};${CMAKE_MATCH_3};${CMAKE_MATCH_4}"
        CACHE INTERNAL "")
    set(DAPTOR_PETSC_PROBE_KEY "${key}" CACHE INTERNAL "")
  endif()
  set(index 0)
  foreach(name SCALAR PRECISION INDEX_BITS VERSION)
    list(GET DAPTOR_PETSC_PROBE ${index} value)
    set(DAPTOR_PETSC_FOUND_${name} "${value}" PARENT_SCOPE)
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()

set(daptor_petsc_MESSAGE)
if(NOT TARGET daptor::_petsc)
  _daptor_petsc_pkg_config()
endif()
if(TARGET daptor::_petsc)
  _daptor_petsc_probe()
endif()

# In an installed package: refuse a PETSc of another kind than the one that Daptor was built with.
if(NOT daptor_petsc_MESSAGE AND DEFINED daptor_PETSC_SCALAR)
  foreach(name SCALAR PRECISION INDEX_BITS)
    if(NOT "${DAPTOR_PETSC_FOUND_${name}}" STREQUAL "${daptor_PETSC_${name}}")
      set(daptor_petsc_MESSAGE
          "this Daptor was built with a PETSc of ${daptor_PETSC_SCALAR} ${daptor_PETSC_PRECISION} scalars and ${daptor_PETSC_INDEX_BITS}-bit indices, but '${DAPTOR_PETSC_PKG}' is a PETSc of ${DAPTOR_PETSC_FOUND_SCALAR} ${DAPTOR_PETSC_FOUND_PRECISION} scalars and ${DAPTOR_PETSC_FOUND_INDEX_BITS}-bit indices: use the first one, or a Daptor built with the second"
      )
    endif()
  endforeach()
endif()
if(daptor_petsc_MESSAGE)
  set(daptor_petsc_DEPENDENCIES_FOUND FALSE)
else()
  set(daptor_petsc_DEPENDENCIES_FOUND TRUE)
endif()
set(daptor_petsc_DEPENDENCIES_MESSAGE "${daptor_petsc_MESSAGE}")
