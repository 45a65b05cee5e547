// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "daptor/redistribute.hpp"
#include "exchange/redistribution/outline.hpp"

namespace daptor::detail {

/// One side of a redistribution on this process: the arrays of the batch, and the communicator on
/// which they are described; neither where the process has no part in it.
struct Side {
  std::vector<DistArray> arrays;
  std::shared_ptr<const Communicator> comm;
  MPI_Comm mpi = MPI_COMM_NULL;  ///< the same; looked at where communicators differ
  Outline outline = {};

  bool takes_part() const { return comm != nullptr; }
  /// The layout of them all.
  const DistArray& array() const { return arrays.front(); }
  /// Of the local sections.
  std::int64_t bytes() const;
};

/// Both sides, and the communicator that contains them.
struct Sides {
  Side source, target;
  std::shared_ptr<const Communicator> comm;
  MPI_Comm mpi = MPI_COMM_NULL;

  /// All three communicators are one.
  bool together() const { return source.comm == comm && target.comm == comm; }
  Sides turned() const { return {target, source, comm, mpi}; }
};

/// Process-local. Ranks of one communicator as ranks of another; MPI_UNDEFINED where it does not
/// have the process.
std::vector<int> translated(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to);

/// Both on `comm`.
Sides sides_on(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
               std::shared_ptr<const Communicator> comm);
/// Collective over `comm`.
Sides sides_on(const ArraysOn& sources, const ArraysOn& targets,
               const std::shared_ptr<const MpiCommunicator>& comm);

/// Collective. Proves what the processes of each side have in common, and both sides with each
/// other; fills in the outlines. `memory`: arrays are more than descriptions.
void prepare(Sides& sides, const RedistributionOptions& options, bool memory,
             const Transform* transform = nullptr);

}  // namespace daptor::detail
