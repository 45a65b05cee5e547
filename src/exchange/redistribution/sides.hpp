// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/redistribute.hpp"
#include "exchange/redistribution/outline.hpp"

namespace daptor::detail {

/// One side of a redistribution on this process: the arrays of the batch, and the communicator on
/// which they are described; neither where the process has no part in it.
struct Side {
  std::vector<DistArray> arrays;
  std::optional<Comm> comm;
  Outline outline = {};

  bool takes_part() const { return comm.has_value(); }
  /// The layout of them all.
  const DistArray& array() const { return arrays.front(); }
  /// Of the local sections.
  std::int64_t bytes() const;
};

/// Both sides, and the communicator that contains them.
struct Sides {
  Side source, target;
  Comm comm;

  /// All three communicators are one.
  bool together() const { return source.comm == comm && target.comm == comm; }
  Sides turned() const { return {target, source, comm}; }
};

/// Process-local. Ranks of one communicator as ranks of another; MPI_UNDEFINED where it does not
/// have the process.
std::vector<int> translated(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to);

/// Both on `comm`.
Sides sides_on(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
               const Comm& comm);
/// Collective over `comm`.
Sides sides_on(const ArraysOn& sources, const ArraysOn& targets, const Comm& comm);

/// Collective. Proves what the processes of each side have in common, and both sides with each
/// other; fills in the outlines. `memory`: arrays are more than descriptions.
void prepare(Sides& sides, const RedistributionOptions& options, bool memory,
             const Transform* transform = nullptr);

}  // namespace daptor::detail
