// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sections of one-dimensional arrays in memory surrounded by canaries, and the results that one
// process would compute.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>

#include "divisions.hpp"
#include "world.hpp"

namespace daptor::test {

/// How a section is placed in memory.
struct Spacing {
  Index step = 1;  ///< distance from one element to the next, in elements
  bool backwards = false;
};

/// This rank's section of a one-dimensional array.
template <class T>
class Line {
 public:
  explicit Line(Dimension dimension, Spacing spacing = {}) : dimension_(std::move(dimension)) {
    const Index extent = dimension_.local_extent();
    const auto size = static_cast<Index>(sizeof(T));
    memory_.resize(static_cast<std::size_t>(extent * spacing.step + 2 * around) * sizeof(T));
    std::memset(memory_.data(), canary, memory_.size());
    stride_ = spacing.step * size * (spacing.backwards ? -1 : 1);
    first_ = around * size + (spacing.backwards && extent > 0 ? -(extent - 1) * stride_ : 0);
    owned_.assign(memory_.size(), false);
    array_ = describe(DataType::of<T>(), memory_.data() + first_, {dimension_}, {stride_})
                 .on(MPI_COMM_WORLD);
    for_each([&](Index, std::byte* at) {
      std::fill_n(owned_.begin() + (at - memory_.data()), sizeof(T), true);
    });
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  const DistArray& array() const { return array_; }
  operator const DistArray&() const { return array_; }
  DistArray on(const Comm& comm) const { return array_.on(comm); }

  /// Visits the owned elements with their global indices.
  template <class F>
  void for_each(F&& visit) {
    LocalDimensionMap(dimension_).for_each_run([&](const IndexRun& run) {
      for (Index i = 0; i < run.count; ++i)
        visit(run.global_start + i, memory_.data() + first_ + (run.local_start + i) * stride_);
    });
  }
  /// Sets each owned element to that of one vector.
  void set(const std::vector<T>& all) {
    for_each([&](Index global, std::byte* at) {
      const T value = all[static_cast<std::size_t>(global)];
      std::memcpy(at, &value, sizeof(T));
    });
  }
  void fill(T value) { set(std::vector<T>(static_cast<std::size_t>(size()), value)); }
  Index size() const { return dimension_.global_size(); }
  /// Number of owned elements that differ from those of one vector, in any bit.
  Index wrong(const std::vector<T>& all) {
    Index count = 0;
    for_each([&](Index global, std::byte* at) {
      const T value = all[static_cast<std::size_t>(global)];
      std::array<std::byte, sizeof(T)> expected;
      std::memcpy(expected.data(), &value, sizeof(T));
      if (!std::equal(expected.begin(), expected.end(), at)) ++count;
    });
    return count;
  }
  /// Number of owned elements that are not equal to those of one vector. Some bytes of a
  /// `long double` do not belong to its value.
  Index unequal(const std::vector<T>& all) {
    Index count = 0;
    for_each([&](Index global, std::byte* at) {
      T value;
      std::memcpy(&value, at, sizeof(T));
      if (!(value == all[static_cast<std::size_t>(global)])) ++count;
    });
    return count;
  }
  /// Whether all bytes that are no owned element are as they were.
  bool rest_untouched() const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (!owned_[i] && memory_[i] != std::byte{canary}) return false;
    return true;
  }
  const std::vector<std::byte>& bytes() const { return memory_; }

 private:
  static constexpr unsigned char canary = 0xa5;
  static constexpr Index around = 3;
  Dimension dimension_;
  Index stride_ = 0, first_ = 0;
  std::vector<std::byte> memory_;
  std::vector<bool> owned_;
  DistArray array_;
};

/// Blocks of any bounds on ranks in any order; the same on all ranks.
struct Division {
  Bounds bounds;              ///< of the positions
  std::vector<int> position;  ///< of each rank

  static Division even(Index size) { return {even_bounds(size), ranks_in_order()}; }
  template <class Random>
  static Division random(Index size, Random& random) {
    Division made{random_bounds(size, random), ranks_in_order()};
    if (random() % 2 == 0) std::shuffle(made.position.begin(), made.position.end(), random);
    return made;
  }
  /// All elements at one position.
  static Division all_at(int position, Index size) {
    return {all_on(position, size), ranks_in_order()};
  }

  Dimension here(const BlockPadding& padding = {}) const {
    const int p = position[static_cast<std::size_t>(world_rank())];
    const IndexRange owned{bounds[static_cast<std::size_t>(p)],
                           bounds[static_cast<std::size_t>(p) + 1]};
    const GridPosition grid{world_size(), p};
    if (padding.communication == Padding{}) return block(bounds.back(), grid, owned);
    return block(bounds.back(), grid, owned, padding);
  }

 private:
  static std::vector<int> ranks_in_order() {
    std::vector<int> ranks(static_cast<std::size_t>(world_size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }
};

/// An even block on the ranks in their order.
inline Dimension even(Index size) {
  return block(size, {world_size(), world_rank()});
}

/// A list that deals the indices in an order of its own; every index is on one rank.
inline Dimension dealt(Index size) {
  std::vector<Index> list;
  for (Index i = size - 1; i >= 0; --i)
    if ((i * 7 + 3) % world_size() == world_rank()) list.push_back(i);
  return unstructured(size, {world_size(), world_rank()}, IndexList(std::move(list)));
}

/// The same with a ghost before each owned element, for which there is one.
inline Dimension dealt_with_ghosts(Index size) {
  std::vector<Index> owned, others, list;
  std::vector<bool> mask;
  for (Index i = size - 1; i >= 0; --i)
    ((i * 7 + 3) % world_size() == world_rank() ? owned : others).push_back(i);
  for (const Index i : owned) {
    if (!others.empty()) {
      list.push_back(others.back());
      mask.push_back(false);
      others.pop_back();
    }
    list.push_back(i);
    mask.push_back(true);
  }
  return unstructured(size, {world_size(), world_rank()}, IndexList(std::move(list)),
                      OwnedPart::where(mask));
}

/// A packed array may have any of these.
inline std::vector<Dimension> divisions_of_packed(Index size) {
  const GridPosition grid{world_size(), world_rank()};
  std::mt19937 random(3);
  return {even(size),
          Division::random(size, random).here(),
          Division::all_at(world_size() - 1, size).here(),
          Division::all_at(0, size).here(),
          cyclic(size, grid, 2),
          cyclic(size, grid, 1, world_size() - 1),
          dealt(size),
          dealt_with_ghosts(size)};
}

/// The operands of all operations: every fourth element of the mask is set, and the arrays are
/// divided evenly, except for the packed ones.
struct MaskedOperands {
  MaskedOperands(Index size, const Dimension& packed, Spacing spacing = {})
      : source(even(size), spacing),
        target(even(size), spacing),
        few(packed, spacing),
        list(dealt(size)),
        mask(even(size)) {
    std::vector<std::int32_t> bits(static_cast<std::size_t>(size), 0);
    for (std::size_t i = 0; i < bits.size(); i += 4) bits[i] = 1;
    mask.set(bits);
    refill();
  }
  void refill() {
    source.fill(1);
    target.fill(2);
    few.fill(3);
    list.fill(4);
  }
  /// All memory, canaries included.
  std::vector<std::vector<std::byte>> bytes() const {
    return {source.bytes(), target.bytes(), few.bytes(), list.bytes(), mask.bytes()};
  }

  Line<double> source, target;
  Line<double> few;   ///< room for the packed elements
  Line<double> list;  ///< the same, on a list of indices
  Line<std::int32_t> mask;
};

/// \name What one process computes
/// \{
template <class T, class F>
std::vector<T> scanned(const std::vector<T>& source, std::vector<T> destination,
                       const std::vector<int>& mask, IndexRange range, BeforeFirst before,
                       std::optional<T> exclusive, const F& combine) {
  bool started = false;
  T running{};
  for (auto i = static_cast<std::size_t>(range.start); i < static_cast<std::size_t>(range.stop);
       ++i) {
    const bool start = mask[i] != 0;
    started = started || start;
    if (!started) {
      if (before == BeforeFirst::zero) destination[i] = T{};
      continue;
    }
    const T element = source[i];
    const T preceding = exclusive && start ? *exclusive : running;
    running = start ? element : combine(running, element);
    destination[i] = exclusive ? preceding : running;
  }
  return destination;
}

template <class T>
std::vector<T> packed_by_one(const std::vector<T>& source, const std::vector<int>& mask,
                             IndexRange range) {
  std::vector<T> result;
  for (auto i = static_cast<std::size_t>(range.start); i < static_cast<std::size_t>(range.stop);
       ++i)
    if (mask[i] != 0) result.push_back(source[i]);
  return result;
}

template <class T>
std::vector<T> unpacked_by_one(const std::vector<T>& source, const std::vector<int>& mask,
                               std::vector<T> destination, IndexRange range) {
  std::size_t next = 0;
  for (auto i = static_cast<std::size_t>(range.start); i < static_cast<std::size_t>(range.stop);
       ++i)
    if (mask[i] != 0) destination[i] = source[next++];
  return destination;
}
/// \}

}  // namespace daptor::test
