// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/redistribute.hpp"
#include "exchange/redistribution/party.hpp"

namespace daptor::detail {

/// One side of a redistribution on this process, with all arrays of the batch.
struct Side {
  std::vector<DistArray> arrays;
  std::shared_ptr<const Communicator> comm;  // null: no part in it
  MPI_Comm mpi = MPI_COMM_NULL;
  Outline outline = {};

  Party party() const { return {arrays.empty() ? nullptr : &arrays.front(), comm, mpi}; }
  /// Of the local sections.
  std::int64_t bytes() const;
};

struct Sides {
  Side source, target;
  std::shared_ptr<const Communicator> comm;
  MPI_Comm mpi = MPI_COMM_NULL;

  Parties parties() const { return {source.party(), target.party(), comm, mpi}; }
  Sides turned() const { return {target, source, comm, mpi}; }
};

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
