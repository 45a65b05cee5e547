// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/array_memory.hpp"

#include <algorithm>
#include <utility>

#include "exchange/sharing.hpp"

namespace daptor::detail {
namespace {

/// Collects runs of bytes, and joins runs that follow each other.
class ByteRuns {
 public:
  void add(Index offset, Index length) {
    if (!offsets_.empty() && offsets_.back() + lengths_.back() == offset) {
      lengths_.back() += length;
    } else {
      offsets_.push_back(offset);
      lengths_.push_back(length);
    }
  }
  MemoryRuns runs() && { return MemoryRuns(std::move(offsets_), std::move(lengths_)); }

 private:
  std::vector<Index> offsets_, lengths_;
};

Index first_byte(const FlatBox& box, const std::vector<Index>& byte_strides) {
  Index offset = 0;
  for (std::size_t d = 0; d < byte_strides.size(); ++d)
    offset += box.along[d].first() * byte_strides[d];
  return offset;
}

/// Whether the box is one row-major run of memory.
bool gapless(const FlatBox& box, const std::vector<Index>& byte_strides, std::size_t itemsize) {
  auto next = static_cast<Index>(itemsize);
  for (std::size_t d = byte_strides.size(); d-- > 0; next *= box.shape[d])
    if (box.along[d].apart() || (box.shape[d] != 1 && byte_strides[d] != next)) return false;
  return true;
}

/// Distance in bytes from the box's first element to the element at a row-major position in the
/// box.
Index offset_of(const FlatBox& box, const std::vector<Index>& byte_strides, Index position) {
  Index offset = 0;
  for (std::size_t d = box.shape.size(); d-- > 0; position /= box.shape[d]) {
    const OwnedPart& along = box.along[d];
    offset += (along.position(position % box.shape[d]) - along.first()) * byte_strides[d];
  }
  return offset;
}

}  // namespace

FlatBox flat_box(const Section& array, bool padding) {
  if (!padding) return {array.owned_shape(), owned_parts(array)};
  const std::vector<Index>& shape = array.local_shape();
  return {shape, {shape.begin(), shape.end()}};
}

ArrayMemory ArrayMemory::of(const Section& array, const std::optional<FlatBox>& box) {
  return {array.byte_strides(), array.type().itemsize(), box};
}

MemoryRuns ArrayMemory::runs(const Region& region) const {
  if (!box) return MemoryRuns(region, byte_strides, itemsize);
  const auto size = static_cast<Index>(itemsize);
  const Index first = first_byte(*box, byte_strides);
  const bool whole = gapless(*box, byte_strides, itemsize);
  const Index row = whole || box->shape.empty() ? region.count()
                    : box->along.back().apart() ? 1
                                                : box->shape.back();
  const Index step = whole || byte_strides.empty() ? size : byte_strides.back();
  ByteRuns runs;
  const auto add = [&](IndexSpan span) {
    while (span.count > 0) {
      const Index count = whole ? span.count : std::min(span.count, row - span.start % row);
      const Index at =
          first + (whole ? span.start * size : offset_of(*box, byte_strides, span.start));
      if (step == size) {
        runs.add(at, count * size);
      } else {
        for (Index i = 0; i < count; ++i) runs.add(at + i * step, size);
      }
      span = {span.start + count, span.count - count};
    }
  };
  const Selection& along = region.along.front();
  if (along.is_range())
    add({along.start, along.count});
  else
    along.spans->for_each(add);
  return std::move(runs).runs();
}

}  // namespace daptor::detail
