// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>

#include <mpi.h>

#include "daptor/process_grid.hpp"

namespace daptor::detail {

/// The grid of a Cartesian communicator; `nullopt` for any other, and when MPI is not running.
/// Process-local.
std::optional<ProcessGrid> cartesian_grid(MPI_Comm comm);

/// Refuses a list (`argument`) that has entries, but not one for each dimension.
void require_entries(const char* key, std::size_t count, std::size_t ndim);

}  // namespace daptor::detail
