# SPDX-License-Identifier: BSD-3-Clause
# Makes an imported target of a library that pkg-config knows. Used by the build and, installed, by
# the package.

# _daptor_pkg_config(<component> <module>...) takes the first of these pkg-config modules that
# exists. Defines daptor::_<component>; sets daptor_<component>_DEPENDENCIES_FOUND, _MESSAGE and
# _VERSION.
function(_daptor_pkg_config component)
  set(target daptor::_${component})
  set(found daptor_pc_${component})
  set(message)
  if(NOT TARGET ${target})
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_search_module(${found} QUIET ${ARGN})
    endif()
    list(JOIN ARGN " or " modules)
    if(NOT PkgConfig_FOUND)
      set(message "pkg-config was not found")
    elseif(NOT ${found}_FOUND)
      set(message "pkg-config knows no ${modules} (set PKG_CONFIG_PATH)")
    else()
      set(libraries ${${found}_LINK_LIBRARIES})
      if("${libraries}" MATCHES "\\.a(;|$)")
        # A static archive does not list its dependencies.
        set(libraries ${${found}_STATIC_LINK_LIBRARIES})
      endif()
      add_library(${target} INTERFACE IMPORTED GLOBAL)
      target_include_directories(${target} SYSTEM INTERFACE ${${found}_INCLUDE_DIRS})
      target_compile_options(${target} INTERFACE ${${found}_CFLAGS_OTHER})
      target_link_libraries(${target} INTERFACE ${libraries} MPI::MPI_CXX)
      target_link_options(${target} INTERFACE ${${found}_LDFLAGS_OTHER})
    endif()
  endif()
  if(message)
    set(daptor_${component}_DEPENDENCIES_FOUND FALSE PARENT_SCOPE)
  else()
    set(daptor_${component}_DEPENDENCIES_FOUND TRUE PARENT_SCOPE)
  endif()
  set(daptor_${component}_DEPENDENCIES_MESSAGE "${message}" PARENT_SCOPE)
  set(daptor_${component}_DEPENDENCIES_VERSION "${${found}_VERSION}" PARENT_SCOPE)
endfunction()
