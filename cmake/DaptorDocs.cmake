# SPDX-License-Identifier: BSD-3-Clause
# Target docs: the site, as scripts/docs makes it. Tests of what it is made of: a warning of Doxygen about a
# header is an error, and so is a link of a page that leads nowhere, and
# a page or recipe that does not say what the adapters say of themselves, and a page of benchmarks that is
# not made of their results.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# Debian's Sphinx is a module of the system's interpreter.
find_program(DAPTOR_DOCS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(DAPTOR_DOCS_PYTHON python3)
find_program(DAPTOR_DOXYGEN doxygen)
mark_as_advanced(DAPTOR_DOXYGEN DAPTOR_DOCS_PYTHON)
set(site "${PROJECT_SOURCE_DIR}/docs/site")
add_custom_target(
  docs
  COMMAND "${DAPTOR_DOCS_PYTHON}" -B "${site}/build.py" "${PROJECT_BINARY_DIR}/docs"
          "$<TARGET_FILE:daptor_rules_page>"
  COMMENT "Building the site"
  VERBATIM USES_TERMINAL)
if(DAPTOR_BUILD_TESTS AND NOT DAPTOR_TEST_PREFIX AND DAPTOR_DOCS_PYTHON)
  add_test(NAME docs.links COMMAND "${DAPTOR_DOCS_PYTHON}" -B "${site}/pages.py"
                                   "${PROJECT_SOURCE_DIR}")
  add_test(NAME docs.facts COMMAND "${DAPTOR_DOCS_PYTHON}" -B "${PROJECT_SOURCE_DIR}/scripts/facts" --check)
  add_test(NAME docs.benchmarks
           COMMAND "${DAPTOR_DOCS_PYTHON}" -B "${PROJECT_SOURCE_DIR}/benchmarks/report.py" check
                   "${PROJECT_SOURCE_DIR}/benchmarks/results.json" "${PROJECT_SOURCE_DIR}/docs")
  add_test(NAME docs.options COMMAND "${DAPTOR_DOCS_PYTHON}" -B "${site}/options_page.py" --check)
  set_tests_properties(docs.links docs.facts docs.benchmarks docs.options PROPERTIES LABELS docs TIMEOUT 60)
  if(DAPTOR_DOXYGEN)
    add_test(NAME docs.reference COMMAND "${DAPTOR_DOCS_PYTHON}" -B "${site}/build.py" --headers
                                         "${PROJECT_BINARY_DIR}/docs/doxygen")
    set_tests_properties(docs.reference PROPERTIES LABELS docs TIMEOUT 120)
  endif()
endif()
