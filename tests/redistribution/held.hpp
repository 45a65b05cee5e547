// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One rank's section of a layout whose elements are dealt by counting, in memory surrounded by
// canaries.

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <optional>
#include <vector>

#include <daptor/daptor.hpp>

#include "../core/layouts.hpp"

namespace daptor::test {

/// How a section is placed in memory.
struct Placement {
  Order order = Order::c;
  /// Distance from one element to the next along the fastest dimension, in elements.
  Index spacing = 1;
  /// Whether every dimension runs from the highest address to the lowest.
  bool backwards = false;
  /// Whether the memory is of `allocate`. With DAPTOR_TEST_ALLOCATED in the environment, that of
  /// two in three arrays is.
  bool allocated = false;
};

inline bool test_allocates() {
  static const bool some = std::getenv("DAPTOR_TEST_ALLOCATED") != nullptr;
  static int number = 0;
  return some && number++ % 3 != 0;
}

template <class T>
T canary() {
  return static_cast<T>(-77);
}

template <class T>
class Held {
 public:
  Held(const Layout& layout, const Comm& comm, Placement placement = {})
      : layout_(layout), rank_(comm.rank()) {
    const auto dimensions = layout.dimensions(rank_);
    std::vector<Index> shape;
    for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
    auto strides = contiguous_strides(shape, sizeof(T), placement.order);
    const Index count = daptor::local_count(dimensions) * placement.spacing;
    for (std::size_t d = 0; d < strides.size(); ++d) {
      strides[d] *= placement.spacing * (placement.backwards ? -1 : 1);
      if (placement.backwards && count > 0)
        first_ -= (shape[d] - 1) * strides[d] / static_cast<Index>(sizeof(T));
    }
    const Index all = count + 2 * around;
    if (placement.allocated || test_allocates()) {
      allocated_ = allocate<T>({undistributed(all)});
      memory_ = {static_cast<T*>(allocated_->mutable_data()), all};
    } else {
      own_.resize(static_cast<std::size_t>(all));
      memory_ = {own_.data(), all};
    }
    forget();
    array_ = describe(memory_.data() + first_, dimensions, strides).on(comm);
  }

  Held(Held&&) noexcept = default;
  Held& operator=(Held&&) noexcept = default;

  const DistArray& array() const { return array_; }
  /// Visits owned elements with their row-major global numbers, as they were dealt.
  template <class F>
  void for_each(F&& visit) {
    const auto at = layout_.coordinates(rank_);
    std::vector<const std::vector<Index>*> owned;
    for (std::size_t d = 0; d < layout_.axes.size(); ++d)
      owned.push_back(&layout_.axes[d].owned[static_cast<std::size_t>(at[d])]);
    descend(owned, 0, 0, first_, visit);
  }
  /// Sets each to `value(number)`.
  template <class F>
  void fill(const F& value) {
    for_each([&](T& element, Index number) { element = value(number); });
  }
  void number() {
    fill([](Index number) { return static_cast<T>(number); });
  }
  /// How many have another value.
  template <class F>
  int wrong(const F& value) {
    int count = 0;
    for_each([&](T& element, Index number) { count += element == value(number) ? 0 : 1; });
    return count;
  }
  int wrong() {
    return wrong([](Index number) { return static_cast<T>(number); });
  }
  /// The same for the whole section: padding has the numbers of its owners.
  int wrong_with_padding() {
    const LocalIndexMap map(array_);
    const auto numbers = map.local_natural(Order::c);
    const std::vector<Index>& shape = array_.local_shape();
    int count = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Index offset = first_, rest = static_cast<Index>(i);
      for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d])
        offset += rest % shape[d] * stride(d);
      count += memory_[static_cast<std::size_t>(offset)] == static_cast<T>(numbers[i]) ? 0 : 1;
    }
    return count;
  }
  /// Whether everything that is not owned is unchanged; with `padding`, everything outside the
  /// section.
  bool rest_untouched(bool padding = false) {
    const std::vector<T> before(memory_.begin(), memory_.end());
    fill([](Index) { return canary<T>(); });
    if (padding) std::fill(memory_.begin() + around, memory_.end() - around, canary<T>());
    const bool untouched =
        std::all_of(memory_.begin(), memory_.end(), [](T e) { return e == canary<T>(); });
    std::copy(before.begin(), before.end(), memory_.begin());
    return untouched;
  }
  void forget() { std::fill(memory_.begin(), memory_.end(), canary<T>()); }

 private:
  static constexpr std::ptrdiff_t around = 8;
  struct Memory {
    T* first = nullptr;
    Index size = 0;
    T* data() const { return first; }
    T* begin() const { return first; }
    T* end() const { return first + size; }
    T& operator[](std::size_t i) const { return first[i]; }
  };

  Index stride(std::size_t d) const {
    return array_.byte_strides()[d] / static_cast<Index>(sizeof(T));
  }
  template <class F>
  void descend(const std::vector<const std::vector<Index>*>& owned, std::size_t d, Index number,
               Index offset, F& visit) {
    if (d == owned.size()) return visit(memory_[static_cast<std::size_t>(offset)], number);
    const OwnedPart part = array_.dimensions()[d].owned_part();
    for (std::size_t i = 0; i < owned[d]->size(); ++i)
      descend(owned, d + 1, number * layout_.axes[d].size + (*owned[d])[i],
              offset + part.position(static_cast<Index>(i)) * stride(d), visit);
  }

  Layout layout_;
  int rank_;
  Index first_ = around;  // the array's first element in the memory
  std::vector<T> own_;
  std::optional<Section> allocated_;
  Memory memory_;
  DistArray array_;
};

/// Every way to divide that many indices among that many processes.
inline std::vector<Axis> every_axis(Index size, Index processes) {
  std::vector<Axis> all{
      even_axis(size, processes), cyclic_axis(size, processes, 1),
      cyclic_axis(size, processes, 3, processes - 1), shuffled_axis(size, processes, 3),
      size % 4 == 3 ? mixed_axis(size, processes, 5) : ghosted_axis(size, processes, 5)};
  std::vector<Index> lengths(static_cast<std::size_t>(processes), 0);
  for (Index left = size, p = 0; left > 0; ++p) {
    const Index length = std::min(left, 1 + (p * 5) % 4);
    lengths[static_cast<std::size_t>(p % processes)] += length;
    left -= length;
  }
  all.push_back(block_axis(lengths));
  all.push_back(even_axis(size, processes, BlockPadding({2, 1}, {1, 1})));
  all.push_back(even_axis(size, processes, BlockPadding({1, 2}, {}, true)));
  std::vector<Index> one(static_cast<std::size_t>(processes), 0);
  one.back() = size;
  all.push_back(block_axis(one));
  if (processes == 1) all.push_back(undistributed_axis(size));
  return all;
}

/// All ways to write `ranks` as a product of that many factors.
inline std::vector<std::vector<Index>> grids(Index ranks, int ndim) {
  if (ndim == 1) return {{ranks}};
  std::vector<std::vector<Index>> all;
  for (Index first = 1; first <= ranks; ++first) {
    if (ranks % first != 0) continue;
    for (std::vector<Index> rest : grids(ranks / first, ndim - 1)) {
      rest.insert(rest.begin(), first);
      all.push_back(std::move(rest));
    }
  }
  return all;
}

/// Ranks in reverse order on the grid.
inline std::vector<Index> reversed_seats(Index ranks) {
  std::vector<Index> seats;
  for (Index seat = ranks; seat-- > 0;) seats.push_back(seat);
  return seats;
}

}  // namespace daptor::test
