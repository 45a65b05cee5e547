# SPDX-License-Identifier: BSD-3-Clause
# Tests of the PETSc plug-in in programs that know nothing of Daptor. Sets DAPTOR_TESTS_PETSC_PROGRAMS if
# there can be any, DAPTOR_HAS_PETSC4PY, and the folder DAPTOR_PETSC_EXAMPLES of PETSc's tutorials.
include_guard(DIRECTORY)

find_package(MPI QUIET COMPONENTS C)
find_package(Python3 QUIET COMPONENTS Interpreter)
set(DAPTOR_TESTS_PETSC_PROGRAMS FALSE)
if(NOT Python3_FOUND OR NOT TARGET MPI::MPI_C)
  message(STATUS "daptor: Python or MPI for C was not found, programs with the plug-in are not tested")
  return()
endif()
set(DAPTOR_TESTS_PETSC_PROGRAMS TRUE)
get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
add_custom_target(daptor_programs_${folder} ALL)

# daptor_add_petsc_program(<name> <source> <library>...): a program in C, C++ or Fortran that links PETSc
# alone, as anybody's does.
function(daptor_add_petsc_program name source)
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set(target daptor_program_${folder}_${name})
  add_executable(${target} EXCLUDE_FROM_ALL "${source}")
  target_link_libraries(${target} PRIVATE ${ARGN} MPI::MPI_C m)
  # Most are not ours.
  target_compile_options(${target} PRIVATE -w)
  if(DAPTOR_SANITIZE)
    # The runtime must be there before the plug-in is loaded.
    daptor_sanitizer_link_options(sanitizers)
    target_link_options(${target} PRIVATE ${sanitizers} "LINKER:--no-as-needed")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:daptor_test_unwatched>)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  add_dependencies(daptor_programs_${folder} ${target})
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME ${name}
                         RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/programs")
endfunction()

# daptor_add_program_test(<script> <case> RANKS <n>... [FAST <build>...] [SEVERAL] [ARGUMENTS <NAME=value>...])
# registers <folder>.<case>.np<N>, which runs the case of that name in the script. The script has the
# arguments of tests/support/petsc_programs.py, and those that are named here.
function(daptor_add_program_test script case)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SEVERAL" "" "RANKS;FAST;ARGUMENTS")
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  daptor_in_level(wanted ${arg_FAST})
  if(NOT wanted)
    return()
  endif()
  set(kind "")
  if(arg_SEVERAL)
    set(kind SEVERAL)
  endif()
  daptor_ranks_of_level(arg_RANKS "${kind}" ${arg_RANKS})
  foreach(ranks IN LISTS arg_RANKS)
    math(EXPR seconds "40 * ${DAPTOR_TEST_TIMEOUT_FACTOR}")
    daptor_mpi_command(mpirun ${ranks} ${seconds})
    list(JOIN mpirun "$<SEMICOLON>" mpirun)
    set(test "${DAPTOR_TEST_PREFIX}${folder}.${case}.np${ranks}")
    math(EXPR seconds "120 * ${DAPTOR_TEST_TIMEOUT_FACTOR}")
    add_test(
      NAME "${test}"
      COMMAND
        "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${case}
        "plugin=$<TARGET_FILE:daptor_pc>" "programs=${CMAKE_CURRENT_BINARY_DIR}/programs"
        "ranks=${ranks}" "mpirun=${mpirun}" "sanitized=${DAPTOR_SANITIZE}"
        "python=${DAPTOR_PETSC4PY_PYTHON}" "other_petsc4py=${DAPTOR_OTHER_PETSC4PY}"
        ${arg_ARGUMENTS})
    set_tests_properties(
      "${test}" PROPERTIES TIMEOUT ${seconds} PROCESSORS ${ranks} LABELS "${folder};np${ranks}"
                           ENVIRONMENT
                           "${DAPTOR_TEST_ENVIRONMENT};${DAPTOR_TEST_UNWATCHED_ENVIRONMENT}")
  endforeach()
endfunction()

# PETSc's own tutorials, where they are installed (on Debian 12 libpetsc3.18-dev-examples).
get_target_property(petsc_includes daptor::_petsc INTERFACE_INCLUDE_DIRECTORIES)
set(hints)
foreach(directory IN LISTS petsc_includes)
  list(APPEND hints "${directory}/../share/petsc/examples/src" "${directory}/../src")
endforeach()
string(REGEX MATCH "^[0-9]+\\.[0-9]+" petsc_version "${DAPTOR_PETSC_FOUND_VERSION}")
find_path(
  DAPTOR_PETSC_EXAMPLES ksp/ksp/tutorials/ex2.c
  HINTS ${hints} "/usr/share/petsc/${petsc_version}/share/petsc/examples/src"
  DOC "Sources of PETSc's tutorials")
mark_as_advanced(DAPTOR_PETSC_EXAMPLES)
if(NOT DAPTOR_PETSC_EXAMPLES)
  message(STATUS "daptor: PETSc's tutorials were not found, the plug-in is not tested with them")
endif()

# daptor_add_petsc_tutorials(<path>...): programs by their paths, as snes/ex5.
function(daptor_add_petsc_tutorials)
  foreach(path IN LISTS ARGN)
    get_filename_component(name "${path}" NAME)
    get_filename_component(directory "${path}" DIRECTORY)
    daptor_add_petsc_program(
      ${name} "${DAPTOR_PETSC_EXAMPLES}/${directory}/tutorials/${name}.c" daptor::_petsc)
  endforeach()
endfunction()

# petsc4py, where it was built with the same PETSc; under a sanitizer Python would have to preload it.
find_program(DAPTOR_PETSC4PY_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH
             DOC "A Python that has petsc4py")
mark_as_advanced(DAPTOR_PETSC4PY_PYTHON)
set(DAPTOR_HAS_PETSC4PY FALSE)
if(DAPTOR_PETSC4PY_PYTHON AND NOT DAPTOR_SANITIZE)
  execute_process(
    COMMAND
      "${DAPTOR_PETSC4PY_PYTHON}" -c
      "import petsc4py; petsc4py.init([]); from petsc4py import PETSc as P; import numpy as n; assert (n.dtype(P.ScalarType).kind == 'f', 8 * n.dtype(P.IntType).itemsize) == ('${DAPTOR_PETSC_FOUND_SCALAR}' == 'real', ${DAPTOR_PETSC_FOUND_INDEX_BITS})"
    RESULT_VARIABLE code
    OUTPUT_QUIET ERROR_QUIET)
  if(code EQUAL 0)
    set(DAPTOR_HAS_PETSC4PY TRUE)
  endif()
endif()
