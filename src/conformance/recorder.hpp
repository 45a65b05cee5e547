// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "daptor/conformance/mpi_watch.hpp"

/// \file
/// What the MPI wrappers tell the library. The wrappers are part of a program, the library may be
/// shared: so they call it, and it knows of them only what they announce.

namespace daptor::conformance::detail {

/// The program has wrappers.
void announce_wrappers() noexcept;

/// A call begins; `comm` is null where it has none. Called before the call, as its communicator may
/// be gone after it.
void mpi_called(MpiKind kind, const char* function, const MPI_Comm* comm) noexcept;

/// `child` has been made by all ranks of `parent` (MPI_COMM_NULL on those that are not in it).
void communicator_made(MPI_Comm parent, MPI_Comm child) noexcept;
/// `child` has been made by some ranks of `parent`, under a tag.
void communicator_made(MPI_Comm parent, int tag, MPI_Comm child) noexcept;
void communicator_freed(MPI_Comm comm) noexcept;

}  // namespace daptor::conformance::detail
