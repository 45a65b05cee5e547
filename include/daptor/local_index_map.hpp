// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"
#include "daptor/dist_array.hpp"

namespace daptor {

/// Consecutive owned global indices that are consecutive in the local section too.
struct IndexRun {
  Index local_start = 0;   ///< local index of the first, communication padding counted
  Index global_start = 0;  ///< global index of the first
  Index count = 0;         ///< how many follow each other
};

/// Local <-> global along one dimension, from one process's description alone. No communication;
/// every query is O(1), but for `local_of` of an unstructured dimension (O(log n) after a first
/// call that sorts a copy of the list).
///
/// Local indices run over the section, communication padding included: [0, local_extent()). Owned
/// ones are [owned_offset(), owned_offset() + owned_count()).
///
/// Example: 18 elements on two processes with padding (1, 1). On process 0 local index 9 is global
/// index 9, a copy of what process 1 owns; on process 1 local index 0 is global index 8.
class LocalDimensionMap {
 public:
  /// @param dimension  of this process; an unstructured one shares its list
  /// @throws Malformed where the dimension breaks a local clause
  explicit LocalDimensionMap(Dimension dimension);

  const Dimension& dimension() const { return dimension_; }
  Index global_size() const { return dimension_.global_size(); }
  Index owned_count() const { return owned_count_; }
  Index local_extent() const { return local_extent_; }
  /// Local index of the first owned one: the lower communication padding.
  Index owned_offset() const { return owned_offset_; }

  /// Global index at a local one; padding gives the index that its owner knows it by (wrapped
  /// around a periodic dimension).
  /// @param local  in [0, local_extent()), communication padding counted
  /// @throws InvalidArgument outside of it; Malformed (P14) in padding that reaches past the end of
  ///   a dimension that is not periodic
  Index global_of(Index local) const;
  /// Local index of a global index that this process owns. In a list whose owned indices are
  /// unknown, all indices count as owned.
  /// @param global  any number
  /// @returns a local index, communication padding counted; `nullopt` if this process does not own
  ///   the global one
  std::optional<Index> local_of(Index global) const;
  /// Whether this process owns a global index.
  bool owns(Index global) const { return local_of(global).has_value(); }
  /// Whether a local index lies among the owned ones; false for communication padding.
  bool is_owned(Index local) const {
    return owned_offset_ <= local && local < owned_offset_ + owned_count_;
  }

  /// The owned indices as runs, in local order: one for a block, one a block for cyclic, one for
  /// each stretch of consecutive indices for unstructured.
  /// @param visit  called with each IndexRun; none where the process owns no index
  template <class F>
  void for_each_run(F&& visit) const;
  /// How many runs there are: O(1), but for an unstructured dimension O(n).
  Index run_count() const;
  /// The i-th run of a block, cyclic or undistributed dimension, O(1).
  /// @throws InvalidArgument outside [0, run_count()), and for an unstructured dimension
  IndexRun run(Index i) const;

 private:
  struct SortedIndices;
  Index padded_global(Index start, Index local) const;
  Index cyclic_global(const Cyclic& cyclic, Index local) const;

  Dimension dimension_;
  Index owned_count_ = 0;
  Index local_extent_ = 0;
  Index owned_offset_ = 0;
  std::shared_ptr<SortedIndices> sorted_;  // unstructured only; filled at the first local_of
};

/// Local <-> global for a whole array: a LocalDimensionMap for each dimension, and the natural
/// numbering (row-major global index of the logical array). No communication.
///
/// Example, two processes, a 2 x 10 array divided over dimension 0: on process 1 the local
/// multi-index (0, 3) is the global (1, 3), whose natural number is 13.
class LocalIndexMap {
 public:
  /// @param dimensions  of this process's section, one for each dimension of the array
  /// @throws Malformed where a dimension breaks a local clause, or (rule T10) where 64 bits do not
  ///   hold the number of elements of the section
  explicit LocalIndexMap(const std::vector<Dimension>& dimensions);
  explicit LocalIndexMap(const DistArray& array) : LocalIndexMap(array.dimensions()) {}

  int ndim() const { return static_cast<int>(maps_.size()); }
  /// The map along dimension `d`, in [0, ndim()). Throws std::out_of_range outside of it.
  const LocalDimensionMap& dimension(int d) const { return maps_.at(static_cast<std::size_t>(d)); }
  /// Elements owned by this process.
  Index owned_count() const { return owned_count_; }
  /// Elements of the section, communication padding included.
  Index local_count() const { return local_count_; }
  /// Elements of the logical array: the product of the sizes.
  /// @throws Malformed (rule D09) where 64 bits do not hold it
  Index global_count() const;

  /// Global indices of an element of the section.
  /// @param local  its local indices, one for each dimension, communication padding counted
  /// @throws InvalidArgument for another number of indices, and as `LocalDimensionMap::global_of`
  std::vector<Index> global_of(const std::vector<Index>& local) const;
  /// Local indices of an owned element, communication padding counted.
  /// @param global  its global indices, one for each dimension
  /// @returns `nullopt` if this process does not own the element
  /// @throws InvalidArgument for another number of indices
  std::optional<std::vector<Index>> local_of(const std::vector<Index>& global) const;

  /// Row-major number of an element in the logical array.
  /// @param global  its global indices, one for each dimension
  /// @returns a number in [0, global_count()). An unstructured dimension 0 may have any indices
  ///   (U05): its numbers go on below 0 and past the end
  /// @throws InvalidArgument where an index is outside its dimension, and for another number of
  ///   indices; Malformed (D09) where 64 bits do not hold the number
  Index natural_of(const std::vector<Index>& global) const;
  /// The way back: global indices of the element that has this number, one for each dimension.
  /// @throws InvalidArgument outside [0, global_count()), unless dimension 0 is unstructured;
  ///   Malformed (D09) where 64 bits do not hold the number of elements
  std::vector<Index> global_of_natural(Index natural) const;

  /// Natural numbers of the owned elements (8 bytes an element). Errors as `natural_of`.
  /// @param order  the order in which the owned part is gone through, whatever its memory has
  std::vector<Index> owned_natural(Order order = Order::c) const;
  /// Natural numbers of all elements of the section, communication padding included. Errors as
  /// `global_of` and `natural_of`.
  /// @param order  the order in which the section is gone through, whatever its memory has
  std::vector<Index> local_natural(Order order = Order::c) const;

 private:
  Index natural_term(std::size_t d, Index global) const;
  std::vector<Index> natural_terms(std::size_t d, IndexRange local) const;
  std::vector<Index> naturals(const std::vector<IndexRange>& local, Order order) const;
  void require_entries(const char* key, const std::vector<Index>& indices) const;

  std::vector<LocalDimensionMap> maps_;
  Index owned_count_ = 1;
  Index local_count_ = 1;
  std::optional<Index> global_count_;
  std::vector<Index> natural_strides_;  // empty where 64 bits do not hold global_count_
};

template <class F>
void LocalDimensionMap::for_each_run(F&& visit) const {
  if (const auto* list = dimension_.as<Unstructured>()) {
    const IndexList& indices = list->indices;
    for (Index i = 0; i < owned_count_;) {
      Index stop = i + 1;
      while (stop < owned_count_ && indices[stop] > indices[stop - 1] &&
             indices[stop] - 1 == indices[stop - 1])
        ++stop;
      visit(IndexRun{i, indices[i], stop - i});
      i = stop;
    }
  } else {
    const Index count = run_count();
    for (Index i = 0; i < count; ++i) visit(run(i));
  }
}

}  // namespace daptor
