// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What FFTW-MPI asks of the layouts and the memory of arrays. Only built with FFTW-MPI.

#include <string>
#include <vector>

#include "daptor/comm.hpp"
#include "problem.hpp"
#include "slab_sizes.hpp"

namespace daptor::fft::detail {

[[noreturn]] void refuse_slabs(const char* rule, const Terms& found, const Terms& expected);

/// A transform that FFTW-MPI does not have, or computes wrongly (`fft.engine`).
[[noreturn]] void refuse_engine(const Terms& found, const Terms& expected);

/// Whether the output is divided along dimension 1. On one process both are, and the memory
/// decides.
bool is_transposed(const Section& output);

/// What is the same on all ranks: whether FFTW-MPI has such a transform.
void require_engine(const Section& input, const Problem& problem, bool transposed);

/// What is looked at on one process: whether FFTW-MPI can work in the memory of these arrays.
void require_form(const Section& input, const Section& output, const Problem& problem,
                  const SlabSizes& sizes, bool transposed, const Comm& comm, Index capacity);

/// Room for what FFTW-MPI writes, also where a process has no elements: it takes part there.
/// @param room, capacity  in complex numbers
void require_room(const Section& input, const Section& output, bool in_place, Index room,
                  Index capacity);

}  // namespace daptor::fft::detail
