# SPDX-License-Identifier: BSD-3-Clause
# Writes what daptor::configuration() returns (daptor/about.hpp), once all adapters are known.

# In a tarball that git has made this file has the commit; in a checkout git is asked.
file(STRINGS "${DAPTOR_CMAKE_DIR}/commit.txt" commit)
if(NOT commit MATCHES "^[0-9a-f]+$")
  set(commit unknown)
  find_package(Git QUIET)
  if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
    execute_process(
      COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=40 "--exclude=*"
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
      OUTPUT_VARIABLE described
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(described)
      set(commit "${described}")
    endif()
  endif()
endif()

string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${DAPTOR_OPTIMIZE}" flags)
# These name the folder of the build, which would make each build different.
string(REGEX REPLACE " *-f[a-z]+-prefix-map=[^ ]*" "" flags "${flags}")
set(libraries shared)
if(NOT BUILD_SHARED_LIBS)
  set(libraries static)
endif()
set(standard 17)
if(CMAKE_CXX_STANDARD)
  set(standard "${CMAKE_CXX_STANDARD}")
endif()

set(entries)
# An entry whose value is a text.
function(daptor_configuration_entry name value)
  string(REPLACE "\\" "\\\\" value "${value}")
  string(REPLACE "\"" "\\\"" value "${value}")
  set(entries "${entries}{\"${name}\", \"${value}\"},\n" PARENT_SCOPE)
endfunction()
daptor_configuration_entry(version "${PROJECT_VERSION}")
daptor_configuration_entry(commit "${commit}")
daptor_configuration_entry(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
daptor_configuration_entry(standard "C++${standard}")
daptor_configuration_entry(build_type "${CMAKE_BUILD_TYPE}")
daptor_configuration_entry(flags "${flags}")
daptor_configuration_entry(sanitizers "${DAPTOR_SANITIZE}")
daptor_configuration_entry(libraries "${libraries}")
daptor_configuration_entry(system "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
string(APPEND entries "{\"mpi\", built_mpi},\n")
daptor_configuration_entry(protocol "0.9, 0.10")
string(APPEND entries "{\"c_interface\", DAPTOR_TEXT(DAPTOR_ABI_VERSION)},\n")
get_property(adapters GLOBAL PROPERTY DAPTOR_BUILT_ADAPTERS)
foreach(adapter IN LISTS adapters)
  set(title)
  if(TARGET daptor_${adapter})
    get_target_property(title daptor_${adapter} DAPTOR_TITLE)
  endif()
  if(title)
    daptor_configuration_entry(adapter.${adapter} "${title}")
  endif()
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/src/include/daptor/detail/configuration.inc"
     CONTENT "// What the library was built from and with; written by CMake.\n@entries@" @ONLY)
