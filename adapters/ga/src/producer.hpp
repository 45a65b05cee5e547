// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <mpi.h>

#include "daptor/buffer.hpp"
#include "division.hpp"

namespace daptor::ga::detail {

/// The state of an exported section: leases ask GA whether the array is still there, and the end of
/// a write is GA's synchronisation.
/// @param part  the processes on which the array is described, where those are not all of its
///              group; else MPI_COMM_NULL. Lives as long as the array
std::shared_ptr<SharedState> make_state(const Division& division, MPI_Comm part);

}  // namespace daptor::ga::detail
