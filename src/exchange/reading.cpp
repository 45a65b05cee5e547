// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/reading.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "exchange/node.hpp"
#include "exchange/split.hpp"
#include "exchange/words.hpp"

namespace daptor::detail {
namespace {

/// Where the two memory orders cross, columns of a tile are at least as long.
constexpr Index least_column_bytes = 512;

/// How many indices along each dimension make a tile of at most `most` elements. `there` and `here`
/// are the memory orders of the two sides.
std::vector<Index> tile_extents(const std::vector<Index>& counts, const std::vector<int>& there,
                                const std::vector<int>& here, Index most, Index least_column) {
  std::vector<Index> extents(counts.size(), 1);
  Index elements = 1;
  const auto grow = [&](int dimension, Index limit) {
    const auto d = static_cast<std::size_t>(dimension);
    elements /= extents[d];
    extents[d] = std::max<Index>(1, std::min({counts[d], limit, most / elements}));
    elements *= extents[d];
  };
  if (counts.empty()) return extents;
  grow(here.back(), least_column);
  for (auto d = there.rbegin(); d != there.rend(); ++d)
    if (*d != here.back() || *d == there.back()) grow(*d, most);
  grow(here.back(), most);
  return extents;
}

}  // namespace

std::vector<std::byte> RegionsThere::describe(const std::vector<Region>& regions,
                                              const ArrayMemory& memory) {
  Words words;
  for (const Index stride : memory.byte_strides) words.write(stride);
  for (const Region& region : regions)
    for (const Selection& along : region.along) words.write(along);
  return words.bytes();
}

RegionsThere RegionsThere::of(const std::vector<std::byte>& description,
                              const std::vector<Region>& here) {
  RegionsThere found;
  WordReader words(description);
  if (!here.empty()) found.byte_strides.resize(here.front().along.size());
  for (Index& stride : found.byte_strides) stride = words.read();
  for (const Region& region : here) {
    Region& there = found.regions.emplace_back();
    for (const Selection& along : region.along) {
      there.along.push_back(words.read_selection());
      if (there.along.back().count != along.count)
        throw std::logic_error("regions of different shapes");
    }
  }
  if (!words.at_end()) throw std::logic_error("different numbers of regions");
  return found;
}

Reading::Reading(int process, const RegionsThere& there, const std::vector<Region>& regions,
                 const ArrayMemory& target, std::size_t itemsize, std::size_t tile_bytes)
    : process_(process), itemsize_(itemsize), tile_bytes_(tile_bytes) {
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].count() > 0) add(there.regions[i], there.byte_strides, regions[i], target);
}

/// Adds the tiles of a region, in the order of the other process' memory.
void Reading::add(const Region& there, const std::vector<Index>& there_strides, const Region& here,
                  const ArrayMemory& target) {
  const std::vector<Index> counts = here.counts();
  const std::vector<int> order = memory_order(counts, there_strides);
  const auto size = static_cast<Index>(itemsize_);
  const Index most = std::max<Index>(1, static_cast<Index>(tile_bytes_) / size);
  const auto extents = tile_extents(counts, order, memory_order(counts, target.byte_strides), most,
                                    std::max<Index>(1, least_column_bytes / size));
  std::vector<std::vector<Selection>> parts_there, parts_here;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    parts_there.push_back(cut(there.along[d], extents[d]));
    parts_here.push_back(cut(here.along[d], extents[d]));
  }
  std::vector<std::size_t> at(counts.size(), 0);
  Region tile_there{there.along, order};
  Region tile_here{here.along, order};
  const auto next = [&] {
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
      const auto i = static_cast<std::size_t>(*d);
      if (++at[i] < parts_there[i].size()) return true;
      at[i] = 0;
    }
    return false;
  };
  do {
    for (std::size_t d = 0; d < counts.size(); ++d) {
      tile_there.along[d] = parts_there[d][at[d]];
      tile_here.along[d] = parts_here[d][at[d]];
    }
    // The runs of this side have its own element size, which a conversion may change.
    Tile tile{MemoryRuns(tile_there, there_strides, itemsize_), target.runs(tile_here), false};
    tile.straight = tile.here.contiguous();
    const auto bytes = static_cast<std::size_t>(tile.there.bytes());
    most_bytes_ = std::max(most_bytes_, bytes);
    if (!tile.straight) strided_bytes_ = std::max(strided_bytes_, bytes);
    tiles_.push_back(std::move(tile));
  } while (next());
}

bool Reading::read_tile(const Tile& tile, std::uint64_t source, std::byte* target) {
  std::array<iovec, most_pieces> pieces;
  std::size_t number = 0;
  std::size_t bytes = 0;
  bool all = true;
  const auto read_pieces = [&] {
    const iovec here{target, bytes};
    all = all && (number == 0 || read_memory(process_, &here, 1, pieces.data(), number));
    target += bytes;
    number = bytes = 0;
  };
  tile.there.for_each([&](Index offset, const InnerLoop& loop) {
    for (Index i = 0; i < loop.count; ++i) {
      const auto length = static_cast<std::size_t>(loop.length(i));
      const std::uint64_t address = source + static_cast<std::uint64_t>(offset + loop.offset(i));
      pieces[number++] = piece_there(address, length);
      bytes += length;
      if (number == pieces.size()) read_pieces();
    }
  });
  read_pieces();
  return all;
}

bool Reading::readable(std::uint64_t source) const {
  if (tiles_.empty()) return true;
  for (const Tile* tile : {&tiles_.front(), &tiles_.back()}) {
    std::byte byte{};
    const iovec here{&byte, 1};
    const std::uint64_t address = source + static_cast<std::uint64_t>(tile->there.first());
    const iovec there = piece_there(address, 1);
    if (!read_memory(process_, &here, 1, &there, 1)) return false;
  }
  return true;
}

bool Reading::read(std::uint64_t source, std::byte* target, const Conversion& conversion,
                   Stores stores, std::byte* buffer, bool& written) {
  for (const Tile& tile : tiles_) {
    const bool straight = tile.straight && conversion.copies();
    if (!read_tile(tile, source, straight ? target + tile.here.first() : buffer)) return false;
    written = true;
    if (!straight) conversion.unpack(tile.here, buffer, target, stores);
  }
  return true;
}

}  // namespace daptor::detail
