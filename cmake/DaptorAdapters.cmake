# SPDX-License-Identifier: BSD-3-Clause
# Adapters: each is a folder and a line in the root's CMakeLists.txt. With daptor_describe_adapter
# an adapter tells the other parts of the build what they need to know.
#
# Global properties: DAPTOR_ALL_ADAPTERS, in the order of their lines, DAPTOR_BUILT_ADAPTERS, those that
# are built, and DAPTOR_ADAPTER_<name>_FOLDER.

option(DAPTOR_ADAPTERS "Adapters whose own option is AUTO; OFF leaves them out" ON)
set(DAPTOR_EXTRA_ADAPTERS "" CACHE STRING "Folders of further adapters, outside of this project")

# daptor_adapter(<name> [FOLDER <folder>] [REQUIRES <component>...] [JOINS <component>...]) builds
# adapters/<name> if its option, the components that it requires and its dependencies.cmake allow it.
# That file looks for the other library and sets daptor_<name>_DEPENDENCIES_FOUND and _MESSAGE.
# JOINS: components that some of the adapter's headers include. Programs that include these headers
# link the components; the adapter is there without them.
macro(daptor_adapter name)
  cmake_parse_arguments(_daptor_adapter "" "FOLDER" "REQUIRES;JOINS" ${ARGN})
  if(NOT _daptor_adapter_FOLDER)
    set(_daptor_adapter_FOLDER "${PROJECT_SOURCE_DIR}/adapters/${name}")
  endif()
  string(TOUPPER "DAPTOR_${name}" _daptor_option)
  daptor_tristate(${_daptor_option} "The ${name} adapter")
  set_property(GLOBAL APPEND PROPERTY DAPTOR_ALL_ADAPTERS ${name})
  set_property(GLOBAL PROPERTY DAPTOR_ADAPTER_${name}_FOLDER "${_daptor_adapter_FOLDER}")
  _daptor_adapter_reason(${name} _daptor_reason ${_daptor_adapter_REQUIRES})
  if(NOT _daptor_reason)
    include("${_daptor_adapter_FOLDER}/dependencies.cmake")
    if(NOT daptor_${name}_DEPENDENCIES_FOUND)
      set(_daptor_reason "${daptor_${name}_DEPENDENCIES_MESSAGE}")
    endif()
  endif()
  if(NOT _daptor_reason)
    add_subdirectory("${_daptor_adapter_FOLDER}" "${PROJECT_BINARY_DIR}/adapters/${name}")
    set_property(GLOBAL APPEND PROPERTY DAPTOR_BUILT_ADAPTERS ${name})
  else()
    if(${${_daptor_option}} AND NOT ${_daptor_option} STREQUAL "AUTO")
      message(FATAL_ERROR "${_daptor_option} is ON, but ${_daptor_reason}")
    endif()
    set_property(GLOBAL APPEND PROPERTY DAPTOR_LEFT_OUT "${name}: ${_daptor_reason}")
  endif()
endmacro()

# Adds the adapters in the folders of DAPTOR_EXTRA_ADAPTERS, each with the name of its folder.
macro(daptor_extra_adapters)
  foreach(_daptor_folder IN LISTS DAPTOR_EXTRA_ADAPTERS)
    get_filename_component(_daptor_folder "${_daptor_folder}" ABSOLUTE)
    get_filename_component(_daptor_name "${_daptor_folder}" NAME)
    daptor_adapter(${_daptor_name} FOLDER "${_daptor_folder}")
  endforeach()
endmacro()

function(_daptor_adapter_reason name result)
  string(TOUPPER "DAPTOR_${name}" option)
  set(reason)
  if("${${option}}" STREQUAL "AUTO" AND NOT DAPTOR_ADAPTERS)
    set(reason "DAPTOR_ADAPTERS is OFF")
  elseif(NOT ${option} STREQUAL "AUTO" AND NOT ${option})
    set(reason "${option} is OFF")
  else()
    foreach(component IN LISTS ARGN)
      if(NOT TARGET daptor::${component})
        set(reason "it needs the component ${component}, which is not built")
      endif()
    endforeach()
  endif()
  set(${result} "${reason}" PARENT_SCOPE)
endfunction()

# daptor_describe_adapter(<name> TITLE <text> [TARGETS] [PYTHON_MODULE]
#   [TEST_START <file> [TEST_HEADERS <header>...]])
# Called by the adapter's CMakeLists.txt, after daptor_add_component(<name> ...).
#
# TITLE          the other library and its version, for `daptor --version`
# TARGETS        the adapter has targets for `explain`: it defines `bool
#                daptor::<name>::register_targets()`, and its library calls that when it is loaded. Whoever links
#                an archive of it asks the linker for that function, which takes the call along
# PYTHON_MODULE  Python gets the targets from the adapter's compiled module `_<name>` alone, and not
#                by loading its library: where the other library has to be the one that Python uses
# TEST_START     a source that defines what `MAIN <name>` means for a test: it starts the other
#                library, runs the tests and ends it (tests/support/start.hpp)
# TEST_HEADERS   what the precompiled header of these tests has besides those of MPI and GoogleTest
function(daptor_describe_adapter name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TARGETS;PYTHON_MODULE" "TITLE;TEST_START" "TEST_HEADERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "daptor_describe_adapter(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_TEST_START)
    get_filename_component(arg_TEST_START "${arg_TEST_START}" ABSOLUTE)
  endif()
  if(arg_TARGETS AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    string(LENGTH "${name}" length)
    set(registration "LINKER:-u,_ZN6daptor${length}${name}16register_targetsEv")
    set_target_properties(daptor_${name} PROPERTIES DAPTOR_REGISTRATION "${registration}")
    get_target_property(type daptor_${name} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      target_link_options(daptor_${name} INTERFACE "${registration}")
    endif()
  endif()
  set_target_properties(
    daptor_${name}
    PROPERTIES DAPTOR_TITLE "${arg_TITLE}"
               DAPTOR_TARGETS "${arg_TARGETS}"
               DAPTOR_PYTHON_MODULE "${arg_PYTHON_MODULE}"
               DAPTOR_TEST_START "${arg_TEST_START}"
               DAPTOR_TEST_HEADERS "${arg_TEST_HEADERS}")
endfunction()

# daptor_add_adapter_folder(<name> <subfolder> [<result>]) adds a subfolder of the adapter if it has
# a CMakeLists.txt. <result>: whether it was added.
function(daptor_add_adapter_folder name subfolder)
  get_property(folder GLOBAL PROPERTY DAPTOR_ADAPTER_${name}_FOLDER)
  set(there FALSE)
  if(EXISTS "${folder}/${subfolder}/CMakeLists.txt")
    set(there TRUE)
    add_subdirectory("${folder}/${subfolder}" "${PROJECT_BINARY_DIR}/adapters/${name}/${subfolder}")
  endif()
  if(ARGC GREATER 2)
    set(${ARGV2} ${there} PARENT_SCOPE)
  endif()
endfunction()
