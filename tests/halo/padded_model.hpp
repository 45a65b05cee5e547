// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Padded block arrays of all ranks at once, computed by counting; halo exchanges are checked
// against them.

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/dist_array.hpp"
#include "for_each_index.hpp"

namespace daptor::test {

/// One rank's part of one dimension. Boundary padding is included in the global indices.
struct Part {
  GridPosition grid;
  IndexRange owned;
  Padding communication, boundary;

  Index extent() const {
    return owned.empty() ? 0 : owned.size() + communication.lower + communication.upper;
  }
  bool owns(Index local) const {
    return communication.lower <= local && local < communication.lower + owned.size();
  }
  Index global(Index local, Index size) const {
    return ((owned.start - communication.lower + local) % size + size) % size;
  }
  bool in_boundary(Index global) const {
    return global < owned.start + boundary.lower || global >= owned.stop - boundary.upper;
  }
};

enum class Memory { c, fortran, strided };

/// The sections of all ranks.
struct PaddedModel {
  std::vector<Index> sizes;
  std::vector<Index> grid;
  std::vector<bool> periodic;
  std::vector<std::vector<Part>> ranks;  // by rank, then dimension
  Memory memory = Memory::c;

  int ndim() const { return static_cast<int>(sizes.size()); }
  std::size_t count(int rank) const {
    Index product = 1;
    for (const Part& part : ranks[static_cast<std::size_t>(rank)]) product *= part.extent();
    return static_cast<std::size_t>(product);
  }
  std::string text() const {
    std::string all = memory == Memory::c ? "C" : memory == Memory::fortran ? "Fortran" : "strided";
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      all += "; " + std::to_string(sizes[d]) + " on " + std::to_string(grid[d]) +
             (periodic[d] ? " periodic" : "");
      for (const auto& parts : ranks) {
        const Part& p = parts[d];
        all += " [" + std::to_string(p.owned.start) + "," + std::to_string(p.owned.stop) + ")(" +
               std::to_string(p.communication.lower) + "," + std::to_string(p.communication.upper) +
               ")";
      }
    }
    return all;
  }
};

/// How a model is drawn at random.
struct Draw {
  std::vector<Index> grid;
  std::vector<bool> periodic;
  Index size_per_process = 4;
  /// Lower and upper communication padding; with `vary` an upper limit, below which each rank has
  /// other widths.
  Padding width;
  bool vary = false;
  bool irregular = false;
  Index boundary = 0;
  Memory memory = Memory::c;
};

/// Draws the bounds of the blocks of one dimension.
inline std::vector<Index> draw_bounds(const Draw& draw, Index processes, std::mt19937& random) {
  std::vector<Index> bounds{0};
  for (Index p = 0; p < processes; ++p) {
    std::uniform_int_distribution<Index> lengths(0, 2 * draw.size_per_process);
    bounds.push_back(bounds.back() + (draw.irregular ? lengths(random) : draw.size_per_process));
  }
  if (bounds.back() == 0) bounds.back() = 1;
  return bounds;
}

inline Part draw_part(const Draw& draw, bool periodic, GridPosition grid,
                      const std::vector<Index>& bounds, std::mt19937& random) {
  const auto at = static_cast<std::size_t>(grid.rank);
  Part part{grid, {bounds[at], bounds[at + 1]}, {}, {}};
  const auto width = [&](Index most, Index room) {
    const Index wide = std::min(most, room);
    return draw.vary ? std::uniform_int_distribution<Index>(0, wide)(random) : wide;
  };
  // Drawn for empty sections too, so that all ranks draw the same numbers.
  const Index size = bounds.back();
  const Padding drawn{width(draw.width.lower, periodic ? size : part.owned.start),
                      width(draw.width.upper, periodic ? size : size - part.owned.stop)};
  if (part.owned.empty()) return part;
  if (periodic || !grid.first()) part.communication.lower = drawn.lower;
  if (periodic || !grid.last()) part.communication.upper = drawn.upper;
  if (!periodic && grid.first()) part.boundary.lower = std::min(draw.boundary, part.owned.size());
  if (!periodic && grid.last())
    part.boundary.upper = std::min(draw.boundary, part.owned.size() - part.boundary.lower);
  return part;
}

inline PaddedModel draw_model(const Draw& draw, std::mt19937& random) {
  PaddedModel model;
  model.grid = draw.grid;
  model.periodic = draw.periodic;
  model.memory = draw.memory;
  std::vector<std::vector<Index>> bounds;
  for (const Index processes : draw.grid) {
    bounds.push_back(draw_bounds(draw, processes, random));
    model.sizes.push_back(bounds.back().back());
  }
  const Index ranks =
      std::accumulate(draw.grid.begin(), draw.grid.end(), Index{1}, std::multiplies<>());
  for (Index rank = 0; rank < ranks; ++rank) {
    std::vector<Part> parts(draw.grid.size());
    Index left = rank;
    for (std::size_t d = draw.grid.size(); d-- > 0; left /= draw.grid[d])
      parts[d] =
          draw_part(draw, draw.periodic[d], {draw.grid[d], left % draw.grid[d]}, bounds[d], random);
    model.ranks.push_back(std::move(parts));
  }
  return model;
}

inline std::vector<Index> extents(const PaddedModel& model, int rank) {
  std::vector<Index> shape;
  for (const Part& part : model.ranks[static_cast<std::size_t>(rank)])
    shape.push_back(part.extent());
  return shape;
}

inline std::vector<Dimension> dimensions(const PaddedModel& model, int rank) {
  std::vector<Dimension> all;
  for (std::size_t d = 0; d < model.sizes.size(); ++d) {
    const Part& part = model.ranks[static_cast<std::size_t>(rank)][d];
    Block block{part.grid, part.owned, part.boundary, part.communication, true};
    all.emplace_back(model.sizes[d], block, model.periodic[d]);
  }
  return all;
}

/// One rank's section in memory, with a canary on each side.
template <class T>
class PaddedSection {
 public:
  static constexpr int canary_elements = 16;

  PaddedSection(const PaddedModel& model, const Comm& comm, T canary)
      : shape_(extents(model, comm.rank())), canary_(canary) {
    const int rank = comm.rank();
    // Strided memory has every other element, and the slowest dimension backwards.
    const bool strided = model.memory == Memory::strided;
    const Index step = strided ? 2 : 1;
    strides_ = contiguous_strides(shape_, sizeof(T),
                                  model.memory == Memory::fortran ? Order::fortran : Order::c);
    for (Index& stride : strides_) stride *= step;
    memory_.assign(model.count(rank) * static_cast<std::size_t>(step) + 2 * canary_elements,
                   canary);
    first_ = memory_.data() + canary_elements;
    if (strided && !shape_.empty() && shape_[0] > 0) {
      first_ += (shape_[0] - 1) * strides_[0] / static_cast<Index>(sizeof(T));
      strides_[0] = -strides_[0];
    }
    array_ = describe(first_, dimensions(model, rank), strides_).on(comm);
  }

  const DistArray& array() const { return array_; }
  T& operator()(const std::vector<Index>& local) {
    Index offset = 0;
    for (std::size_t d = 0; d < local.size(); ++d) offset += local[d] * strides_[d];
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(first_) + offset);
  }
  /// Whether everything outside of the section's elements is unchanged.
  bool untouched() {
    std::vector<T> rest = memory_;
    for_each_index(shape_, [&](const std::vector<Index>& local) {
      rest[static_cast<std::size_t>(&(*this)(local)-memory_.data())] = canary_;
    });
    return std::all_of(rest.begin(), rest.end(), [&](const T& value) { return value == canary_; });
  }

 private:
  std::vector<Index> shape_;
  std::vector<Index> strides_;
  T canary_;
  std::vector<T> memory_;
  T* first_ = nullptr;
  DistArray array_;
};

}  // namespace daptor::test
