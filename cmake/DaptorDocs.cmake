# SPDX-License-Identifier: BSD-3-Clause
# Target docs: the reference documentation; a warning of Doxygen is an error.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

find_program(DAPTOR_DOXYGEN doxygen)
mark_as_advanced(DAPTOR_DOXYGEN)
if(NOT DAPTOR_DOXYGEN)
  add_custom_target(
    docs
    COMMAND "${CMAKE_COMMAND}" -E echo "Doxygen was not found when this build was configured."
    COMMAND "${CMAKE_COMMAND}" -E false)
  return()
endif()

file(GLOB adapter_includes LIST_DIRECTORIES ON "${PROJECT_SOURCE_DIR}/adapters/*/include")
set(DAPTOR_DOXYGEN_ADAPTERS)
foreach(directory IN LISTS adapter_includes)
  string(APPEND DAPTOR_DOXYGEN_ADAPTERS " \"${directory}\"")
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
add_custom_target(
  docs
  COMMAND "${DAPTOR_DOXYGEN}" "${PROJECT_BINARY_DIR}/Doxyfile"
  COMMENT "Building the reference documentation"
  VERBATIM)
if(DAPTOR_BUILD_TESTS AND NOT DAPTOR_TEST_PREFIX)
  add_test(NAME docs.reference COMMAND "${DAPTOR_DOXYGEN}" "${PROJECT_BINARY_DIR}/Doxyfile")
  set_tests_properties(docs.reference PROPERTIES LABELS docs TIMEOUT 120)
endif()
