# SPDX-License-Identifier: BSD-3-Clause
# Makes imported targets of Trilinos packages. Used by the build and, installed, by the package.

# If only some of Trilinos' development packages are installed, its configuration stops CMake with
# an error instead of reporting "not found". So look for it in a separate project first.
function(_daptor_trilinos_usable package result)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/daptor-probe-${package}")
  file(MAKE_DIRECTORY "${directory}")
  file(WRITE "${directory}/CMakeLists.txt"
       "cmake_minimum_required(VERSION 3.24)\nproject(probe CXX)\nfind_package(${package} REQUIRED CONFIG)\n")
  list(JOIN CMAKE_PREFIX_PATH "\\;" prefixes)
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -S "${directory}" -B "${directory}/build" -G "${CMAKE_GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}"
      "-DCMAKE_PREFIX_PATH=${prefixes}" "-D${package}_DIR=${${package}_DIR}"
      "-DTrilinos_DIR=${Trilinos_DIR}" "-DTrilinos_ROOT=${Trilinos_ROOT}"
    RESULT_VARIABLE status
    OUTPUT_FILE "${directory}/output.txt"
    ERROR_FILE "${directory}/output.txt")
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Clang from 19 on looks up members of a template's own class before the template is used. A class of
# Kokkos Kernels names one that it never had (SPADDHandle::sort_option; removed by its pull request 2296,
# which Trilinos 16.1 has), so that MueLu and Ifpack2 do not compile. Where this is so, the bodies of
# templates are parsed when they are used.
function(_daptor_trilinos_delay_templates target)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang|IntelLLVM")
    return()
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_REQUIRED_LIBRARIES ${target})
  set(header "<KokkosSparse_spadd_handle.hpp>")
  set(source "#if __has_include(${header})\n#include ${header}\n#endif\n")
  check_cxx_source_compiles("${source}" DAPTOR_KOKKOS_KERNELS_COMPILES)
  if(DAPTOR_KOKKOS_KERNELS_COMPILES)
    return()
  endif()
  set(CMAKE_REQUIRED_FLAGS "-fdelayed-template-parsing")
  check_cxx_source_compiles("${source}" DAPTOR_KOKKOS_KERNELS_COMPILES_DELAYED)
  if(DAPTOR_KOKKOS_KERNELS_COMPILES_DELAYED)
    target_compile_options(
      ${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${CMAKE_REQUIRED_FLAGS}>)
  endif()
endfunction()

# Defines daptor::_<package in lower case>. Trilinos from 14 on has targets, older versions only
# names.
function(_daptor_trilinos_target package)
  string(TOLOWER "daptor::_${package}" target)
  if(TARGET ${target})
    return()
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  if(TARGET ${package}::all_libs)
    target_link_libraries(${target} INTERFACE ${package}::all_libs MPI::MPI_CXX)
    return()
  endif()

  set(includes ${${package}_INCLUDE_DIRS} ${${package}_TPL_INCLUDE_DIRS})
  set(real_includes)
  foreach(directory IN LISTS includes)
    get_filename_component(directory "${directory}" REALPATH)
    if(NOT directory STREQUAL "/usr/include")
      list(APPEND real_includes "${directory}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES real_includes)

  set(libraries)
  foreach(library IN LISTS ${package}_LIBRARIES)
    if(NOT IS_ABSOLUTE "${library}" AND NOT TARGET "${library}")
      find_library(path NAMES "${library}" HINTS ${${package}_LIBRARY_DIRS} NO_CACHE)
      if(path)
        set(library "${path}")
      endif()
      unset(path)
    endif()
    list(APPEND libraries "${library}")
  endforeach()
  foreach(library IN LISTS ${package}_TPL_LIBRARIES)
    # With glibc from 2.34 on it is an empty archive, whose path would only tie the package to this
    # machine.
    if(NOT library MATCHES "/libdl\\.a$")
      list(APPEND libraries "${library}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  target_include_directories(${target} SYSTEM INTERFACE ${real_includes})
  target_link_libraries(${target} INTERFACE ${libraries} MPI::MPI_CXX)
endfunction()

# _daptor_trilinos(<component> <package>...) sets daptor_<component>_DEPENDENCIES_FOUND, _MESSAGE.
# This is a function, so that variables that Trilinos' configuration sets stay local.
function(_daptor_trilinos component)
  # Otherwise Kokkos warns and turns extensions off.
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  set(message)
  foreach(package ${ARGN})
    string(TOLOWER "daptor::_${package}" target)
    if(message OR TARGET ${target})
      continue()
    endif()
    _daptor_trilinos_usable(${package} usable)
    if(usable)
      find_package(${package} QUIET CONFIG)
      _daptor_trilinos_target(${package})
      _daptor_trilinos_delay_templates(${target})
    else()
      set(message
          "find_package(${package}) fails (on Debian, install trilinos-all-dev; elsewhere, set CMAKE_PREFIX_PATH to Trilinos)"
      )
    endif()
  endforeach()
  if(message)
    set(daptor_${component}_DEPENDENCIES_FOUND FALSE PARENT_SCOPE)
  else()
    set(daptor_${component}_DEPENDENCIES_FOUND TRUE PARENT_SCOPE)
  endif()
  set(daptor_${component}_DEPENDENCIES_MESSAGE "${message}" PARENT_SCOPE)
endfunction()
