# SPDX-License-Identifier: BSD-3-Clause
# Installs libraries, headers, a CMake package with one target file per component, and one
# pkg-config file per component.
if(NOT DAPTOR_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)

set(DAPTOR_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/daptor")
get_property(components GLOBAL PROPERTY DAPTOR_COMPONENTS)
set(DAPTOR_PACKAGE_RECORDS)

# The compiler and linker flags in the interface of a target.
function(daptor_collect_flags target cflags_result libs_result seen_result)
  set(cflags)
  set(libs)
  set(seen ${${seen_result}} ${target})
  get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  get_target_property(imported ${target} IMPORTED)
  foreach(include IN LISTS includes)
    if(include AND imported AND NOT include MATCHES "\\$<")
      list(APPEND cflags "-I${include}")
    endif()
  endforeach()
  foreach(definition IN LISTS definitions)
    if(definition AND NOT definition MATCHES "\\$<")
      list(APPEND cflags "-D${definition}")
    endif()
  endforeach()
  # A later standard than Daptor's own, such as C++20 of Trilinos 17.
  get_target_property(features ${target} INTERFACE_COMPILE_FEATURES)
  foreach(feature IN LISTS features)
    if(feature MATCHES "^cxx_std_(2[0-9])$")
      list(APPEND cflags "-std=c++${CMAKE_MATCH_1}")
    endif()
  endforeach()
  if(imported)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      get_target_property(location ${target} LOCATION)
      list(APPEND libs "${location}")
    endif()
  endif()
  foreach(library IN LISTS libraries)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(NOT library OR library MATCHES "\\$<|::@")
      continue()
    endif()
    if(TARGET ${library})
      get_target_property(alias ${library} ALIASED_TARGET)
      if(NOT alias AND NOT library IN_LIST seen)
        daptor_collect_flags(${library} more_cflags more_libs seen)
        list(APPEND cflags ${more_cflags})
        list(APPEND libs ${more_libs})
      endif()
    elseif(library MATCHES "^-" OR IS_ABSOLUTE "${library}")
      list(APPEND libs "${library}")
    else()
      list(APPEND libs "-l${library}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES cflags)
  set(${cflags_result} "${cflags}" PARENT_SCOPE)
  set(${libs_result} "${libs}" PARENT_SCOPE)
  set(${seen_result} "${seen}" PARENT_SCOPE)
endfunction()

# The prefix is relative to the .pc file, so that an installation can be moved.
file(RELATIVE_PATH DAPTOR_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" DAPTOR_PC_PREFIX "${DAPTOR_PC_PREFIX}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR must be relative to the prefix.")
endif()

set(helpers)
foreach(component IN LISTS components)
  set(target daptor_${component})
  get_target_property(requires ${target} DAPTOR_REQUIRES)
  get_target_property(include_dirs ${target} DAPTOR_INCLUDE)
  get_target_property(dependencies ${target} DAPTOR_DEPENDENCIES)
  get_target_property(source_dir ${target} SOURCE_DIR)
  get_target_property(records ${target} DAPTOR_RECORDS)
  string(APPEND DAPTOR_PACKAGE_RECORDS "set(daptor_${component}_REQUIRES \"${requires}\")\n")
  foreach(record IN LISTS records)
    string(REGEX REPLACE "^([^=]*)=(.*)$" "set(\\1 \"\\2\")\n" record "${record}")
    string(APPEND DAPTOR_PACKAGE_RECORDS "${record}")
  endforeach()

  install(
    TARGETS ${target}
    EXPORT daptor-${component}-targets
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libraries
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(
    EXPORT daptor-${component}-targets
    NAMESPACE daptor::
    DESTINATION "${DAPTOR_PACKAGE_DIR}")
  foreach(directory IN LISTS include_dirs)
    if(EXISTS "${directory}")
      install(DIRECTORY "${directory}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
              FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.mod")
    endif()
  endforeach()
  if(dependencies)
    list(POP_FRONT dependencies file)
    install(FILES "${source_dir}/${file}" DESTINATION "${DAPTOR_PACKAGE_DIR}"
            RENAME daptor-${component}-dependencies.cmake)
    list(APPEND helpers ${dependencies})
  endif()

  set(seen)
  daptor_collect_flags(${target} cflags libs seen)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    list(PREPEND libs -ldaptor_${component})
  endif()
  # Of several -std options the last would count, so only the latest standard stays.
  set(standards ${cflags})
  list(FILTER standards INCLUDE REGEX "^-std=")
  list(SORT standards)
  list(POP_BACK standards)
  if(standards)
    list(REMOVE_ITEM cflags ${standards})
  endif()
  list(TRANSFORM requires PREPEND "daptor-" OUTPUT_VARIABLE DAPTOR_PC_REQUIRES)
  list(JOIN DAPTOR_PC_REQUIRES ", " DAPTOR_PC_REQUIRES)
  # If the order matters (archives), the last mention counts.
  list(REVERSE libs)
  list(REMOVE_DUPLICATES libs)
  list(REVERSE libs)
  get_target_property(own_cflags ${target} DAPTOR_PC_CFLAGS)
  if(own_cflags)
    list(PREPEND cflags ${own_cflags})
  endif()
  list(JOIN cflags " " DAPTOR_PC_CFLAGS)
  list(JOIN libs " " DAPTOR_PC_LIBS)
  set(DAPTOR_PC_NAME "${component}")
  configure_file("${DAPTOR_CMAKE_DIR}/daptor.pc.in" "${PROJECT_BINARY_DIR}/daptor-${component}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/daptor-${component}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

configure_package_config_file(
  "${DAPTOR_CMAKE_DIR}/daptor-config.cmake.in" "${PROJECT_BINARY_DIR}/daptor-config.cmake"
  INSTALL_DESTINATION "${DAPTOR_PACKAGE_DIR}"
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/daptor-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
list(REMOVE_DUPLICATES helpers)
list(TRANSFORM helpers PREPEND "${DAPTOR_CMAKE_DIR}/")
install(FILES "${PROJECT_BINARY_DIR}/daptor-config.cmake"
              "${PROJECT_BINARY_DIR}/daptor-config-version.cmake" ${helpers}
        DESTINATION "${DAPTOR_PACKAGE_DIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
