// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include <mpi.h>

namespace bench {

/// Goes through other memory until what is measured is in no cache.
void sweep();

/// Collective. Seconds of one repetition of `work` on this rank, after a sweep if `cold`.
double timed(MPI_Comm comm, const std::function<void()>& work, bool cold, int batch);

}  // namespace bench
