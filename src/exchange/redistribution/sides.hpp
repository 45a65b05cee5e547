// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/call.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/redistribution/outline.hpp"

namespace daptor::detail {

/// One side of a redistribution on this process: the arrays of the batch and the communicator on
/// which they are described. Both are empty if the process takes no part in it.
struct Side {
  std::vector<DistArray> arrays;
  std::optional<Comm> comm;
  Outline outline = {};
  std::shared_ptr<const Proven> proof = nullptr;  ///< of the arrays' layout

  bool takes_part() const { return comm.has_value(); }
  /// The first array, whose layout all of them have.
  const DistArray& array() const { return arrays.front(); }
  /// Total size in bytes of the local sections.
  std::int64_t bytes() const;
};

/// Both sides, and the communicator that contains them.
struct Sides {
  Side source, target;
  Comm comm;

  /// Whether all three communicators are one.
  bool one_comm() const { return source.comm == comm && target.comm == comm; }
  Sides turned() const { return {target, source, comm}; }
};

/// Process-local. Converts ranks of one communicator to ranks of another; MPI_UNDEFINED for a
/// process that is not in it.
std::vector<int> translated(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to);

/// The arrays that a caller passes for one side, where the caller keeps them.
struct ArrayList {
  const DistArray* first = nullptr;
  std::size_t count = 0;

  ArrayList(const DistArray& array) : first(&array), count(1) {}
  ArrayList(const std::vector<DistArray>& arrays) : first(arrays.data()), count(arrays.size()) {}
};

/// Process-local. The communicator of a call with arrays of one communicator.
Comm comm_of(const ArrayList& sources, const ArrayList& targets);

/// Collective. Proves that the processes of each side agree with each other and that the two sides
/// fit each other. `memory` says whether the arrays have memory or are mere descriptions.
Sides prepared_sides(const ArrayList& sources, const ArrayList& targets, Call& call,
                     const RedistributionOptions& options, bool memory,
                     const Transform* transform = nullptr);
/// The same for sides that need not be on the processes of the call.
Sides sides_across(const ArrayList& sources, const ArrayList& targets, Call& call,
                   const RedistributionOptions& options, bool memory,
                   const Transform* transform = nullptr);

}  // namespace daptor::detail
