# SPDX-License-Identifier: BSD-3-Clause
# Finds Python and pybind11 for the module `daptor`. Used by the build alone: nothing links to it.
#
# In:  Python_EXECUTABLE, the interpreter that the module is for.
# Out: daptor_python_DEPENDENCIES_FOUND and _MESSAGE; the targets of FindPython and pybind11.

find_program(DAPTOR_PYTHON_EXECUTABLE python3 HINTS /usr/bin
             DOC "The Python that the module daptor is built for")
mark_as_advanced(DAPTOR_PYTHON_EXECUTABLE)

set(daptor_python_DEPENDENCIES_MESSAGE)
if(NOT BUILD_SHARED_LIBS)
  set(daptor_python_DEPENDENCIES_MESSAGE
      "its modules share one libdaptor_core, which BUILD_SHARED_LIBS=OFF leaves out")
elseif(NOT PROJECT_IS_TOP_LEVEL AND "${DAPTOR_PYTHON}" STREQUAL "AUTO")
  set(daptor_python_DEPENDENCIES_MESSAGE "Daptor is a part of another project")
else()
  if(NOT Python_EXECUTABLE AND DAPTOR_PYTHON_EXECUTABLE)
    set(Python_EXECUTABLE "${DAPTOR_PYTHON_EXECUTABLE}")
  endif()
  daptor_find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
  if(NOT Python_FOUND)
    set(daptor_python_DEPENDENCIES_MESSAGE
        "Python 3.9 or newer with its headers was not found (set Python_EXECUTABLE)")
  else()
    set(PYBIND11_FINDPYTHON ON)
    daptor_find_package(pybind11 2.10 QUIET CONFIG)
    if(NOT pybind11_FOUND)
      set(daptor_python_DEPENDENCIES_MESSAGE "pybind11 2.10 or newer was not found")
    endif()
  endif()
endif()
if(daptor_python_DEPENDENCIES_MESSAGE)
  set(daptor_python_DEPENDENCIES_FOUND FALSE)
else()
  set(daptor_python_DEPENDENCIES_FOUND TRUE)
endif()
