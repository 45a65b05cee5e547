#pragma once

#include <memory>
#include <vector>

#include "daptor/redistribute.hpp"
#include "redistribution/party.hpp"

namespace daptor::detail {

/// One side of a redistribution on this process, with all arrays of the batch.
struct Side {
  std::vector<DistArray> arrays;
  std::shared_ptr<const MpiCommunicator> comm;  // null: no part in it
  Outline outline;

  Party party() const { return {arrays.empty() ? nullptr : &arrays.front(), comm}; }
  /// Of the local sections.
  std::int64_t bytes() const;
};

struct Sides {
  Side source, target;
  std::shared_ptr<const MpiCommunicator> comm;

  Parties parties() const { return {source.party(), target.party(), comm}; }
  Sides turned() const { return {target, source, comm}; }
};

/// Both on `comm`. Throws InvalidArgument where it is null.
Sides sides_on(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
               std::shared_ptr<const MpiCommunicator> comm);
/// Collective over `comm`.
Sides sides_on(const ArraysOn& sources, const ArraysOn& targets, MPI_Comm comm);

/// Collective. Proves what the processes of each side have in common, and both sides with each
/// other; fills in the outlines. `memory`: arrays are more than descriptions.
void prepare(Sides& sides, const RedistributionOptions& options, bool memory);

}  // namespace daptor::detail
