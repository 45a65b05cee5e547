// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::scalapack::detail {

/// Columns of the grid of all processes that is as square as possible, with at least as many rows:
/// the largest divisor whose square is no more than the processes. Needs no MPI.
int square_columns(int processes);

}  // namespace daptor::scalapack::detail
