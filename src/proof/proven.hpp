// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// What a walk over the ranks has found out about an array on one communicator, besides that its
/// sections make one array. O(ndim) numbers.
///
/// It is kept beside the description (`DistArray` shares it among its copies), and later calls with
/// the same array and communicator need not walk again. Whether they need to is the same on all
/// ranks, because it is decided in the all-reduce that opens every call: each rank brings the
/// serial number of the proof that it has kept, or 0, and only where all bring one and the same
/// number is the array proven. One rank that has lost its proof, or brings another array, makes all
/// of them walk.
struct Proven {
  struct Along {
    int below = 0, above = 0;  ///< rank next to this one, around the end of the dimension
    bool even = true;          ///< blocks are even on all ranks
    Index origin = 0;          ///< grid rank that owns the first block of a cyclic dimension
  };

  bool row_major = true;  ///< ranks sit on the grid in row-major order
  int rank_here = 0;      ///< rank at the coordinates whose row-major number is this rank
  std::vector<Along> along;

  std::uint64_t place = 0;  ///< `detail::OpenCall::place` of the communicator
  std::int64_t serial = 0;  ///< the same on all ranks; see `last_serial`
};

/// The number of the last proof that this process has taken part in. The ranks of a walk take the
/// highest one among them and add 1, so that two proofs with a process in common never have the
/// same number.
std::int64_t last_serial() noexcept;
/// This process has taken part in the proof of that number.
void note_serial(std::int64_t serial) noexcept;

/// The proof that is kept beside an array's description. Process-local, from any thread.
struct ProofAccess {
  /// Null where there is none for that communicator.
  static std::shared_ptr<const Proven> kept(const DistArray& array, const Comm& comm);
  /// In place of the one that was kept before.
  static void keep(const DistArray& array, std::shared_ptr<const Proven> proven) noexcept;
  /// `claim` has the sections of `array`, and says more about them.
  static void hand_on(const DistArray& array, const DistArray& claim) noexcept;
};

}  // namespace daptor::detail
