# SPDX-License-Identifier: BSD-3-Clause
# Examples and benchmarks: programs in <build>/bin.

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
      RANKS ${arg_RANKS}
      TIMEOUT ${arg_TIMEOUT}
      LABELS benchmark)
  endif()
endfunction()
