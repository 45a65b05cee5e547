# SPDX-License-Identifier: BSD-3-Clause
# Examples and benchmarks: programs in <build>/bin.

# Sets DAPTOR_BIG_RUA, a real matrix that SuperLU_DIST comes with: in Debian's libsuperlu-dist-dev,
# after Debian 13 in libsuperlu-dist-examples.
macro(daptor_find_big_rua)
  find_file(
    DAPTOR_BIG_RUA
    NAMES superlu-dist/tests/EXAMPLE/big.rua superlu-dist/EXAMPLE/big.rua
    PATHS "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}" /usr/lib
    NO_DEFAULT_PATH
    DOC "The real matrix that SuperLU_DIST comes with")
  mark_as_advanced(DAPTOR_BIG_RUA)
endmacro()

function(_daptor_add_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND" "SOURCES;LIBRARIES")
  add_executable(${target} ${arg_SOURCES})
  daptor_target_defaults(${target} ${arg_KIND})
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
endfunction()

# daptor_add_example(<target> SOURCES <file>... LIBRARIES <target>... [ARGUMENTS <argument>...]
#   [RANKS <n>...] [TIMEOUT <s>])
# Every example is also a test: example.<target>.np<N>, run with ARGUMENTS in a folder of its own.
function(daptor_add_example target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES;ARGUMENTS;RANKS")
  _daptor_add_program(${target} KIND TEST SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
  if(DAPTOR_BUILD_TESTS)
    if(NOT arg_RANKS)
      set(arg_RANKS 1 2 3)
    endif()
    daptor_register_mpi_test(
      example.${target}
      COMMAND $<TARGET_FILE:${target}> ${arg_ARGUMENTS}
      FAST release
      RANKS ${arg_RANKS}
      TIMEOUT ${arg_TIMEOUT}
      LABELS example)
  endif()
endfunction()

# daptor_add_benchmark(<target> SOURCES <file>... LIBRARIES <target>... [SMOKE <argument>...]
#   [RANKS <n>...] [TIMEOUT <s>])
# With SMOKE it is also a test, run with these arguments, which should make it short.
function(daptor_add_benchmark target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES;SMOKE;RANKS")
  _daptor_add_program(${target} KIND PROGRAM SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
  if(DAPTOR_BUILD_TESTS AND arg_SMOKE)
    if(NOT arg_RANKS)
      set(arg_RANKS 2)
    endif()
    daptor_register_mpi_test(
      benchmark.${target}
      COMMAND $<TARGET_FILE:${target}> ${arg_SMOKE}
      FAST release
      RANKS ${arg_RANKS}
      TIMEOUT ${arg_TIMEOUT}
      LABELS benchmark)
  endif()
endfunction()
