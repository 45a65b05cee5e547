// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/index_list.hpp"
#include "daptor/types.hpp"

namespace daptor {

/// Which elements of a list (`Unstructured`) its process owns, by their positions in the list,
/// which are local indices. The others are ghosts. Owned elements are counted in the order of the
/// list: number 0 is the owned element at the lowest position.
///
/// A cheap value: copies share the positions. It does not know the length of the list;
/// `check_dimension` says which positions are not in it.
///
/// Example: a process lists [7, 3, 4, 5] and owns 3 and 4. That is `OwnedPart::at({1, 2})`, or
/// `OwnedPart::where({false, true, true, false})`.
class OwnedPart {
 public:
  /// Not explicit, since most lists begin with what is owned.
  /// @param count  number of owned elements, at the front of the list
  OwnedPart(Index count) : run_{0, count}, count_(count) {}
  /// @param positions  consecutive ones
  static OwnedPart run(IndexRange positions);
  /// @param positions  of all owned elements, in any order; referred to if they increase and are
  ///                   not consecutive. A defect of the list is one of the dimension
  static OwnedPart at(IndexList positions);
  static OwnedPart at(IndexVector positions) { return at(IndexList(std::move(positions))); }
  /// @param mask  for each element of the list, whether it is owned
  static OwnedPart where(const std::vector<bool>& mask);

  /// Number of owned elements.
  Index count() const { return count_; }
  /// Whether ghosts lie between owned elements.
  bool apart() const { return apart_; }
  /// Position of the first owned element; 0 if there is none.
  Index first() const { return apart_ ? positions_[0] : run_.start; }
  /// Position of an owned element.
  /// @param number  in [0, count())
  Index position(Index number) const { return apart_ ? positions_[number] : run_.start + number; }
  /// Which owned element is at a position. Takes O(log count()).
  /// @returns its number; `nullopt` for a ghost
  std::optional<Index> number_at(Index position) const;
  bool contains(Index position) const { return number_at(position).has_value(); }
  /// All positions, in increasing order. Makes a list of 8 bytes a position unless they are apart.
  IndexList positions() const;
  /// The positions of the elements of a list that are not owned, in increasing order.
  /// @param extent  length of the list
  std::vector<Index> ghosts(Index extent) const;
  /// A position that is given twice, or is not in [0, extent).
  std::optional<Index> wrong_position(Index extent) const;

  /// Visits the positions as runs of consecutive ones, in increasing order.
  /// @param visit  called with an IndexRange that is not empty
  template <class F>
  void for_each_run(F&& visit) const {
    if (!apart_) {
      if (count_ > 0) visit(run_);
      return;
    }
    for (Index i = 0; i < count_;) {
      Index stop = i + 1;
      while (stop < count_ && positions_[stop] == positions_[stop - 1] + 1) ++stop;
      visit(IndexRange{positions_[i], positions_[stop - 1] + 1});
      i = stop;
    }
  }

  /// What is wrong with the list of positions.
  const Defect& defect() const { return positions_.defect(); }

  friend bool operator==(const OwnedPart& a, const OwnedPart& b) {
    return a.apart_ == b.apart_ && a.count_ == b.count_ && (a.count_ == 0 || a.run_ == b.run_) &&
           a.positions_ == b.positions_;
  }
  friend bool operator!=(const OwnedPart& a, const OwnedPart& b) { return !(a == b); }

 private:
  IndexRange run_;  // unless they are apart
  Index count_;
  bool apart_ = false;
  IndexList positions_;  // increasing; if they are apart
};

}  // namespace daptor
