// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace daptor::detail {

/// An array of which up to `few` values need no allocation.
template <class T, std::size_t few>
class SmallArray {
 public:
  /// New values are not initialized. May throw std::bad_alloc.
  void resize(std::size_t count) {
    if (count > few && many_.size() < count) grow(count);
    size_ = count;
  }
  /// May throw std::bad_alloc.
  void push_back(const T& value) {
    resize(size_ + 1);
    data()[size_ - 1] = value;
  }

  T* data() { return many_.empty() ? few_.data() : many_.data(); }
  const T* data() const { return many_.empty() ? few_.data() : many_.data(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  [[gnu::noinline]] void grow(std::size_t count) {
    const bool first = many_.empty();
    many_.resize(std::max(count, 2 * few));
    if (first) std::copy_n(few_.begin(), size_, many_.begin());
  }

  std::size_t size_ = 0;
  std::array<T, few> few_;
  std::vector<T> many_;
};

}  // namespace daptor::detail
