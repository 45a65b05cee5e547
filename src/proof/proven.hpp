// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/detail/small_array.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// What one process says about its own part in the survey that opens a walk.
struct PartSummary {
  std::int64_t row_major = 1;  ///< 0 or 1: its grid coordinates have the number of its rank
  std::int64_t spread = 2;     ///< 0: uneven, 1: even with padding, 2: even without padding
  std::int64_t hash = 0;       ///< a hash of the properties that must be the same on all ranks
};

/// For each dimension, the start of every process's block, followed by the size. Null for
/// dimensions whose blocks are even, and for other distributions.
using Bounds = std::vector<std::shared_ptr<std::vector<Index>>>;

/// What a walk over the ranks has found out about an array on one communicator, besides the fact
/// that its sections form one array. O(ndim) numbers.
///
/// The proof is kept beside the description (copies of a `Section` share it), so that later calls
/// with the same array and communicator can skip the walk. All ranks decide this together in the
/// all-reduce that opens every call: each rank contributes the serial number of the proof that it
/// has kept, or 0, and the array counts as proven only if all ranks contribute the same number. If
/// one rank has lost its proof or passes another array, all of them walk.
struct Proven {
  struct Along {
    int below = 0, above = 0;  ///< ranks next to this one; the dimension wraps around
    bool even = true;          ///< all ranks have even blocks
    Index origin = 0;          ///< grid rank that owns the first block of a cyclic dimension
  };

  bool row_major = true;  ///< ranks sit on the grid in row-major order
  int rank_here = 0;      ///< rank at the grid coordinates whose row-major number is this rank
  SmallArray<Along, 4> along;
  PartSummary part;  ///< what this process said in the survey
  /// O(P) numbers, kept once a call has gathered them (`bounds_of`). All ranks gather in the same
  /// calls, so all have them or none.
  mutable std::shared_ptr<const Bounds> bounds;
  /// For each dimension the positions that count once among the ranks
  /// (`adapter::CountedPositions`); kept once a reduction has found them.
  mutable std::shared_ptr<const std::vector<std::optional<std::vector<Index>>>> counted;

  std::uint64_t communicator_number = 0;  ///< that of `detail::OpenCall`
  std::int64_t serial = 0;                ///< the same on all ranks; see `last_serial`
};

/// The number of the last proof in which this process took part. The ranks of a walk take the
/// highest of their numbers and add 1, so that two proofs with a process in common never have the
/// same number.
std::int64_t last_serial() noexcept;
/// Records that this process took part in the proof with this number.
void note_serial(std::int64_t serial) noexcept;

/// Access to the proof that is kept beside the description of an array. Process-local, from any
/// thread.
struct ProofAccess {
  /// The proof for this communicator, or null.
  static std::shared_ptr<const Proven> kept(const Section& array, const Comm& comm);
  /// Replaces the proof that was kept before.
  static void keep(const Section& array, std::shared_ptr<const Proven> proven) noexcept;
  /// Gives the proof of `array` to `claim`, which has the same sections and states more about them.
  static void hand_on(const Section& array, const Section& claim) noexcept;
};

}  // namespace daptor::detail
