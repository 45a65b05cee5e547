// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include <daptor/daptor.hpp>

/// ScaLAPACK's description of a matrix on a process grid: DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_,
/// CSRC_, LLD_.
using Descriptor = std::array<int, 9>;

/// Collective over the processes of the grid. Throws daptor::InvalidArgument, on all of them, where
/// a process has what ScaLAPACK cannot hold: anything but two dimensions that are dealt in blocks
/// (`'c'`) or whole (`'n'`), on the context's grid, column-major, in sizes of 32 bits.
Descriptor descriptor(const daptor::DistArray& a, int blacs_context);
