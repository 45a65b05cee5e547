// SPDX-License-Identifier: BSD-3-Clause
#include "storage.hpp"

#include <algorithm>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/error.hpp"

namespace daptor::hdf5::detail {
namespace {

/// What HDF5 allows for a chunk, in bytes.
constexpr Index most_bytes = (Index{1} << 32) - 1;

bool fits(const std::vector<Index>& chunk, std::size_t itemsize, Index bytes) {
  Index left = bytes / static_cast<Index>(itemsize);
  for (const Index extent : chunk) left /= extent;
  return left > 0;
}

/// Halves the largest extents from `first` on until a chunk has at most this many bytes.
void halve(std::vector<Index>& chunk, std::size_t first, std::size_t itemsize, Index bytes) {
  while (!fits(chunk, itemsize, bytes)) {
    const auto largest =
        std::max_element(chunk.begin() + static_cast<std::ptrdiff_t>(first), chunk.end());
    if (largest == chunk.end() || *largest == 1) return;
    *largest = (*largest + 1) / 2;
  }
}

/// Extents of 1 and more, as chunks have them.
std::vector<Index> positive(std::vector<Index> shape) {
  for (Index& extent : shape) extent = std::max<Index>(extent, 1);
  return shape;
}

}  // namespace

Storage storage_of(const std::vector<Index>& shape, std::size_t itemsize,
                   const SaveOptions& options) {
  if (options.deflate < 0 || options.deflate > 9)
    throw InvalidArgument("deflate", std::to_string(options.deflate), "a level from 0 to 9");
  std::vector<Index> chunk = options.chunks.extents();
  const bool wanted = !chunk.empty() || options.deflate > 0;
  const bool valid = chunk.empty() || (chunk.size() == shape.size() &&
                                       *std::min_element(chunk.begin(), chunk.end()) > 0);
  if (valid)
    for (std::size_t d = 0; d < chunk.size(); ++d)
      chunk[d] = std::clamp<Index>(chunk[d], 1, std::max<Index>(shape[d], 1));
  if (!valid || !fits(chunk, itemsize, most_bytes))
    adapter::refuse_argument(
        "hdf5.chunks", "chunks of " + terms::file_shape(options.chunks.extents()),
        "as many positive extents as " + terms::file_shape(shape) + " has, and less than 4 GiB");
  // Without elements there are no chunks.
  if (!wanted || shape.empty() || std::find(shape.begin(), shape.end(), 0) != shape.end())
    return {};
  if (chunk.empty()) {
    chunk = shape;
    halve(chunk, 0, itemsize, Index{1} << 20);
  }
  return {std::move(chunk), options.deflate, false};
}

Storage storage_of_series(const std::vector<Index>& step, std::size_t itemsize, Index steps) {
  std::vector<Index> chunk = positive(step);
  chunk.insert(chunk.begin(), std::min(steps, Index{1} << 24));
  halve(chunk, 1, itemsize, most_bytes);
  return {std::move(chunk), 0, true};
}

Storage storage_of_series(const std::vector<Index>& step, std::size_t itemsize, int deflate) {
  std::vector<Index> chunk = positive(step);
  chunk.insert(chunk.begin(), 1);
  halve(chunk, 1, itemsize, Index{1} << 20);
  return {std::move(chunk), deflate, true};
}

Handle creation_of(const Storage& storage) {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  const hid_t id = creation.get();
  if (!storage.chunks.empty()) {
    const std::vector<hsize_t> extents(storage.chunks.begin(), storage.chunks.end());
    checked(H5Pset_chunk(id, static_cast<int>(extents.size()), extents.data()), "H5Pset_chunk");
  }
  if (storage.deflate > 0) {
    checked(H5Pset_shuffle(id), "H5Pset_shuffle");
    checked(H5Pset_deflate(id, static_cast<unsigned>(storage.deflate)), "H5Pset_deflate");
  }
  // The place of the elements is fixed now, and they are written by all processes later. That of
  // compressed ones is known when they are.
  checked(H5Pset_alloc_time(id, storage.deflate > 0 ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY),
          "H5Pset_alloc_time");
  checked(H5Pset_fill_time(id, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  checked(H5Pset_obj_track_times(id, false), "H5Pset_obj_track_times");
  return creation;
}

Handle space_of(const std::vector<Index>& shape, const Storage& storage) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"};
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  std::vector<hsize_t> most = extents;
  if (storage.series)
    // A chunk may reach over extents that can grow alone.
    for (std::size_t d = 0; d < most.size(); ++d)
      if (d == 0 || most[d] == 0) most[d] = H5S_UNLIMITED;
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), most.data()), H5Sclose,
          "H5Screate_simple"};
}

}  // namespace daptor::hdf5::detail
