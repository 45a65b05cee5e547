if(NOT DAPTOR_INSTALL)
  return()
endif()
