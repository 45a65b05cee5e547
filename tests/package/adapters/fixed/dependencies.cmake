# SPDX-License-Identifier: BSD-3-Clause
# Defines daptor::_fixed, archives without a .pc file. Used by the build and, installed, by
# find_package. Its users must be compiled as C++20, as those of Trilinos 17 must.
find_library(DAPTOR_FIXED_LIBRARY NAMES libfixed.a)
find_library(DAPTOR_FIXED_MOST_LIBRARY NAMES libfixed_most.a)
find_library(DAPTOR_FIXED_LIMIT_LIBRARY NAMES libfixed_limit.a)
find_path(DAPTOR_FIXED_INCLUDE fixed.h)
mark_as_advanced(DAPTOR_FIXED_LIBRARY DAPTOR_FIXED_MOST_LIBRARY DAPTOR_FIXED_LIMIT_LIBRARY DAPTOR_FIXED_INCLUDE)
set(daptor_fixed_DEPENDENCIES_FOUND FALSE)
set(daptor_fixed_DEPENDENCIES_MESSAGE "libfixed.a or fixed.h was not found")
if(DAPTOR_FIXED_LIBRARY AND DAPTOR_FIXED_MOST_LIBRARY AND DAPTOR_FIXED_LIMIT_LIBRARY AND DAPTOR_FIXED_INCLUDE)
  set(daptor_fixed_DEPENDENCIES_FOUND TRUE)
  set(daptor_fixed_DEPENDENCIES_MESSAGE)
  if(NOT TARGET daptor::_fixed)
    add_library(daptor::_fixed_limit STATIC IMPORTED GLOBAL)
    set_target_properties(daptor::_fixed_limit PROPERTIES IMPORTED_LOCATION "${DAPTOR_FIXED_LIMIT_LIBRARY}")
    add_library(daptor::_fixed_most STATIC IMPORTED GLOBAL)
    set_target_properties(
      daptor::_fixed_most PROPERTIES IMPORTED_LOCATION "${DAPTOR_FIXED_MOST_LIBRARY}"
                                     INTERFACE_LINK_LIBRARIES daptor::_fixed_limit)
    # What is needed last is named first, as other projects may.
    add_library(daptor::_fixed STATIC IMPORTED GLOBAL)
    set_target_properties(
      daptor::_fixed PROPERTIES IMPORTED_LOCATION "${DAPTOR_FIXED_LIBRARY}"
                                INTERFACE_COMPILE_FEATURES cxx_std_20
                                INTERFACE_INCLUDE_DIRECTORIES "${DAPTOR_FIXED_INCLUDE}"
                                INTERFACE_LINK_LIBRARIES "daptor::_fixed_limit;daptor::_fixed_most")
  endif()
endif()
