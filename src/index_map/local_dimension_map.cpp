// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor {
namespace {

void require_within(const char* key, Index value, Index count) {
  if (value < 0 || value >= count)
    throw InvalidArgument(key, std::to_string(value),
                          "a value in [0, " + std::to_string(count) + ')');
}

[[noreturn]] void throw_beyond(Index local, Index global_size) {
  throw Malformed(error_finding(
      "P14", -1, "padding",
      "local index " + std::to_string(local) +
          " lies in padding beyond the end of a dimension of size " + std::to_string(global_size),
      "communication padding no wider than the range that other processes own on that side",
      "Narrow the padding, or make the dimension periodic."));
}

/// Position of this process in the order in which blocks are dealt: position 0 owns the first
/// block.
Index position_of(const Cyclic& cyclic) {
  return cyclic.start / cyclic.block_size;
}

}  // namespace

/// Positions of an index list sorted by index; null if the list itself is increasing.
struct LocalDimensionMap::SortedIndices {
  std::once_flag once;
  bool increasing = false;
  std::vector<Index> positions;

  void fill(const IndexList& indices) {
    increasing = std::is_sorted(indices.begin(), indices.end());
    if (increasing) return;
    positions.resize(static_cast<std::size_t>(indices.size()));
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<Index>(i);
    std::stable_sort(positions.begin(), positions.end(),
                     [&](Index a, Index b) { return indices[a] < indices[b]; });
  }

  /// The owned position with this index; the index may be at others too.
  std::optional<Index> find(const IndexList& indices, const OwnedPart& owned, Index global) {
    std::call_once(once, [&] { fill(indices); });
    const auto at = [&](Index place) {
      return increasing ? place : positions[static_cast<std::size_t>(place)];
    };
    for (Index place = first_of(indices, global);
         place < indices.size() && indices[at(place)] == global; ++place)
      if (owned.contains(at(place))) return at(place);
    return std::nullopt;
  }

 private:
  /// The place in sorted order of the first index that is not less than this one.
  Index first_of(const IndexList& indices, Index global) const {
    if (increasing)
      return std::lower_bound(indices.begin(), indices.end(), global) - indices.begin();
    return std::lower_bound(positions.begin(), positions.end(), global,
                            [&](Index at, Index value) { return indices[at] < value; }) -
           positions.begin();
  }
};

LocalDimensionMap::LocalDimensionMap(Dimension dimension) : dimension_(std::move(dimension)) {
  Report report(check_dimension(dimension_, -1));
  if (!report) throw Malformed(report);
  owned_count_ = dimension_.owned_count();
  local_extent_ = dimension_.local_extent();
  owned_offset_ = dimension_.communication_padding().lower;
  owned_ = dimension_.owned_part();
  if (dimension_.as<Unstructured>() != nullptr) sorted_ = std::make_shared<SortedIndices>();
}

Index LocalDimensionMap::padded_global(Index start, Index local) const {
  const Index offset = local - owned_offset_;
  if (0 <= offset && offset < owned_count_) return start + offset;
  const Index size = global_size();
  if (dimension_.periodic() && size > 0) {
    const Index rest = offset % size;
    const Index forward = rest < 0 ? rest + size : rest;
    return start >= size - forward ? start - (size - forward) : start + forward;
  }
  const auto global = checked_add(start, offset);
  if (!global || *global < 0 || *global >= size) throw_beyond(local, size);
  return *global;
}

Index LocalDimensionMap::cyclic_global(const Cyclic& cyclic, Index local) const {
  const Index round = local / cyclic.block_size;
  const Index block = position_of(cyclic) + round * cyclic.grid.size;
  return block * cyclic.block_size + local % cyclic.block_size;
}

Index LocalDimensionMap::global_of(Index local) const {
  require_within("local", local, local_extent_);
  if (const auto* block = dimension_.as<Block>()) return padded_global(block->owned.start, local);
  if (const auto* cyclic = dimension_.as<Cyclic>()) return cyclic_global(*cyclic, local);
  if (const auto* list = dimension_.as<Unstructured>()) return list->indices[local];
  return padded_global(0, local);
}

std::optional<Index> LocalDimensionMap::local_of(Index global) const {
  if (const auto* list = dimension_.as<Unstructured>())
    return sorted_->find(list->indices, owned_, global);
  if (global < 0 || global >= global_size() || owned_count_ == 0) return std::nullopt;
  if (const auto* block = dimension_.as<Block>()) {
    if (!block->owned.contains(global)) return std::nullopt;
    return owned_offset_ + (global - block->owned.start);
  }
  if (const auto* cyclic = dimension_.as<Cyclic>()) {
    const Index number = global / cyclic->block_size;
    if (number % cyclic->grid.size != position_of(*cyclic)) return std::nullopt;
    return number / cyclic->grid.size * cyclic->block_size + global % cyclic->block_size;
  }
  return owned_offset_ + global;
}

Index LocalDimensionMap::run_count() const {
  if (owned_count_ == 0) return 0;
  if (const auto* cyclic = dimension_.as<Cyclic>()) {
    if (cyclic->grid.size == 1) return 1;
    return (owned_count_ - 1) / cyclic->block_size + 1;
  }
  if (dimension_.as<Unstructured>() == nullptr) return 1;
  Index count = 0;
  for_each_run([&](const IndexRun&) { ++count; });
  return count;
}

IndexRun LocalDimensionMap::run(Index i) const {
  if (dimension_.as<Unstructured>() != nullptr)
    throw InvalidArgument("i", "run() on an unstructured dimension",
                          "for_each_run, which visits the runs in turn");
  require_within("i", i, run_count());
  const auto* cyclic = dimension_.as<Cyclic>();
  if (cyclic != nullptr && cyclic->grid.size > 1) {
    const Index local = i * cyclic->block_size;
    return {local, cyclic_global(*cyclic, local),
            std::min(cyclic->block_size, owned_count_ - local)};
  }
  return {owned_offset_, global_of(owned_offset_), owned_count_};
}

}  // namespace daptor
