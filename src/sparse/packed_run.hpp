// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/global_index_map.hpp"
#include "ranks/rank_line.hpp"
#include "sparse/marked.hpp"

namespace daptor::detail {

/// The elements at the set bits of all ranks, in their order, and those of this rank among them.
///
/// Example: two ranks with 3 and 2 set bits. Rank 1 has the positions [3, 5) of 5.
struct PackedRun {
  GridPosition grid;  ///< this rank's position among the owners of the mask
  IndexRange run;     ///< positions of this rank's elements
  Index total = 0;    ///< number of set bits of all ranks

  /// Collective.
  static PackedRun of(const RankLine& line, Index marked, const Comm& comm);
};

/// Where the elements of the packed array are. O(P) bounds if it has irregular blocks, as in every
/// GlobalIndexMap.
class PackedPlace {
 public:
  /// Of an array of one dimension that the call has proven; collective if its blocks are uneven.
  PackedPlace(Section packed, std::shared_ptr<const Proven> proof, Call& call);

  /// Collective. Copies the marked elements of this rank to positions `run.run` of the packed
  /// array, which is open for writing. Throws before any element has been written.
  void deliver(const MarkedCopy& marked, const PackedRun& run, Call& call) const;
  /// Collective. The opposite direction; the packed array is open for reading.
  void fetch(const MarkedCopy& marked, const PackedRun& run, Call& call) const;

 private:
  struct Front;
  bool in_blocks() const { return map_.has_value(); }
  Front front(Index total) const;
  void deliver_by_redistribution(const MarkedCopy& marked, const PackedRun& run, Call& call) const;
  void fetch_by_redistribution(const MarkedCopy& marked, const PackedRun& run, Call& call) const;

  Section packed_;
  Comm comm_;
  std::optional<GlobalIndexMap> map_;  ///< of an array in blocks
};

}  // namespace daptor::detail
