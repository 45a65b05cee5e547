// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/defect.hpp"
#include "daptor/index_vector.hpp"
#include "daptor/types.hpp"

namespace daptor {

/// The global indices of an unstructured section, in local order. A cheap value: copies share the
/// list.
class IndexList {
 public:
  IndexList() = default;
  /// Takes over a std::vector<Index>; copies a list of other integers.
  explicit IndexList(IndexVector indices);
  /// Refers to indices without copying them. A negative count, or a null pointer with a positive
  /// count, is a defect, and the list is then empty.
  /// @param owner    keeps the indices alive and unchanged; if it is null, the caller does
  /// @param indices  address of the first index; may be null if there are none
  /// @param count    number of indices
  IndexList(std::shared_ptr<const void> owner, const Index* indices, Index count);

  Index size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Index* data() const { return data_; }
  const Index* begin() const { return data_; }
  const Index* end() const { return data_ + count_; }
  Index operator[](Index i) const { return data_[i]; }
  /// The indices at some positions, each in [0, size()).
  std::vector<Index> at(const std::vector<Index>& positions) const;
  /// What is wrong with the list; a dimension made from it has the same defect.
  const Defect& defect() const { return defect_; }

  friend bool operator==(const IndexList& a, const IndexList& b);
  friend bool operator!=(const IndexList& a, const IndexList& b) { return !(a == b); }

 private:
  std::shared_ptr<const void> owner_;
  const Index* data_ = nullptr;
  Index count_ = 0;
  Defect defect_;
};

}  // namespace daptor
