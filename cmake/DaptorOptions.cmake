# SPDX-License-Identifier: BSD-3-Clause
# Values of an option. AUTO: built if its dependencies are found. ON: required. OFF: left out.
function(daptor_tristate name help)
  set(${name} AUTO CACHE STRING "${help} (AUTO, ON, OFF)")
  set_property(CACHE ${name} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${${name}}" value)
  if(NOT value MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|0|1)$")
    message(FATAL_ERROR "${name} is '${${name}}'; it must be AUTO, ON or OFF.")
  endif()
endfunction()

daptor_tristate(DAPTOR_BUILD_TESTS "Tests; AUTO: if this is the top-level project and GoogleTest is found")

option(BUILD_SHARED_LIBS "Build shared libraries" ON)
option(DAPTOR_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(DAPTOR_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(DAPTOR_INSTALL "Create the install rules" ON)
option(DAPTOR_WERROR "Turn warnings in Daptor's own code into errors" OFF)
option(DAPTOR_FUZZ "libFuzzer looks for inputs, with Clang; else those that it found are tried again" OFF)
mark_as_advanced(DAPTOR_FUZZ)
set(DAPTOR_OPTIMIZE "" CACHE STRING
    "How libraries are optimised, if not as CMAKE_BUILD_TYPE says, such as -O1; programs are not then")
mark_as_advanced(DAPTOR_OPTIMIZE)
set(DAPTOR_SANITIZE "" CACHE STRING "Sanitizers for Daptor's own code, such as address,undefined")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  find_program(DAPTOR_CCACHE ccache)
  mark_as_advanced(DAPTOR_CCACHE)
  if(DAPTOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # The settings that ccache needs for precompiled headers, and paths relative to the build
    # folder, so that builds in neighbouring folders share what they have in common, such as the
    # core. The compiler's list of headers says what a file depends on, which saves preprocessing it.
    set(ccache_settings CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
                        "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env ${ccache_settings}
                                    "${DAPTOR_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${DAPTOR_CCACHE}")
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  # A precompiled header that does not fit costs time, but is no error.
  set(CMAKE_PCH_WARN_INVALID OFF)
endif()

if(DAPTOR_BUILD_TESTS STREQUAL "AUTO")
  set(DAPTOR_BUILD_TESTS OFF)
  if(PROJECT_IS_TOP_LEVEL)
    find_package(GTest QUIET)
    set(DAPTOR_BUILD_TESTS ${GTest_FOUND})
  endif()
endif()
