# SPDX-License-Identifier: BSD-3-Clause
# Used by the build and, installed, by the package.

# daptor_mpi_family(<result> <directory>...): "Open MPI", or "MPICH" with what shares its binary interface
# (Intel MPI, MVAPICH), from the first mpi.h in these directories that tells; else empty, as where the
# compiler finds mpi.h by itself.
function(daptor_mpi_family result)
  set(family)
  foreach(directory IN LISTS ARGN)
    set(lines)
    if(NOT family AND EXISTS "${directory}/mpi.h")
      file(STRINGS "${directory}/mpi.h" lines
           REGEX "^#[ \t]*define[ \t]+(OMPI_MAJOR_VERSION|MPICH_VERSION|I_MPI_VERSION)[ \t]")
    endif()
    if(lines MATCHES "OMPI_MAJOR_VERSION")
      set(family "Open MPI")
    elseif(lines)
      set(family "MPICH")
    endif()
  endforeach()
  set(${result} "${family}" PARENT_SCOPE)
endfunction()
