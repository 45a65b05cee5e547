# SPDX-License-Identifier: BSD-3-Clause
# Components: daptor_core, daptor_<adapter>, each a library, an exported target and a package part.

set(DAPTOR_WARNING_FLAGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                         -Wold-style-cast)
set(DAPTOR_CONVERSION_FLAGS -Wconversion -Wsign-conversion)

# The flags of our own targets. PROGRAM drops the conversion warnings; TEST too, and optimises less:
# it is half of what compiling a test takes; with LOOPS also where DAPTOR_OPTIMIZE leaves out programs,
# because it computes much. GLUE is optimised for size, which compiles faster: it
# calls other code and has no loops of its own.
#
# CMAKE_UNITY_BUILD compiles many files of a library together (CMAKE_UNITY_BUILD_BATCH_SIZE; in the
# presets 16), which takes less than a third of the time. Names without linkage must then be unique
# within a library. Programs are compiled file by file.
function(daptor_target_defaults target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM;TEST;LOOPS;GLUE" "" "")
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(arg_TEST OR arg_PROGRAM)
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    set(flags ${DAPTOR_WARNING_FLAGS})
    if(DAPTOR_OPTIMIZE AND NOT arg_LOOPS AND (arg_TEST OR arg_GLUE OR arg_PROGRAM))
      list(APPEND flags -O0)
    elseif(arg_TEST)
      list(APPEND flags $<$<CONFIG:Release>:-O1>)
    elseif(arg_GLUE)
      list(APPEND flags $<$<CONFIG:Release>:-Os>)
    elseif(NOT arg_PROGRAM)
      list(APPEND flags ${DAPTOR_OPTIMIZE})
    endif()
    if(NOT arg_TEST AND NOT arg_PROGRAM)
      list(APPEND flags ${DAPTOR_CONVERSION_FLAGS})
      # A library's functions are not replaced by those of others, so that they may be inlined.
      list(APPEND flags -fno-semantic-interposition)
      # A product that is added to something is rounded first on every processor, so that all of them, and
      # all loops for the same elements, compute the same digits.
      list(APPEND flags -ffp-contract=off)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (arg_TEST OR arg_PROGRAM OR DAPTOR_OPTIMIZE))
      # GCC warns wrongly about an empty std::optional: of a std::variant, and with -O1 of other types.
      list(APPEND flags -Wno-maybe-uninitialized)
    endif()
    if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # In a unity build, Clang warns about shadowing names without linkage of other files.
      list(APPEND flags -Wno-shadow)
    endif()
    if(DAPTOR_WERROR)
      list(APPEND flags -Werror)
    endif()
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  endif()
  # Trilinos lists dozens of libraries; link only those that are used.
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE "LINKER:--as-needed")
  endif()
  if(DAPTOR_SANITIZE)
    string(REPLACE ";" "," sanitizers "${DAPTOR_SANITIZE}")
    target_compile_options(${target} PRIVATE -fsanitize=${sanitizers} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    if(DAPTOR_SANITIZE MATCHES "address")
      # GCC and Clang announce AddressSanitizer to the source in different ways.
      target_compile_definitions(${target} PRIVATE DAPTOR_ADDRESS_SANITIZED)
    endif()
    daptor_sanitizer_link_options(flags)
    target_link_options(${target} PRIVATE ${flags})
  endif()
endfunction()

# daptor_sanitizer_link_options(<variable>). The runtime is a shared library, because Python and
# PETSc's programs, which are not sanitized, load sanitized libraries.
function(daptor_sanitizer_link_options result)
  string(REPLACE ";" "," sanitizers "${DAPTOR_SANITIZE}")
  set(flags -fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    daptor_sanitizer_runtimes(runtime)
    get_filename_component(folder "${runtime}" DIRECTORY)
    list(APPEND flags -shared-libsan)
    # The Fortran compiler is of another vendor and does not know the runtime.
    set(flags "$<$<NOT:$<LINK_LANGUAGE:Fortran>>:${flags}>"
              "$<$<LINK_LANGUAGE:Fortran>:LINKER:--push-state,--no-as-needed,${runtime},--pop-state>"
              "LINKER:-rpath,${folder}")
  endif()
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# daptor_sanitizer_runtimes(<variable>): the libraries that a program without sanitizers must
# preload.
function(daptor_sanitizer_runtimes result)
  set(libraries libasan.so libubsan.so)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(libraries "libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so")
  endif()
  set(files)
  foreach(library IN LISTS libraries)
    execute_process(
      COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${library}
      OUTPUT_VARIABLE file
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND files "${file}")
  endforeach()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# If Daptor is a subdirectory of another project, imported targets must be visible outside of it.
macro(daptor_find_package)
  set(_daptor_targets_global "${CMAKE_FIND_PACKAGE_TARGETS_GLOBAL}")
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  find_package(${ARGV})
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL "${_daptor_targets_global}")
endmacro()

macro(daptor_find_mpi)
  if(NOT DEFINED MPI_CXX_SKIP_MPICXX)
    set(MPI_CXX_SKIP_MPICXX ON)
  endif()
  if(NOT TARGET MPI::MPI_CXX)
    daptor_find_package(MPI REQUIRED COMPONENTS CXX)
  endif()
endmacro()

# daptor_find_mpi_fortran([REQUIRED] [QUIET])
# The options of a Fortran wrapper, such as -fallow-argument-mismatch of MPICH's, are not for C++, which FindMPI
# gives them to as well where a target has both. Each find_package(MPI) sets them anew.
macro(daptor_find_mpi_fortran)
  daptor_find_package(MPI ${ARGV} COMPONENTS Fortran)
  set(_daptor_mpi_options)
  if(TARGET MPI::MPI_Fortran)
    get_target_property(_daptor_mpi_options MPI::MPI_Fortran INTERFACE_COMPILE_OPTIONS)
  endif()
  if(_daptor_mpi_options)
    set_property(TARGET MPI::MPI_Fortran PROPERTY INTERFACE_COMPILE_OPTIONS
                                                  "$<$<COMPILE_LANGUAGE:Fortran>:${_daptor_mpi_options}>")
  endif()
endmacro()

# daptor_add_component(<name> [STATIC] [SOURCES <file>...] [REQUIRES <component>...]
#   [PUBLIC <library>...] [PRIVATE <library>...] [DEPENDENCIES <file>...] [RECORDS <NAME=value>...])
# The public headers are those below include/ of the current folder (INCLUDE changes it).
# Without SOURCES the component is its headers alone.
# STATIC: an archive even if the other components are shared, because the libraries that it links to
# cannot be part of a shared library.
# DEPENDENCIES: the first is a CMake file that defines the imported targets named in PUBLIC and
# PRIVATE; it is installed, and the package includes it when the component is requested. The others
# are the files that it includes from ${DAPTOR_CMAKE_DIR}, in the build and in the package.
# RECORDS: variables that the package sets before it includes these files.
function(daptor_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC" "INCLUDE"
                        "SOURCES;REQUIRES;PUBLIC;PRIVATE;DEPENDENCIES;RECORDS")
  set(target daptor_${name})
  set(kind)
  if(arg_STATIC)
    set(kind STATIC)
  endif()
  if(NOT arg_INCLUDE)
    set(arg_INCLUDE "${CMAKE_CURRENT_SOURCE_DIR}/include")
  endif()

  set(public PUBLIC)
  if(arg_SOURCES)
    add_library(${target} ${kind} ${arg_SOURCES})
    daptor_target_defaults(${target})
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
  else()
    set(public INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(daptor::${name} ALIAS ${target})
  target_compile_features(${target} ${public} cxx_std_17)
  target_include_directories(
    ${target} ${public} "$<BUILD_INTERFACE:${arg_INCLUDE}>"
                        "$<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/include>"
                        "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  list(TRANSFORM arg_REQUIRES PREPEND "daptor::" OUTPUT_VARIABLE required_targets)
  target_link_libraries(${target} ${public} ${required_targets} ${arg_PUBLIC})
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${name}
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               POSITION_INDEPENDENT_CODE ON
               DEFINE_SYMBOL "" # an archive has the same objects, which a compiler cache then has too
               INSTALL_RPATH "$ORIGIN"
               INSTALL_RPATH_USE_LINK_PATH ON
               DAPTOR_REQUIRES "${arg_REQUIRES}"
               DAPTOR_INCLUDE "${arg_INCLUDE};${CMAKE_CURRENT_BINARY_DIR}/include"
               DAPTOR_DEPENDENCIES "${arg_DEPENDENCIES}"
               DAPTOR_RECORDS "${arg_RECORDS}")
  if(arg_SOURCES AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT DAPTOR_SANITIZE)
    target_link_options(${target} PRIVATE "LINKER:--no-undefined")
  endif()
  set_property(GLOBAL APPEND PROPERTY DAPTOR_COMPONENTS ${name})
endfunction()

function(daptor_print_summary)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  get_property(components GLOBAL PROPERTY DAPTOR_COMPONENTS)
  get_property(modules GLOBAL PROPERTY DAPTOR_MODULES)
  list(APPEND components ${modules})
  get_property(left_out GLOBAL PROPERTY DAPTOR_LEFT_OUT)
  list(JOIN components " " components)
  message(STATUS "daptor ${PROJECT_VERSION}: components ${components}")
  foreach(entry IN LISTS left_out)
    message(STATUS "daptor: left out ${entry}")
  endforeach()
  message(STATUS "daptor: tests ${DAPTOR_BUILD_TESTS}, examples ${DAPTOR_BUILD_EXAMPLES}, "
                 "benchmarks ${DAPTOR_BUILD_BENCHMARKS}")
endfunction()
