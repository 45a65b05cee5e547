// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/global_index_map.hpp"

namespace daptor::detail {

/// The part of the list that this process owns: all of it where that is not said. Keeps the list's
/// memory alive.
IndexList owned_indices(const Unstructured& list);

/// Who has which index of an unstructured dimension, spread over all ranks: what is known about an
/// index lies on the rank that a hash of it names.
class IndexDirectory {
 public:
  /// `indices` are those that this process makes known, as the process `grid_rank`; empty where
  /// another one speaks for it. Process-local.
  IndexDirectory(IndexList indices, Index grid_rank)
      : indices_(std::move(indices)), grid_rank_(grid_rank) {}

  /// Collective. The owner with the lowest grid rank of each index. The first call makes the
  /// directory.
  std::vector<std::optional<OwnerAlong>> find(const Comm& comm, const std::vector<Index>& globals);

  /// Collective. Each index is known once. Makes the directory as `find`.
  bool one_to_one(const Comm& comm);

  /// The rank of `ranks` that keeps what is known about an index.
  static int keeper(Index global, int ranks);

 private:
  struct Entry {
    Index global;
    OwnerAlong owner;
  };
  void build(const Comm& comm);

  IndexList indices_;
  Index grid_rank_;
  bool built_ = false;
  bool unique_ = true;          // those that are kept here
  std::vector<Entry> entries_;  // in order of the index, each once
};

}  // namespace daptor::detail
