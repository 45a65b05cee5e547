# SPDX-License-Identifier: BSD-3-Clause
# Including a header registers nothing: its object file refers to no function that registers
# something.
if(NOT OBJECTS)
  message(FATAL_ERROR "no objects")
endif()
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND "${NM}" --undefined-only "${object}" OUTPUT_VARIABLE symbols
                  RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${NM} cannot read ${object}")
  endif()
  if(symbols MATCHES "[A-Za-z0-9_]*daptor[A-Za-z0-9_]*regist[A-Za-z0-9_]*")
    message(SEND_ERROR "${object} calls ${CMAKE_MATCH_0}")
  endif()
endforeach()
