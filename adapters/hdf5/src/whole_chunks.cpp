// SPDX-License-Identifier: BSD-3-Clause
#include "whole_chunks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "daptor/adapter/communicator.hpp"

namespace daptor::hdf5::detail {
namespace {

/// An HDF5 file in the memory of this process.
Handle file_in_memory() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  checked(H5Pset_fapl_core(access.get(), std::size_t{1} << 20, false), "H5Pset_fapl_core");
  return {H5Fcreate("daptor-chunks", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose,
          "H5Fcreate"};
}

RawChunk read_raw(hid_t dataset, const std::vector<hsize_t>& start) {
  RawChunk chunk;
  hsize_t bytes = 0;
  checked(H5Dget_chunk_storage_size(dataset, start.data(), &bytes), "H5Dget_chunk_storage_size");
  chunk.bytes.resize(static_cast<std::size_t>(bytes));
  checked(H5Dread_chunk(dataset, H5P_DEFAULT, start.data(), &chunk.skipped, chunk.bytes.data()),
          "H5Dread_chunk");
  return chunk;
}

}  // namespace

std::optional<ChunkFilters> ChunkFilters::of(hid_t dataset) {
  Handle creation(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist");
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED) return std::nullopt;
  unsigned options = 0;
  checked(H5Pget_chunk_opts(creation.get(), &options), "H5Pget_chunk_opts");
  if (options != 0) return std::nullopt;
  std::vector<hsize_t> extents = extents_of(dataset);
  checked(H5Pget_chunk(creation.get(), static_cast<int>(extents.size()), extents.data()),
          "H5Pget_chunk");
  Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  return ChunkFilters(std::move(creation), std::move(type), {extents.begin(), extents.end()});
}

std::vector<RawChunk> ChunkFilters::filtered(hid_t type, const void* memory,
                                             const MemoryRegion& from, const FileRegion& to) const {
  std::vector<RawChunk> chunks;
  if (std::find(to.count.begin(), to.count.end(), 0) != to.count.end()) return chunks;
  const Handle file = file_in_memory();
  const std::vector<hsize_t> extents = sizes(to.count);
  // A chunk may reach over extents that can grow alone.
  const std::vector<hsize_t> most(extents.size(), H5S_UNLIMITED);
  const Handle space(
      H5Screate_simple(static_cast<int>(extents.size()), extents.data(), most.data()), H5Sclose,
      "H5Screate_simple");
  const Handle dataset(H5Dcreate2(file.get(), "c", type_.get(), space.get(), H5P_DEFAULT,
                                  creation_.get(), H5P_DEFAULT),
                       H5Dclose, "H5Dcreate2");
  checked(H5Dwrite(dataset.get(), type, memory_space(from).get(), space.get(), H5P_DEFAULT, memory),
          "H5Dwrite");
  checked(H5Dflush(dataset.get()), "H5Dflush");
  std::vector<hsize_t> start(extents.size(), 0);
  for (bool more = true; more;) {
    RawChunk chunk = read_raw(dataset.get(), start);
    chunk.start = start;
    for (std::size_t d = 0; d < start.size(); ++d)
      chunk.start[d] += static_cast<hsize_t>(to.start[d]);
    chunks.push_back(std::move(chunk));
    more = false;
    for (std::size_t d = start.size(); d > 0 && !more; --d) {
      start[d - 1] += static_cast<hsize_t>(extents_[d - 1]);
      more = start[d - 1] < extents[d - 1];
      if (!more) start[d - 1] = 0;
    }
  }
  return chunks;
}

void to_first_rank(const Comm& comm, const std::vector<RawChunk>& chunks,
                   const std::function<void(const RawChunk&)>& take) {
  const auto send = [&](const void* bytes, std::size_t count) {
    comm->sendrecv(0, bytes, count, -1, nullptr, 0);
  };
  if (comm.rank() > 0) {
    const std::uint64_t count = chunks.size();
    send(&count, sizeof(count));
    for (const RawChunk& chunk : chunks) {
      const std::uint64_t head[] = {chunk.start.size(), chunk.skipped, chunk.bytes.size()};
      send(head, sizeof(head));
      send(chunk.start.data(), chunk.start.size() * sizeof(hsize_t));
      send(chunk.bytes.data(), chunk.bytes.size());
    }
    return;
  }
  for (const RawChunk& chunk : chunks) take(chunk);
  for (int rank = 1; rank < comm.size(); ++rank) {
    const auto receive = [&](void* bytes, std::size_t size) {
      comm->sendrecv(-1, nullptr, 0, rank, bytes, size);
    };
    std::uint64_t count = 0;
    receive(&count, sizeof(count));
    for (RawChunk chunk; count > 0; --count) {
      std::uint64_t head[3] = {};
      receive(head, sizeof(head));
      chunk.start.resize(head[0]);
      chunk.skipped = static_cast<unsigned>(head[1]);
      chunk.bytes.resize(head[2]);
      receive(chunk.start.data(), chunk.start.size() * sizeof(hsize_t));
      receive(chunk.bytes.data(), chunk.bytes.size());
      take(chunk);
    }
  }
}

void write_raw(hid_t dataset, const RawChunk& chunk) {
  checked(H5Dwrite_chunk(dataset, H5P_DEFAULT, chunk.skipped, chunk.start.data(),
                         chunk.bytes.size(), chunk.bytes.data()),
          "H5Dwrite_chunk");
}

}  // namespace daptor::hdf5::detail
