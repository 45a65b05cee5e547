// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mapped_arrays.hpp"

#include <cstring>

#include "exchange/node.hpp"

namespace daptor::detail {

MemoryThere MemoryThere::of(const void* data, std::size_t bytes) {
  return {reinterpret_cast<std::uint64_t>(data),
          mappable_part(static_cast<const std::byte*>(data), bytes)};
}

MemoryThere MemoryThere::of(const Section& array) {
  const auto* const data = static_cast<const std::byte*>(array.data());
  MemoryThere there{reinterpret_cast<std::uint64_t>(data), {}};
  const IndexRange span = array.buffer().byte_span();
  if (data == nullptr || span.empty()) return there;
  there.part = mappable_part(data + span.start, static_cast<std::size_t>(span.size()));
  there.part.at -= static_cast<std::uint64_t>(span.start);
  return there;
}

bool copy_there(std::int64_t process, const MemoryThere& from, void* to, std::size_t bytes) {
  if (bytes == 0) return true;
  if (from.mappable()) {
    const SharedPages pages = SharedPages::to_read(process, from.part.file, from.part.begin,
                                                   static_cast<std::size_t>(from.part.bytes));
    if (pages.data() != nullptr) {
      std::memcpy(to, pages.data() + from.part.at, bytes);
      return true;
    }
  }
  const iovec here{to, bytes};
  const iovec there = piece_there(from.address, bytes);
  return read_memory(static_cast<int>(process), &here, 1, &there, 1);
}

bool MappedArrays::map(std::int64_t process, std::size_t array, const MemoryThere& there) {
  if (!there.mappable()) return false;
  const MappablePart& part = there.part;
  Mapped& mapped = mapped_[array];
  // No two pieces of a file have the same beginning, ever.
  if (mapped.pages.data() == nullptr || mapped.part.begin != part.begin)
    mapped.pages =
        SharedPages::to_read(process, part.file, part.begin, static_cast<std::size_t>(part.bytes));
  mapped.part = part;
  return mapped.pages.data() != nullptr;
}

}  // namespace daptor::detail
