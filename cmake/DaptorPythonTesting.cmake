# SPDX-License-Identifier: BSD-3-Clause
# Tests of the Python package, run by pytest under mpirun with the package's own plug-in.
#
# DAPTOR_TEST_PYTHON: the command that runs Python in a test; empty if NumPy, mpi4py or pytest is
# missing. DAPTOR_PYTHON_ENVIRONMENT: the variables with which it finds the package of this build.

set(DAPTOR_TEST_PYTHON)
execute_process(
  COMMAND "${Python_EXECUTABLE}" -c "import numpy, pytest, mpi4py"
  RESULT_VARIABLE status
  OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  set(DAPTOR_TEST_PYTHON "${Python_EXECUTABLE}")
endif()

get_property(adapters GLOBAL PROPERTY DAPTOR_BUILT_ADAPTERS)
list(JOIN adapters "," adapters)
set(DAPTOR_PYTHON_ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python" PYTHONDONTWRITEBYTECODE=1
                              "DAPTOR_TEST_ADAPTERS=${adapters}")

# Python itself is not sanitized, and memory that it never frees is not Daptor's leak. pytest would
# capture the output of the sanitizers.
set(DAPTOR_PYTEST_FLAGS)
if(DAPTOR_SANITIZE AND DAPTOR_TEST_PYTHON)
  daptor_sanitizer_runtimes(preloaded)
  # Without the C++ runtime preloaded, no C++ exception of a Python module can be caught.
  list(APPEND preloaded libstdc++.so.6)
  list(JOIN preloaded ":" preloaded)
  set(DAPTOR_PYTEST_FLAGS -s)
  # A small quarantine, so that freed memory that ASan keeps does not look like a growth of Daptor's
  # memory.
  set(DAPTOR_TEST_PYTHON env "LD_PRELOAD=${preloaded}"
                         ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8:allocator_may_return_null=1
                         PYTHONMALLOC=malloc
                         "${Python_EXECUTABLE}")
endif()

# daptor_add_python_test(<name> FILES <file>... [RANKS <n>...] [FAST <build>...]): python.<name>, test files that
# pytest runs in one session, since starting takes most of a short one's time; they find `support`.
# Adds nothing if DAPTOR_TEST_PYTHON is empty.
function(daptor_add_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES;RANKS;FAST")
  if(NOT DAPTOR_TEST_PYTHON)
    return()
  endif()
  if(NOT arg_RANKS)
    set(arg_RANKS 1 2 3 4)
  endif()
  if(NOT arg_FAST)
    set(arg_FAST release)
  endif()
  list(TRANSFORM arg_FILES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(TRANSFORM DAPTOR_PYTHON_ENVIRONMENT APPEND ":${PROJECT_SOURCE_DIR}/tests/python" REGEX
       "^PYTHONPATH=" OUTPUT_VARIABLE environment)
  daptor_register_mpi_test(
    python.${name}
    COMMAND ${DAPTOR_TEST_PYTHON} -m pytest -q --color=no -p no:cacheprovider
            -p daptor.pytest_plugin ${DAPTOR_PYTEST_FLAGS} ${arg_FILES}
    FAST ${arg_FAST}
    RANKS ${arg_RANKS}
    TIMEOUT 240
    ENVIRONMENT ${environment})
endfunction()
