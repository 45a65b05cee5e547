// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace daptor::detail {

/// An array whose length is set once; up to `few` values need no allocation.
template <class T, std::size_t few>
class SmallArray {
 public:
  /// May throw std::bad_alloc. The values are not initialized.
  void resize(std::size_t count) {
    if (count > few) many_.resize(count);
    size_ = count;
  }

  T* data() { return many_.empty() ? few_.data() : many_.data(); }
  const T* data() const { return many_.empty() ? few_.data() : many_.data(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  std::size_t size_ = 0;
  std::array<T, few> few_;
  std::vector<T> many_;
};

}  // namespace daptor::detail
