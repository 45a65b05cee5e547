# SPDX-License-Identifier: BSD-3-Clause
# Installs libraries, headers, a CMake package with one target file per component, and one
# pkg-config file per component.
if(NOT DAPTOR_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
include(DaptorPcFiles)

set(DAPTOR_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/daptor")
get_property(components GLOBAL PROPERTY DAPTOR_COMPONENTS)
set(DAPTOR_PACKAGE_RECORDS)
foreach(language CXX Fortran)
  string(APPEND DAPTOR_PACKAGE_RECORDS
         "set(_daptor_runtime_${language} \"${DAPTOR_RUNTIME_${language}}\")\n")
endforeach()

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
  daptor_languages(${target} languages)
  string(APPEND DAPTOR_PACKAGE_RECORDS "set(daptor_${component}_REQUIRES \"${requires}\")\n"
         "set(daptor_${component}_LANGUAGES \"${languages}\")\n")
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

  set(archive FALSE)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set(archive TRUE)
  endif()
  daptor_write_pc_file(${component} ${archive} "${PROJECT_BINARY_DIR}/daptor-${component}.pc")
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
