#include "redistribution/transfer.hpp"

#include <algorithm>
#include <utility>

#include "mpi_duplicate.hpp"
#include "redistribution/chunks.hpp"
#include "transfer/move.hpp"

namespace daptor::detail {
namespace {

/// What is copied within a process goes through a buffer that stays in the cache.
constexpr std::size_t scratch_bytes = 128 * 1024;

Index most_elements(std::size_t bytes, const Layout& layout) {
  return std::max<Index>(1, static_cast<Index>(bytes / layout.itemsize));
}

}  // namespace

ChunkedTransfer::ChunkedTransfer(const Sharing& sharing, const Layout& source, const Layout& target,
                                 int rank, int ranks, std::size_t chunk_bytes) {
  fill(sends_, sharing.owned, source, chunk_bytes, true, rank, ranks, sent_);
  fill(receives_, sharing.wanted, target, chunk_bytes, false, rank, ranks, received_);
  for (const OwnRegions& own : sharing.own) {
    std::vector<Region> from, to;
    split(own.owned, most_elements(scratch_bytes, source), from);
    split(own.wanted, most_elements(scratch_bytes, source), to);
    for (std::size_t i = 0; i < from.size(); ++i) {
      own_.push_back({Runs(from[i], source.byte_strides, source.itemsize),
                      Runs(to[i], target.byte_strides, target.itemsize)});
      copied_ += own_.back().from.bytes();
      if (!scratch_ && !own_.back().from.contiguous() && !own_.back().to.contiguous()) {
        scratch_.reset(new std::byte[std::max(scratch_bytes, source.itemsize)]);
        buffered_ += scratch_bytes;
      }
    }
  }
}

/// Ranks in turn, from the next above (or below) on; buffers where a chunk needs one.
void ChunkedTransfer::fill(Queue& queue, const std::vector<SharedRegions>& shared,
                           const Layout& layout, std::size_t chunk_bytes, bool upwards, int rank,
                           int ranks, Index& bytes) {
  std::vector<const SharedRegions*> in_turn;
  for (const SharedRegions& with : shared) in_turn.push_back(&with);
  const auto distance = [&](const SharedRegions* with) {
    return upwards ? (with->rank - rank + ranks) % ranks : (rank - with->rank + ranks) % ranks;
  };
  std::sort(in_turn.begin(), in_turn.end(),
            [&](const auto* a, const auto* b) { return distance(a) < distance(b); });
  std::size_t largest = 0;
  for (const SharedRegions* with : in_turn) {
    std::vector<Region> parts;
    for (const Region& region : with->regions)
      split(region, most_elements(chunk_bytes, layout), parts);
    for (const Region& region : parts) {
      queue.chunks.push_back({with->rank, Runs(region, layout.byte_strides, layout.itemsize)});
      const Runs& runs = queue.chunks.back().runs;
      bytes += runs.bytes();
      if (!runs.contiguous()) largest = std::max(largest, static_cast<std::size_t>(runs.bytes()));
    }
  }
  if (largest == 0) return;
  for (auto& buffer : queue.buffers) buffer.reset(new std::byte[largest]);
  buffered_ += slots * largest;
}

std::size_t ChunkedTransfer::buffer_bytes() const {
  return buffered_;
}

MPI_Request ChunkedTransfer::send_next(std::size_t slot, const std::byte* source, MPI_Comm comm,
                                       int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (sends_.next == sends_.chunks.size()) return request;
  const Chunk& chunk = sends_.chunks[sends_.next++];
  const std::byte* data = source + chunk.runs.first();
  if (!chunk.runs.contiguous()) {
    pack(chunk.runs, source, sends_.buffers[slot].get());
    data = sends_.buffers[slot].get();
  }
  check_mpi(MPI_Isend(data, static_cast<int>(chunk.runs.bytes()), MPI_BYTE, chunk.rank, tag, comm,
                      &request),
            "MPI_Isend");
  return request;
}

MPI_Request ChunkedTransfer::receive_next(std::size_t slot, std::byte* target, MPI_Comm comm,
                                          int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (receives_.next == receives_.chunks.size()) return request;
  receives_.current[slot] = receives_.next;
  const Chunk& chunk = receives_.chunks[receives_.next++];
  std::byte* const data =
      chunk.runs.contiguous() ? target + chunk.runs.first() : receives_.buffers[slot].get();
  check_mpi(MPI_Irecv(data, static_cast<int>(chunk.runs.bytes()), MPI_BYTE, chunk.rank, tag, comm,
                      &request),
            "MPI_Irecv");
  return request;
}

void ChunkedTransfer::unpack(std::size_t slot, std::byte* target) {
  const Chunk& chunk = receives_.chunks[receives_.current[slot]];
  if (!chunk.runs.contiguous()) detail::unpack(chunk.runs, receives_.buffers[slot].get(), target);
}

void ChunkedTransfer::copy_own(const std::byte* source, std::byte* target) {
  for (const OwnChunk& chunk : own_) {
    if (chunk.from.contiguous()) {
      detail::unpack(chunk.to, source + chunk.from.first(), target);
    } else if (chunk.to.contiguous()) {
      pack(chunk.from, source, target + chunk.to.first());
    } else {
      pack(chunk.from, source, scratch_.get());
      detail::unpack(chunk.to, scratch_.get(), target);
    }
  }
}

void ChunkedTransfer::run(const std::byte* source, std::byte* target, MPI_Comm comm, int tag) {
  sends_.next = receives_.next = 0;
  std::array<MPI_Request, 2 * slots> requests;
  for (std::size_t slot = 0; slot < slots; ++slot)
    requests[slot] = receive_next(slot, target, comm, tag);
  for (std::size_t slot = 0; slot < slots; ++slot)
    requests[slots + slot] = send_next(slot, source, comm, tag);
  copy_own(source, target);
  while (true) {
    int done = MPI_UNDEFINED;
    check_mpi(
        MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUS_IGNORE),
        "MPI_Waitany");
    if (done == MPI_UNDEFINED) return;
    const auto finished = static_cast<std::size_t>(done);
    if (finished < slots) {
      unpack(finished, target);
      requests[finished] = receive_next(finished, target, comm, tag);
    } else {
      requests[finished] = send_next(finished - slots, source, comm, tag);
    }
  }
}

}  // namespace daptor::detail
