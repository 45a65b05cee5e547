// SPDX-License-Identifier: BSD-3-Clause
#include "direct.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"

namespace daptor::hdf5::detail {

namespace {

/// Whether a box is many short pieces of the file. To bring its elements into the order of the file
/// in memory is faster then than as many calls of the system.
bool is_scattered(const std::vector<Index>& box, const std::vector<Index>& shape,
                  std::size_t itemsize, Index long_piece) {
  constexpr Index most_pieces = 1024;
  auto bytes = static_cast<Index>(itemsize);
  std::size_t d = shape.size();
  for (bool whole = true; d > 0 && whole; --d) {
    bytes *= box[d - 1];
    whole = box[d - 1] == shape[d - 1];
  }
  Index pieces = 1;
  for (; d > 0; --d) pieces *= box[d - 1];
  return pieces > most_pieces && bytes < long_piece;
}

}  // namespace

Direct direct_of(const FileView& view, Index long_piece) {
  Direct direct;
  for (const Dimension& dimension : view.array.dimensions()) {
    const std::optional<IndexRange> owned = dimension.interior();
    if (!owned) return {};
    direct.file.start.push_back(owned->start);
    direct.file.count.push_back(owned->size());
  }
  if (!is_scattered(direct.file.count, view.shape, view.array.type().itemsize(), long_piece))
    direct.memory = memory_region(view.array.local_shape(), view.array.byte_strides(),
                                  view.array.type().itemsize());
  return direct;
}

DirectPart part_of(const FileView& view, const Direct& direct, Index parts, Index number) {
  if (parts == 1 || direct.file.count.empty()) {
    // An array without dimensions is moved at first.
    if (number == 0) return {direct.file, *direct.memory, 0};
    return {direct.file, {{0}, {0}, 1}, 0};
  }
  const IndexRange rows = even_block(direct.file.count[0], {parts, number});
  FileRegion file = direct.file;
  file.start[0] += rows.start;
  file.count[0] = rows.size();
  const std::vector<Index>& strides = view.array.byte_strides();
  auto memory = memory_region(file.count, strides, view.array.type().itemsize());
  return {std::move(file), std::move(*memory), rows.start * strides[0]};
}

Index wanted_parts(const FileView& view, bool told, std::int64_t memory_bytes) {
  if (!told || view.shape.empty()) return 1;
  const Index part = std::min(Index{64} << 20, memory_limit(memory_bytes));
  const auto bytes = view.array.local_count() * static_cast<Index>(view.array.type().itemsize());
  return bytes / part + 1;
}

std::int64_t memory_limit(std::int64_t option) {
  if (option < 0)
    throw InvalidArgument("memory_bytes", std::to_string(option), "0 or a number of bytes");
  return option == 0 ? std::int64_t{128} << 20 : option;
}

}  // namespace daptor::hdf5::detail
