// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "conformance/recorder.hpp"

/// Defines MPI_`name`, which tells the recorder and calls PMPI_`name` of MPI's profiling interface.
/// `comm` is a pointer to the communicator, or null.
#define DAPTOR_WATCH(kind, name, comm, parameters, arguments)              \
  int MPI_##name parameters {                                              \
    ::daptor::conformance::detail::mpi_called((kind), "MPI_" #name, comm); \
    return PMPI_##name arguments;                                          \
  }

/// The same for a function with which all ranks of `parent` make `*child`.
#define DAPTOR_WATCH_MADE(name, parent, child, parameters, arguments)                       \
  int MPI_##name parameters {                                                               \
    ::daptor::conformance::detail::mpi_called(::daptor::conformance::MpiKind::communicator, \
                                              "MPI_" #name, &(parent));                     \
    const int daptor_status = PMPI_##name arguments;                                        \
    if (daptor_status == MPI_SUCCESS)                                                       \
      ::daptor::conformance::detail::communicator_made((parent), *(child));                 \
    return daptor_status;                                                                   \
  }
