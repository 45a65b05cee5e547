// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/dimension.hpp"

namespace daptor::detail {

/// A distributed directory of which process has which index of an unstructured dimension: the entry
/// of an index is stored on the rank given by a hash of the index.
class IndexDirectory {
 public:
  /// `indices` are the indices that this process, with grid rank `grid_rank`, enters in the
  /// directory; the list is empty if another process enters them. Process-local.
  IndexDirectory(IndexList indices, Index grid_rank)
      : indices_(std::move(indices)), grid_rank_(grid_rank) {}

  /// Collective. Returns for each index the owner with the lowest grid rank. The first call builds
  /// the directory.
  std::vector<std::optional<OwnerAlong>> find(Call& call, const std::vector<Index>& globals);

  /// Collective. Whether each index was entered exactly once. Builds the directory like `find`.
  bool one_to_one(Call& call);

  /// The rank in [0, ranks) that stores the entry of an index.
  static int keeper(Index global, int ranks);

 private:
  struct Entry {
    Index global;
    OwnerAlong owner;
  };
  void build(Call& call);
  std::vector<Entry> joined(const std::vector<Message>& messages);

  IndexList indices_;
  Index grid_rank_;
  bool built_ = false;
  bool unique_ = true;          // whether no entries that came here had an index twice
  std::vector<Entry> entries_;  // sorted by index, without duplicates
};

}  // namespace daptor::detail
