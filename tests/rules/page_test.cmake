# SPDX-License-Identifier: BSD-3-Clause
# The committed page of rules is the one that the table of rules gives.
execute_process(COMMAND "${PROGRAM}" "${WRITTEN}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "daptor_rules_page failed: ${failed}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${WRITTEN}" "${COMMITTED}"
                RESULT_VARIABLE differ)
if(differ)
  message(FATAL_ERROR "docs/rules.md is not what the table gives; build the target rules_page.")
endif()
