# SPDX-License-Identifier: BSD-3-Clause
# Tests under mpirun: one executable, one ctest entry per rank count.

set(DAPTOR_TEST_LEVEL ALL CACHE STRING
    "ALL: each test in each build at all of its rank counts; FAST: the selection that docs/testing.md describes")
set_property(CACHE DAPTOR_TEST_LEVEL PROPERTY STRINGS ALL FAST)
set(DAPTOR_TEST_RANKS "" CACHE STRING "Only these rank counts (empty: those that each test names)")
set(DAPTOR_TEST_PREFIX "" CACHE STRING "Put before the name of every test, as in 'asan:'")
set(DAPTOR_TEST_TIMEOUT_FACTOR 1 CACHE STRING "Multiplies the time limit of every test")
option(DAPTOR_TEST_SLOW "Programs are slow: tests of very many cases leave some out, as with AddressSanitizer" OFF)
mark_as_advanced(DAPTOR_TEST_PREFIX DAPTOR_TEST_TIMEOUT_FACTOR DAPTOR_TEST_SLOW)

set(DAPTOR_RANKS 1 2 3 4 5 6 8)

find_package(GTest REQUIRED)
find_program(DAPTOR_TIMEOUT timeout)
find_program(DAPTOR_BASH bash)
mark_as_advanced(DAPTOR_TIMEOUT DAPTOR_BASH)

if(NOT DEFINED DAPTOR_OPEN_MPI_MAJOR)
  execute_process(
    COMMAND "${MPIEXEC_EXECUTABLE}" --version
    OUTPUT_VARIABLE version
    ERROR_VARIABLE version)
  set(major 0) # not Open MPI
  if(version MATCHES "(Open MPI|OpenRTE|PRRTE|prterun)[^)]*\\) ([0-9]+)\\.")
    set(major "${CMAKE_MATCH_2}")
  elseif(version MATCHES "Open MPI|OpenRTE|PRRTE|prterun")
    set(major 5)
  endif()
  set(DAPTOR_OPEN_MPI_MAJOR "${major}" CACHE INTERNAL "")
endif()

# Open MPI: more ranks than cores, as root in a container, on one node; waiting ranks give way. When
# a rank has failed the others are ended at once, not after one or two seconds. Messages go through
# shared memory, whose module vader is called sm from Open MPI 5 on, without the system calls that
# containers forbid, which are a framework of their own from Open MPI 5 on (smsc).
set(DAPTOR_MPIEXEC_FLAGS)
if(DAPTOR_OPEN_MPI_MAJOR GREATER 0)
  set(DAPTOR_MPIEXEC_FLAGS --allow-run-as-root --oversubscribe --bind-to none --mca
                           mpi_yield_when_idle 1 --mca pml ob1)
  if(DAPTOR_OPEN_MPI_MAJOR LESS 5)
    list(APPEND DAPTOR_MPIEXEC_FLAGS --mca btl self,vader --mca btl_vader_single_copy_mechanism none
         --mca odls_base_sigkill_timeout 0)
  else()
    # Open MPI 5.0.7 hangs where its messages in flight need more than the 512 pieces of shared memory
    # that it allows by default. For one-sided communication it would choose UCX, whose support of
    # GPUs allocates with C++'s operator new, which some tests count.
    list(APPEND DAPTOR_MPIEXEC_FLAGS --mca btl self,sm --mca smsc ^cma
         --mca btl_sm_free_list_max -1 --mca osc ^ucx)
  endif()
endif()
# Whether a program may put its own malloc in place of the C library's, to count allocations.
set(DAPTOR_TEST_OWN_MALLOC TRUE)
if(DAPTOR_SANITIZE OR MPIEXEC_PREFLAGS MATCHES "valgrind")
  set(DAPTOR_TEST_OWN_MALLOC FALSE)
endif()
set(DAPTOR_TEST_ENVIRONMENT OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 HWLOC_COMPONENTS=-gl)
if(DAPTOR_TEST_SLOW)
  list(APPEND DAPTOR_TEST_ENVIRONMENT DAPTOR_TEST_SLOW=1)
endif()
if(DAPTOR_SANITIZE)
  # Freed memory is watched until 16 MB more have been freed; with the default of 256 MB new pages are a
  # tenth of the time.
  set(asan_options
      detect_leaks=1:abort_on_error=0:allocator_may_return_null=1:quarantine_size_mb=16)
  # With tests/support/unwatched_mpi.cpp. At the end of a program LeakSanitizer looks for pointers in
  # the thread-local memory of libraries that were loaded late. Clang 14's version takes it to begin
  # elsewhere if it happens to lie at certain addresses, and ends with signal 11 ("Tracer caught
  # signal"); without this interception it does not look there, and leaks are still found.
  set(DAPTOR_TEST_UNWATCHED_ENVIRONMENT "ASAN_OPTIONS=intercept_tls_get_addr=0:${asan_options}")
  # Slow unwinding, because the suppressions name libraries without frame pointers. With
  # unwatched_mpi.cpp these are a few frames from the allocation, and more frames would only take time.
  set(unwinding fast_unwind_on_malloc=0)
  set(DAPTOR_TEST_SUPPRESSING_ENVIRONMENT
      "ASAN_OPTIONS=${unwinding}:malloc_context_size=8:${asan_options}")
  list(APPEND DAPTOR_TEST_ENVIRONMENT "ASAN_OPTIONS=${unwinding}:${asan_options}"
       "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0"
       "UBSAN_OPTIONS=print_stacktrace=1")
endif()

# daptor_mpi_command(<variable> <ranks> <seconds> <program> [<argument>...])
function(daptor_mpi_command result ranks seconds)
  set(command)
  if(DAPTOR_OPEN_MPI_MAJOR EQUAL 4 AND DAPTOR_BASH)
    list(APPEND command "${DAPTOR_BASH}" "${PROJECT_SOURCE_DIR}/tests/support/once_more.sh")
  endif()
  if(DAPTOR_TIMEOUT)
    # mpirun needs a moment to end its ranks; if it were killed at once, its session would remain.
    list(APPEND command "${DAPTOR_TIMEOUT}" -k 5 ${seconds})
  endif()
  list(APPEND command "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${ranks}
       ${DAPTOR_MPIEXEC_FLAGS} ${MPIEXEC_PREFLAGS} ${ARGN} ${MPIEXEC_POSTFLAGS})
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

# daptor_in_level(<variable> [<build>...]): whether a test that the level FAST has in these builds
# belongs to this build, which is `sanitized`, `release`, or `variant`: Release with another PETSc.
# Without a build: in those of the folder's DAPTOR_TEST_FAST, or else in `sanitized`.
function(daptor_in_level result)
  set(builds ${ARGN})
  if(NOT builds)
    set(builds ${DAPTOR_TEST_FAST})
  endif()
  if(NOT builds)
    set(builds sanitized)
  endif()
  set(build release)
  if(DAPTOR_SANITIZE)
    set(build sanitized)
  elseif(DAPTOR_TEST_PREFIX)
    set(build variant)
  endif()
  if(NOT DAPTOR_TEST_LEVEL STREQUAL "FAST" OR build IN_LIST builds)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# daptor_ranks_of_level(<variable> <kind> <n>...): of these rank counts, those that the level has.
# FAST has 1 and 3, and if these have no more than one rank the first that has; of kind ORACLE in
# Release 1 to 4 and one more; of kind SEVERAL not 1.
function(daptor_ranks_of_level result kind)
  set(ranks ${ARGN})
  if(DAPTOR_TEST_LEVEL STREQUAL "FAST")
    set(wanted 1 3)
    if(kind STREQUAL "SEVERAL")
      set(wanted 3)
    elseif(kind STREQUAL "ORACLE" AND NOT DAPTOR_SANITIZE)
      list(APPEND wanted 2 4)
      foreach(n 6 5 8)
        if(n IN_LIST ranks)
          list(APPEND wanted ${n})
          break()
        endif()
      endforeach()
    endif()
    if(NOT 3 IN_LIST ranks)
      foreach(n IN LISTS ranks)
        if(n GREATER 1)
          list(APPEND wanted ${n})
          break()
        endif()
      endforeach()
    endif()
    daptor_intersection(ranks "${ranks}" "${wanted}")
  endif()
  if(DAPTOR_TEST_RANKS)
    daptor_intersection(ranks "${ranks}" "${DAPTOR_TEST_RANKS}")
  endif()
  set(${result} "${ranks}" PARENT_SCOPE)
endfunction()

# The entries of the first list that are in the second; the first of the first list, if none is.
function(daptor_intersection result list others)
  set(common)
  foreach(entry IN LISTS list)
    if(entry IN_LIST others)
      list(APPEND common ${entry})
    endif()
  endforeach()
  if(NOT common)
    list(GET list 0 common)
  endif()
  set(${result} "${common}" PARENT_SCOPE)
endfunction()

# daptor_register_mpi_test(<name> COMMAND <program> [<argument>...] [RANKS <n>...] [TIMEOUT <s>]
#   [LABELS <label>...] [ENVIRONMENT <VAR=value>...] [FAST <build>...] [ORACLE|SEVERAL])
# Registers <name>.np<N> for every rank count of the level. FAST: the builds in which the level FAST has
# it, as daptor_in_level takes them, or `none`; ORACLE: it compares with an independent right answer for
# many layouts, and runs at more rank counts there. SEVERAL: it is about what one of several ranks does,
# and does not run at 1 rank there. The first label is the name of the folder, or of the
# adapter whose tests these are.
function(daptor_register_mpi_test name)
  # TIMEOUT is in the list of those with any number of values, because callers pass on one that may be
  # empty: after a keyword for one value CMake warns of that from 3.31 on (CMP0174).
  cmake_parse_arguments(PARSE_ARGV 1 arg "ORACLE;SEVERAL" "" "TIMEOUT;COMMAND;RANKS;LABELS;ENVIRONMENT;FAST")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "daptor_register_mpi_test(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_RANKS)
    set(arg_RANKS ${DAPTOR_RANKS})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set(folder "${DAPTOR_TEST_FOLDER}")
  if(NOT folder)
    get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  endif()
  math(EXPR seconds "${arg_TIMEOUT} * ${DAPTOR_TEST_TIMEOUT_FACTOR}")
  math(EXPR outer_seconds "${seconds} + 10")

  daptor_in_level(wanted ${arg_FAST})
  if(NOT wanted)
    return()
  endif()
  set(kind "")
  if(arg_ORACLE)
    set(kind ORACLE)
  elseif(arg_SEVERAL)
    set(kind SEVERAL)
  endif()
  daptor_ranks_of_level(ranks "${kind}" ${arg_RANKS})
  foreach(n IN LISTS ranks)
    set(test "${DAPTOR_TEST_PREFIX}${name}.np${n}")
    daptor_mpi_command(command ${n} ${seconds} ${arg_COMMAND})
    add_test(NAME "${test}" COMMAND ${command})
    set(labels ${folder} np${n} ${arg_LABELS})
    set(environment ${DAPTOR_TEST_ENVIRONMENT} ${arg_ENVIRONMENT})
    # scripts/test has three slots for each core, so that two tests of three ranks run at once on two cores.
    # Tests of several ranks come first, and those of one after them: ranks that wait for each other give way
    # to each other, also to those of another test, but a single process that computes keeps its core for
    # milliseconds, in each of which theirs would have exchanged many messages.
    set(slots ${n})
    if(n LESS 3)
      math(EXPR slots "${n} + 1")
    endif()
    math(EXPR cost "1000 * ${n}")
    if(n EQUAL 1)
      set(cost ${arg_TIMEOUT}) # the longest first
    endif()
    set_tests_properties(
      "${test}" PROPERTIES TIMEOUT ${outer_seconds} PROCESSORS ${slots} COST ${cost} LABELS "${labels}"
                           ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# daptor_test_target_defaults(<target>): the flags of a test, without optimisation, which would take a
# third of the compile time; most of the code that a test runs is in libraries. With CMAKE_UNITY_BUILD
# eight files are compiled together, in half the time; names without linkage must then be unique within
# the target.
function(daptor_test_target_defaults target)
  daptor_target_defaults(${target} TEST)
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${CMAKE_UNITY_BUILD}" UNITY_BUILD_BATCH_SIZE 8)
  target_compile_options(
    ${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:$<$<CONFIG:Release>:-O0>>")
  # With delayed templates (DaptorTrilinos.cmake) Clang 19 fails to compile what a precompiled header has.
  if(DAPTOR_KOKKOS_KERNELS_COMPILES_DELAYED)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
  # A sanitizer's trace names the functions of a test without debugging information too, which would
  # take a third of the compile time; libraries keep their line numbers. Of the sanitizers a test's own
  # code has AddressSanitizer, with which it is compiled in three quarters of the time that both take.
  if(DAPTOR_SANITIZE)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-g0>")
    if(DAPTOR_SANITIZE MATCHES "address" AND DAPTOR_SANITIZE MATCHES "undefined")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=undefined>")
    endif()
  endif()
endfunction()

# daptor_add_mpi_test(<name> SOURCES <file>... [LIBRARIES <target>...] [MAIN mpi|<adapter>|both|own]
#   [RANKS <n>...] [TIMEOUT <s>] [LABELS <label>...] [STANDARD 17|20] [DEFINITIONS <X=y>...] [LOOPS]
#   [FAST <build>...] [ORACLE|SEVERAL])
# A GoogleTest program, the target daptor_test_<name>, with underscores. MAIN says what is initialised around the tests; own: the sources have main().
# LOOPS: the test's own code computes much, and is optimised. A program whose test the level leaves out
# is built only when asked for by name.
# LIBRARIES and MAIN default to DAPTOR_TEST_LIBRARIES and DAPTOR_TEST_MAIN of the folder.
function(daptor_add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LOOPS;ORACLE;SEVERAL" "MAIN;TIMEOUT;STANDARD"
                        "SOURCES;LIBRARIES;RANKS;LABELS;ENVIRONMENT;DEFINITIONS;FAST")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "daptor_add_mpi_test(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_LIBRARIES)
    set(arg_LIBRARIES ${DAPTOR_TEST_LIBRARIES})
  endif()
  if(NOT arg_MAIN)
    set(arg_MAIN ${DAPTOR_TEST_MAIN})
  endif()
  if(NOT arg_MAIN)
    set(arg_MAIN mpi)
  endif()

  string(MAKE_C_IDENTIFIER "daptor_test_${name}" target)
  add_executable(${target} ${arg_SOURCES})
  if(arg_LOOPS)
    daptor_target_defaults(${target} TEST LOOPS)
  else()
    daptor_test_target_defaults(${target})
  endif()
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} daptor_test_support)
  if(NOT arg_MAIN STREQUAL "own")
    list(PREPEND arg_ENVIRONMENT ${DAPTOR_TEST_UNWATCHED_ENVIRONMENT})
    target_link_libraries(${target} PRIVATE daptor_test_main_${arg_MAIN})
    # A precompiled header is for sources in C++ with the flags of all tests.
    if(NOT arg_STANDARD AND NOT arg_DEFINITIONS AND NOT arg_LOOPS AND NOT arg_SOURCES MATCHES "[.](c|f90)(;|$)")
      target_precompile_headers(${target} REUSE_FROM daptor_test_headers_${arg_MAIN})
    endif()
  endif()
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  if(arg_STANDARD)
    set_target_properties(${target} PROPERTIES CXX_STANDARD ${arg_STANDARD}
                                               CXX_STANDARD_REQUIRED ON)
  endif()
  daptor_in_level(wanted ${arg_FAST})
  if(NOT wanted)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  set(kind)
  if(arg_ORACLE)
    set(kind ORACLE)
  elseif(arg_SEVERAL)
    set(kind SEVERAL)
  endif()
  daptor_register_mpi_test(
    ${name}
    ${kind}
    FAST ${arg_FAST}
    COMMAND $<TARGET_FILE:${target}>
    RANKS ${arg_RANKS}
    TIMEOUT ${arg_TIMEOUT}
    LABELS ${arg_LABELS}
    # What communicates within an agreement fails (daptor/detail/local_work.hpp).
    ENVIRONMENT DAPTOR_CHECK_AGREED=1 ${arg_ENVIRONMENT})
endfunction()

# daptor_add_crossing_test(<name> [<build>...]): registers <name>.crossing, the program of <name> with
# messages that take the ways they take among more than 64 ranks (src/ranks/crossing.hpp).
function(daptor_add_crossing_test name)
  string(MAKE_C_IDENTIFIER "${name}" target)
  daptor_register_mpi_test(
    ${name}.crossing
    COMMAND $<TARGET_FILE:daptor_test_${target}>
    FAST ${ARGN}
    RANKS 2 3 5
    TIMEOUT 240
    ENVIRONMENT ${DAPTOR_TEST_UNWATCHED_ENVIRONMENT} DAPTOR_CHECK_AGREED=1
                DAPTOR_MOST_DIRECT_RANKS=1)
endfunction()

# daptor_snippet(<name> <page> <text before it, or ""> PARAMETERS <parameter>...)
# Makes a source of a page's first snippet in C++, or the first one after a text, with the includes that
# it shows, and adds it to the variable `snippets`.
function(daptor_snippet name page before)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "PARAMETERS")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${page}")
  file(READ "${PROJECT_SOURCE_DIR}/${page}" text)
  if(before)
    string(FIND "${text}" "${before}" at)
    if(at LESS 0)
      message(FATAL_ERROR "${page} does not say '${before}'.")
    endif()
    string(SUBSTRING "${text}" ${at} -1 text)
  endif()
  string(FIND "${text}" "```cpp\n" at)
  math(EXPR at "${at} + 7")
  string(SUBSTRING "${text}" ${at} -1 text)
  string(FIND "${text}" "\n```" at)
  string(SUBSTRING "${text}" 0 ${at} text)
  string(REGEX MATCHALL "#include <[^>]*>" shown "${text}")
  string(REGEX REPLACE "#include <[^>]*>[^\n]*\n" "" text "${text}")
  list(JOIN shown "\n" shown)
  list(JOIN arg_PARAMETERS ", " parameters)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/snippets/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY
       CONTENT "@shown@\n\nvoid snippet_@name@(@parameters@)\n{\n@text@\n}\n")
  set(snippets ${snippets} "${source}" PARENT_SCOPE)
endfunction()

# daptor_add_refused_test(NAME SOURCE LIBRARIES ... [COMPILERS ...]): the calls in SOURCE must not
# compile, and the first line of each error says what its comment says (tests/support/refused.sh).
# COMPILERS: besides the one of this build.
function(daptor_add_refused_test name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES;COMPILERS")
  string(MAKE_C_IDENTIFIER "daptor_test_${name}" target)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE ${arg_LIBRARIES})
  string(JOIN "," compilers "${CMAKE_CXX_COMPILER}" ${arg_COMPILERS})
  set(includes "$<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>")
  add_test(NAME "${DAPTOR_TEST_PREFIX}${name}"
           COMMAND "${PROJECT_SOURCE_DIR}/tests/support/refused.sh"
                   "${CMAKE_CURRENT_SOURCE_DIR}/${source}" "${compilers}"
                   "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
                   "-I$<JOIN:${includes},;-I>"
           COMMAND_EXPAND_LISTS)
  string(REGEX REPLACE "[.].*" "" label "${name}")
  set_tests_properties("${DAPTOR_TEST_PREFIX}${name}" PROPERTIES TIMEOUT 60 LABELS "${label}")
endfunction()
