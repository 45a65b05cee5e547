# SPDX-License-Identifier: BSD-3-Clause
# Arm's 64-bit processors from a Debian machine with another one: Debian's cross compiler, the system that
# scripts/arm64-system makes, and qemu-user, which runs programs of that system.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

if(NOT DEFINED CMAKE_SYSROOT)
  execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/../../scripts/arm64-system" --path
                  OUTPUT_VARIABLE CMAKE_SYSROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
if(NOT EXISTS "${CMAKE_SYSROOT}")
  message(FATAL_ERROR "There is no ${CMAKE_SYSROOT}; please run scripts/arm64-system.")
endif()

set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${CMAKE_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")

# The compiler wrappers of that system's Open MPI are programs for Arm, so FindMPI is told what they would say.
# This machine's mpiexec, of the same release, starts the ranks, each under qemu.
set(openmpi "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/openmpi")
foreach(language C CXX)
  set(MPI_${language}_COMPILER MPI_${language}_COMPILER-NOTFOUND CACHE FILEPATH "")
  set(MPI_${language}_LIB_NAMES mpi CACHE STRING "")
  set(MPI_${language}_HEADER_DIR "${openmpi}/include" CACHE PATH "")
endforeach()
set(MPI_mpi_LIBRARY "${openmpi}/lib/libmpi.so" CACHE FILEPATH "")
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR ";" emulator)
set(MPIEXEC_PREFLAGS "${emulator}" CACHE STRING "")
