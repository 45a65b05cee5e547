// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "daptor/conformance/mpi_watch.hpp"

/// \file
/// Interface through which the MPI wrappers tell the library about calls. The wrappers are part of
/// the program, while the library may be shared, so the wrappers call the library; the library only
/// knows what they tell it.

namespace daptor::conformance::detail {

/// Announces that the program has wrappers.
void announce_wrappers() noexcept;

/// Announces a call; `comm` is null if it has no communicator. Called before the MPI call, because
/// the communicator may be freed by it.
void mpi_called(MpiKind kind, const char* function, const MPI_Comm* comm) noexcept;

/// Announces that all ranks of `parent` have made `child` (MPI_COMM_NULL on ranks that are not in
/// it).
void communicator_made(MPI_Comm parent, MPI_Comm child) noexcept;
/// Announces that some ranks of `parent` have made `child`, under a tag.
void communicator_made(MPI_Comm parent, int tag, MPI_Comm child) noexcept;
void communicator_freed(MPI_Comm comm) noexcept;

}  // namespace daptor::conformance::detail
