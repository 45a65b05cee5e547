// SPDX-License-Identifier: BSD-3-Clause
#include "places.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "daptor/adapter/extents.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5::detail {
namespace {

/// HDF5 looks at all chunks to tell the place of one.
constexpr Index most_chunks = 256;

/// The next index of a grid in C order.
/// @returns false behind the last one
bool next_chunk(std::vector<Index>& at, const std::vector<Index>& first,
                const std::vector<Index>& stop) {
  for (std::size_t d = at.size(); d > 0; --d) {
    if (++at[d - 1] < stop[d - 1]) return true;
    at[d - 1] = first[d - 1];
  }
  return false;
}

/// The place of a chunk; negative if it has none, or is filtered.
Index offset_of_chunk(hid_t dataset, const std::vector<Index>& first) {
  unsigned mask = 0;
  haddr_t place = HADDR_UNDEF;
  hsize_t bytes = 0;
  if (H5Dget_chunk_info_by_coord(dataset, sizes(first).data(), &mask, &place, &bytes) < 0)
    return -1;
  return place == HADDR_UNDEF ? -1 : static_cast<Index>(place);
}

bool has_user_block(hid_t file) {
  hsize_t bytes = 0;
  const Handle creation(H5Fget_create_plist(file), H5Pclose, "H5Fget_create_plist");
  checked(H5Pget_userblock(creation.get(), &bytes), "H5Pget_userblock");
  return bytes != 0;
}

}  // namespace

std::optional<Places> Places::of(hid_t file, hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist");
  const Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  const std::optional<DataType> element = element_type(type.get());
  if (!element || H5Tequal(type.get(), hdf5_type(*element).get()) <= 0) return std::nullopt;
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  Places places;
  places.itemsize_ = static_cast<Index>(H5Tget_size(type.get()));
  const std::vector<hsize_t> extents = extents_of(dataset);
  const std::vector<Index> shape(extents.begin(), extents.end());
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation.get()) == 0) {
    const haddr_t place = H5Dget_offset(dataset);
    if (place == HADDR_UNDEF) return std::nullopt;
    places.chunk_ = shape;
    places.grid_.assign(shape.size(), 1);
    places.offsets_ = {static_cast<Index>(place)};
    return places;
  }
  // The places of chunks do not count a user block in all releases of HDF5.
  if (layout != H5D_CHUNKED || H5Pget_nfilters(creation.get()) != 0 || has_user_block(file))
    return std::nullopt;
  std::vector<hsize_t> chunk(shape.size());
  checked(H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()),
          "H5Pget_chunk");
  places.chunk_.assign(chunk.begin(), chunk.end());
  for (std::size_t d = 0; d < shape.size(); ++d)
    places.grid_.push_back(std::max<Index>(1, (shape[d] - 1) / places.chunk_[d] + 1));
  if (adapter::product(places.grid_).value_or(most_chunks + 1) > most_chunks) return std::nullopt;
  const std::vector<Index> origin(shape.size(), 0);
  std::vector<Index> at = origin;
  do {
    std::vector<Index> first = at;
    for (std::size_t d = 0; d < first.size(); ++d) first[d] *= places.chunk_[d];
    const Index offset = offset_of_chunk(dataset, first);
    if (offset < 0) return std::nullopt;
    places.offsets_.push_back(offset);
  } while (next_chunk(at, origin, places.grid_));
  return places;
}

void Places::for_each_box(const FileRegion& region,
                          const std::function<void(const PlacedBox&)>& visit) const {
  const std::size_t ndim = chunk_.size();
  std::vector<Index> begin(ndim), end(ndim), stride(ndim);
  Index below = itemsize_;
  for (std::size_t d = ndim; d > 0; --d) {
    stride[d - 1] = below;
    below *= chunk_[d - 1];
    begin[d - 1] = region.start[d - 1] / chunk_[d - 1];
    end[d - 1] = (region.start[d - 1] + region.count[d - 1] - 1) / chunk_[d - 1] + 1;
  }
  std::vector<Index> at = begin;
  do {
    PlacedBox box{0, std::vector<Index>(ndim), std::vector<Index>(ndim), stride};
    Index number = 0;
    for (std::size_t d = 0; d < ndim; ++d) {
      const IndexRange chunk{at[d] * chunk_[d], (at[d] + 1) * chunk_[d]};
      const IndexRange part =
          intersect(chunk, {region.start[d], region.start[d] + region.count[d]});
      number = number * grid_[d] + at[d];
      box.first[d] = part.start - region.start[d];
      box.count[d] = part.size();
      box.offset += (part.start - chunk.start) * stride[d];
    }
    box.offset += offsets_.at(static_cast<std::size_t>(number));
    visit(box);
  } while (next_chunk(at, begin, end));
}

namespace {

/// From neighbour to neighbour in memory, for each dimension of the file, in bytes; 0 where there
/// is one element.
std::vector<Index> memory_strides(const MemoryRegion& memory, const std::vector<Index>& count,
                                  Index itemsize) {
  std::vector<Index> strides(count.size(), 0);
  std::size_t at = memory.extent.size();
  Index below = itemsize;
  for (std::size_t d = count.size(); d > 0; --d) {
    if (count[d - 1] == 1) continue;
    const bool last = at == memory.extent.size();
    strides[d - 1] = below * (last ? memory.step : 1);
    below *= memory.extent.at(--at);
  }
  return strides;
}

/// Dimensions from which on elements have no gaps between them.
std::size_t dense_from(const std::vector<Index>& count, const std::vector<Index>& stride,
                       Index itemsize) {
  Index below = itemsize;
  for (std::size_t d = count.size(); d > 0; --d) {
    if (count[d - 1] == 1) continue;
    if (stride[d - 1] != below) return d;
    below *= count[d - 1];
  }
  return 0;
}

Index bytes_from(const std::vector<Index>& count, std::size_t first, Index itemsize) {
  Index bytes = itemsize;
  for (std::size_t d = first; d < count.size(); ++d) bytes *= count[d];
  return bytes;
}

/// Writes boxes. What is in one piece in the file is written in one call, or in parts of a buffer
/// where it is in several pieces in memory.
class BoxWriter {
 public:
  BoxWriter(int file, const std::string& path, Index itemsize)
      : file_(file), path_(path), itemsize_(itemsize) {}

  void write(const PlacedBox& box, const std::vector<Index>& memory_stride, const char* memory) {
    box_ = &box;
    stride_ = &memory_stride;
    piece_ = dense_from(box.count, box.stride, itemsize_);
    dense_ = std::max(piece_, dense_from(box.count, memory_stride, itemsize_));
    dense_bytes_ = bytes_from(box.count, dense_, itemsize_);
    each_piece(0, box.offset, memory);
  }

 private:
  static constexpr std::size_t room = std::size_t{1} << 20;

  void each_piece(std::size_t d, Index offset, const char* memory) {
    if (d == piece_) {
      offset_ = offset;
      collect(d, memory);
      flush();
      return;
    }
    for (Index i = 0; i < box_->count[d]; ++i)
      each_piece(d + 1, offset + i * box_->stride[d], memory + i * (*stride_)[d]);
  }
  void collect(std::size_t d, const char* memory) {
    if (d == dense_) return add(memory, static_cast<std::size_t>(dense_bytes_));
    for (Index i = 0; i < box_->count[d]; ++i) collect(d + 1, memory + i * (*stride_)[d]);
  }
  void add(const char* bytes, std::size_t count) {
    if (held_ + count > room) flush();
    if (count > room || dense_ == piece_) return put(bytes, count);
    if (buffer_.empty()) buffer_.resize(room);
    std::memcpy(buffer_.data() + held_, bytes, count);
    held_ += count;
  }
  void flush() {
    put(buffer_.data(), held_);
    held_ = 0;
  }
  void put(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = pwrite(file_, bytes, count, static_cast<off_t>(offset_));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse_system("'" + path_ + "' cannot be written", errno);
      bytes += written;
      offset_ += written;
      count -= static_cast<std::size_t>(written);
    }
  }

  int file_;
  const std::string& path_;
  Index itemsize_;
  const PlacedBox* box_ = nullptr;
  const std::vector<Index>* stride_ = nullptr;
  std::size_t piece_ = 0, dense_ = 0;  ///< dimensions from which on there are no gaps
  Index dense_bytes_ = 0, offset_ = 0;
  std::vector<char> buffer_;
  std::size_t held_ = 0;
};

}  // namespace

void write_to_places(int file, const std::string& path, const Places& places, const void* memory,
                     const MemoryRegion& from, const FileRegion& to, std::size_t itemsize) {
  const auto size = static_cast<Index>(itemsize);
  const std::vector<Index> strides = memory_strides(from, to.count, size);
  BoxWriter writer(file, path, size);
  places.for_each_box(to, [&](const PlacedBox& box) {
    const auto* first = static_cast<const char*>(memory);
    for (std::size_t d = 0; d < strides.size(); ++d) first += box.first[d] * strides[d];
    writer.write(box, strides, first);
  });
}

}  // namespace daptor::hdf5::detail
