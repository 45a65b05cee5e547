// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/chunked_transfer.hpp"

#include <algorithm>
#include <utility>

#include "exchange/move.hpp"
#include "exchange/split.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// Pieces of several arrays share a message up to this size.
constexpr std::size_t shared_message_bytes = 64 * 1024;

Index most_elements(std::size_t bytes, std::size_t itemsize) {
  return std::max<Index>(1, static_cast<Index>(bytes / itemsize));
}

}  // namespace

ChunkedTransfer::ChunkedTransfer(const Sharing& sharing, const ArrayMemory& source,
                                 const ArrayMemory& target, const ChunkOptions& options)
    : itemsize_(source.itemsize), own_(sharing.own, source, target) {
  fill(sends_, sharing.owned, source, true, options);
  fill(receives_, sharing.wanted, target, false, options);
  for (const Chunk& chunk : sends_.chunks) sent_ += static_cast<Index>(chunk.bytes);
  for (const Chunk& chunk : receives_.chunks) received_ += static_cast<Index>(chunk.bytes);
  copied_ = own_.count() * static_cast<Index>(itemsize_ * options.arrays);
  stores_ = stores_for(received_ + copied_);
  make_buffers(sends_, false);
  make_buffers(receives_, false);
  selected_.sends.assign(sharing.owned.size(), 1);
  selected_.receives.assign(sharing.wanted.size(), 1);
  sources_.reserve(options.arrays);
  targets_.reserve(options.arrays);
  requests_.fill(MPI_REQUEST_NULL);
}

/// Fills the queue with the chunks for each rank in turn, beginning with the next rank above this
/// one (or below it).
void ChunkedTransfer::fill(Queue& queue, const std::vector<SharedRegions>& shared,
                           const ArrayMemory& memory, bool upwards, const ChunkOptions& options) {
  std::vector<const SharedRegions*> in_turn;
  in_turn.reserve(shared.size());
  for (const SharedRegions& with : shared) in_turn.push_back(&with);
  const auto distance = [&](const SharedRegions* with) {
    const int up = with->rank - options.rank;
    return ((upwards ? up : -up) + options.ranks) % options.ranks;
  };
  std::sort(in_turn.begin(), in_turn.end(),
            [&](const auto* a, const auto* b) { return distance(a) < distance(b); });
  for (const SharedRegions* with : in_turn) {
    const auto peer = static_cast<std::size_t>(with - shared.data());
    for (const Region& region : with->regions) {
      const std::size_t bytes = static_cast<std::size_t>(region.count()) * itemsize_;
      const bool together =
          bytes * options.arrays <= std::min(options.chunk_bytes, shared_message_bytes);
      std::vector<Region> parts;
      split(region, {most_elements(options.chunk_bytes, itemsize_), options.crossed}, parts);
      for (const Region& part : parts) {
        const auto runs = std::make_shared<const MemoryRuns>(memory.runs(part));
        const std::size_t each = static_cast<std::size_t>(part.count()) * itemsize_;
        const std::size_t arrays = together ? options.arrays : 1;
        for (std::size_t first = 0; first < options.arrays; first += arrays)
          queue.chunks.push_back({with->rank, peer, first, arrays, runs, each * arrays});
      }
    }
  }
}

/// Allocates buffers for chunks that are not one run of memory; with `all`, for all chunks.
void ChunkedTransfer::make_buffers(Queue& queue, bool all) {
  std::size_t largest = 0;
  for (const Chunk& chunk : queue.chunks)
    if (all || !direct(chunk)) largest = std::max(largest, chunk.bytes);
  if (largest <= queue.buffer_bytes) return;
  queue.buffers.reset(new std::byte[slots * largest]);
  queue.buffer_bytes = largest;
}

std::size_t ChunkedTransfer::buffer_bytes() const {
  return slots * (sends_.buffer_bytes + receives_.buffer_bytes) + own_.buffer_bytes();
}

bool ChunkedTransfer::received_directly(const Chunk& chunk) const {
  return conversion_.copies() && direct(chunk);
}

bool ChunkedTransfer::find_next(Queue& queue, const std::vector<char>& selected) {
  while (queue.next < queue.chunks.size() && selected[queue.chunks[queue.next].peer] == 0)
    ++queue.next;
  return queue.next < queue.chunks.size();
}

MPI_Request ChunkedTransfer::send_next(std::size_t slot) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (!find_next(sends_, selected_.sends)) return request;
  const Chunk& chunk = sends_.chunks[sends_.next++];
  const std::byte* data = sources_[chunk.first] + chunk.runs->first();
  if (!direct(chunk)) {
    std::byte* packed = sends_.buffer(slot);
    data = packed;
    for (std::size_t i = 0; i < chunk.arrays; ++i)
      packed = pack(*chunk.runs, sources_[chunk.first + i], packed);
  }
  check_mpi(
      MPI_Isend(data, static_cast<int>(chunk.bytes), MPI_BYTE, chunk.rank, tag_, comm_, &request),
      "MPI_Isend");
  return request;
}

MPI_Request ChunkedTransfer::receive_next(std::size_t slot) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (!find_next(receives_, selected_.receives)) return request;
  receives_.current[slot] = receives_.next;
  const Chunk& chunk = receives_.chunks[receives_.next++];
  std::byte* const data = received_directly(chunk) ? targets_[chunk.first] + chunk.runs->first()
                                                   : receives_.buffer(slot);
  check_mpi(
      MPI_Irecv(data, static_cast<int>(chunk.bytes), MPI_BYTE, chunk.rank, tag_, comm_, &request),
      "MPI_Irecv");
  return request;
}

void ChunkedTransfer::unpack(std::size_t slot) {
  const Chunk& chunk = receives_.chunks[receives_.current[slot]];
  if (received_directly(chunk)) return;
  const std::byte* packed = receives_.buffer(slot);
  const std::size_t each = chunk.bytes / chunk.arrays;
  for (std::size_t i = 0; i < chunk.arrays; ++i)
    conversion_.unpack(*chunk.runs, packed + i * each, targets_[chunk.first + i], stores_);
}

void ChunkedTransfer::copy_next() {
  const auto array = static_cast<std::size_t>(copied_steps_ / own_.steps());
  own_.step(copied_steps_++ % own_.steps(), sources_[array], targets_[array], conversion_, stores_);
}

bool ChunkedTransfer::copy_some() {
  if (all_copied()) return false;
  copy_next();
  return true;
}

void ChunkedTransfer::reserve_for_conversion() {
  make_buffers(receives_, true);
  own_.reserve_for_conversion();
}

void ChunkedTransfer::bind(const std::vector<DistArray>& sources,
                           const std::vector<DistArray>& targets, const Conversion& conversion) {
  if (!conversion.copies()) make_buffers(receives_, true);
  own_.prepare(conversion);
  sources_.clear();
  for (const Section& source : sources)
    sources_.push_back(static_cast<const std::byte*>(source.data()));
  targets_.clear();
  for (const Section& target : targets)
    targets_.push_back(static_cast<std::byte*>(target.mutable_data()));
  conversion_ = conversion;
}

void ChunkedTransfer::start(MPI_Comm comm, int tag) {
  comm_ = comm;
  tag_ = tag;
  sends_.next = receives_.next = 0;
  copied_steps_ = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) requests_[slot] = receive_next(slot);
  for (std::size_t slot = 0; slot < slots; ++slot) requests_[slots + slot] = send_next(slot);
}

/// Index of a finished request, or MPI_UNDEFINED if none is left. While no request is finished,
/// copies elements that stay on this process.
int ChunkedTransfer::next_finished() {
  int finished = MPI_UNDEFINED;
  while (!all_copied()) {
    int done = 0;
    check_mpi(MPI_Testany(static_cast<int>(requests_.size()), requests_.data(), &finished, &done,
                          MPI_STATUS_IGNORE),
              "MPI_Testany");
    if (done != 0 && finished != MPI_UNDEFINED) return finished;
    copy_next();
  }
  check_mpi(MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &finished,
                        MPI_STATUS_IGNORE),
            "MPI_Waitany");
  return finished;
}

void ChunkedTransfer::finish() {
  for (int finished = next_finished(); finished != MPI_UNDEFINED; finished = next_finished())
    advance(finished);
}

void ChunkedTransfer::advance(int finished) {
  const auto request = static_cast<std::size_t>(finished);
  if (request < slots) {
    unpack(request);
    requests_[request] = receive_next(request);
  } else {
    requests_[request] = send_next(request - slots);
  }
}

void ChunkedTransfer::cancel() noexcept {
  for (std::size_t i = 0; i < requests_.size(); ++i) cancel_request(requests_[i], i < slots);
}

}  // namespace daptor::detail
