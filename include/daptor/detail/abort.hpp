// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace daptor::detail {

/// Handles a failure on one rank inside a collective operation, in which the other ranks may wait
/// for ever: says so in one sentence on stderr and aborts the communicator. `operation` is what
/// failed, `what` is the reason. Not part of the public interface.
[[noreturn]] void abort_communicator(MPI_Comm comm, const char* operation,
                                     const char* what) noexcept;

}  // namespace daptor::detail
