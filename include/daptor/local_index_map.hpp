// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"
#include "daptor/section.hpp"

namespace daptor {

/// Consecutive owned global indices that are consecutive in the local section too.
struct IndexRun {
  Index local_start = 0;   ///< local index of the first one, communication padding counted
  Index global_start = 0;  ///< global index of the first one
  Index count = 0;         ///< number of indices
};

/// Maps between local and global indices along one dimension, from one process's description alone.
/// No communication. Every query takes O(1), except `local_of` of an unstructured dimension, which
/// takes O(log n) after a first call that sorts a copy of the list.
///
/// Local indices count the section, communication padding included: [0, local_extent()). The owned
/// ones are `owned_part()`: [owned_offset(), owned_offset() + owned_count()), unless ghosts of a
/// list lie between them.
///
/// Example: 18 elements on two processes with padding (1, 1). On process 0, local index 9 is global
/// index 9, a copy of an element that process 1 owns; on process 1, local index 0 is global index
/// 8.
class LocalDimensionMap {
 public:
  /// @param dimension  this process's part of the dimension; the list of an unstructured one is
  ///                   shared
  /// @throws Malformed if the dimension breaks a local clause
  explicit LocalDimensionMap(Dimension dimension);

  const Dimension& dimension() const { return dimension_; }
  Index global_size() const { return dimension_.global_size(); }
  Index owned_count() const { return owned_count_; }
  Index local_extent() const { return local_extent_; }
  /// Local index of the first owned index: the width of the lower communication padding.
  Index owned_offset() const { return owned_offset_; }
  /// The local indices that are owned.
  const OwnedPart& owned_part() const { return owned_; }

  /// The global index at a local index. In padding it is the index that the owner has for the
  /// element (a periodic dimension wraps around).
  /// @param local  in [0, local_extent()), communication padding counted
  /// @throws InvalidArgument for other values; Malformed (P14) in padding that reaches past the end
  ///   of a dimension that is not periodic
  Index global_of(Index local) const;
  /// The local index of a global index that this process owns. If a list does not say which indices
  /// are owned, all of them count as owned.
  /// @param global  any number
  /// @returns a local index, communication padding counted; `nullopt` if this process does not own
  ///   the global index
  std::optional<Index> local_of(Index global) const;
  /// Whether this process owns a global index.
  bool owns(Index global) const { return local_of(global).has_value(); }
  /// Whether a local index is an owned one; false for communication padding.
  bool is_owned(Index local) const { return owned_.contains(local); }

  /// Visits the owned indices as runs, in local order: one run for a block, one run per block for a
  /// cyclic dimension, one run per stretch of consecutive indices for an unstructured one.
  /// @param visit  called with each IndexRun; not called if the process owns no index
  template <class F>
  void for_each_run(F&& visit) const;
  /// The number of runs: O(1), except O(n) for an unstructured dimension.
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
  OwnedPart owned_ = 0;
  std::shared_ptr<SortedIndices> sorted_;  // unstructured only; filled by the first local_of
};

/// Maps between local and global indices of a whole array: a LocalDimensionMap for each dimension,
/// and the natural numbering (row-major global index in the logical array). No communication.
///
/// Example: a 2 x 10 array on two processes, divided over dimension 0. On process 1, the local
/// multi-index (0, 3) is the global multi-index (1, 3), whose natural number is 13.
class LocalIndexMap {
 public:
  /// @param dimensions  those of this process's section, one for each dimension of the array
  /// @throws Malformed if a dimension breaks a local clause, or (rule T10) if the number of
  ///   elements of the section does not fit in 64 bits
  explicit LocalIndexMap(const std::vector<Dimension>& dimensions);
  explicit LocalIndexMap(const Section& array) : LocalIndexMap(array.dimensions()) {}

  int ndim() const { return static_cast<int>(maps_.size()); }
  /// The map along dimension `d`, in [0, ndim()). Throws std::out_of_range for other values.
  const LocalDimensionMap& dimension(int d) const { return maps_.at(static_cast<std::size_t>(d)); }
  /// Number of elements that this process owns.
  Index owned_count() const { return owned_count_; }
  /// Number of elements of the section, communication padding included.
  Index local_count() const { return local_count_; }
  /// Number of elements of the logical array: the product of the sizes.
  /// @throws Malformed (rule D09) if it does not fit in 64 bits
  Index global_count() const;

  /// Global indices of an element of the section.
  /// @param local  its local indices, one for each dimension, communication padding counted
  /// @throws InvalidArgument for a wrong number of indices; otherwise like
  ///   `LocalDimensionMap::global_of`
  std::vector<Index> global_of(const std::vector<Index>& local) const;
  /// Local indices of an owned element, communication padding counted.
  /// @param global  its global indices, one for each dimension
  /// @returns `nullopt` if this process does not own the element
  /// @throws InvalidArgument for a wrong number of indices
  std::optional<std::vector<Index>> local_of(const std::vector<Index>& global) const;

  /// Row-major number of an element in the logical array.
  /// @param global  its global indices, one for each dimension
  /// @returns a number in [0, global_count()). An unstructured dimension 0 may have any indices
  ///   (U05), so its numbers may be below 0 or past the end
  /// @throws InvalidArgument if an index is outside its dimension, and for a wrong number of
  ///   indices; Malformed (D09) if the number does not fit in 64 bits
  Index natural_of(const std::vector<Index>& global) const;
  /// The inverse: global indices of the element that has this number, one for each dimension.
  /// @throws InvalidArgument outside [0, global_count()), unless dimension 0 is unstructured;
  ///   Malformed (D09) if the number of elements does not fit in 64 bits
  std::vector<Index> global_of_natural(Index natural) const;

  /// Natural numbers of the owned elements (8 bytes per element). Errors are those of `natural_of`.
  /// @param order  the order in which the owned elements are listed, whatever their memory order
  std::vector<Index> owned_natural(Order order = Order::c) const;
  /// Natural numbers of all elements of the section, communication padding included. Errors are
  /// those of `global_of` and `natural_of`.
  /// @param order  the order in which the elements are listed, whatever their memory order
  std::vector<Index> local_natural(Order order = Order::c) const;

 private:
  Index natural_term(std::size_t d, Index global) const;
  std::vector<Index> natural_terms(std::size_t d, bool padding) const;
  std::vector<Index> naturals(bool padding, Order order) const;
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
    owned_.for_each_run([&](IndexRange owned) {
      for (Index i = owned.start; i < owned.stop;) {
        Index stop = i + 1;
        while (stop < owned.stop && indices[stop] > indices[stop - 1] &&
               indices[stop] - 1 == indices[stop - 1])
          ++stop;
        visit(IndexRun{i, indices[i], stop - i});
        i = stop;
      }
    });
  } else {
    const Index count = run_count();
    for (Index i = 0; i < count; ++i) visit(run(i));
  }
}

}  // namespace daptor
