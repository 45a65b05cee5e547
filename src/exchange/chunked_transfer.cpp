// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/chunked_transfer.hpp"

#include <algorithm>
#include <thread>
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
    : itemsize_(source.itemsize), own_(sharing.own, source, target), node_(options.node) {
  fill(sends_, sharing.owned, source, true, options);
  fill(receives_, sharing.wanted, target, false, options);
  for (const Chunk& chunk : sends_.chunks) sent_ += static_cast<Index>(chunk.bytes);
  for (const Chunk& chunk : receives_.chunks) received_ += static_cast<Index>(chunk.bytes);
  copied_ = own_.count() * static_cast<Index>(itemsize_ * options.arrays);
  stores_ = stores_for(received_ + copied_);
  for (const Chunk& chunk : sends_.chunks)
    if (shared(chunk)) sends_.shared_bytes = std::max(sends_.shared_bytes, chunk.bytes);
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

/// Allocates buffers for chunks that are not one run of memory, or may be in shared pages; with
/// `all`, for all chunks.
void ChunkedTransfer::make_buffers(Queue& queue, bool all) {
  std::size_t largest = 0;
  for (const Chunk& chunk : queue.chunks)
    if (all || needs_buffer(chunk)) largest = std::max(largest, chunk.bytes);
  if (largest <= queue.buffer_bytes) return;
  queue.buffers.reset(new std::byte[slots * largest]);
  queue.buffer_bytes = largest;
}

std::size_t ChunkedTransfer::buffer_bytes() const {
  return slots * (sends_.buffer_bytes + receives_.buffer_bytes) + own_.buffer_bytes();
}

bool ChunkedTransfer::received_directly(const Chunk& chunk) const {
  return conversion_.copies() && !needs_buffer(chunk);
}

bool ChunkedTransfer::find_next(Queue& queue, const std::vector<char>& selected) {
  while (queue.next < queue.chunks.size() && selected[queue.chunks[queue.next].peer] == 0)
    ++queue.next;
  return queue.next < queue.chunks.size();
}

bool ChunkedTransfer::shared(const Chunk& chunk) const {
  return node_ != nullptr && chunk.bytes >= least_shared_bytes && node_->shares_with(chunk.rank);
}

const std::byte* ChunkedTransfer::packed(const Chunk& chunk, std::byte* to) const {
  std::byte* end = to;
  for (std::size_t i = 0; i < chunk.arrays; ++i)
    end = pack(*chunk.runs, sources_[chunk.first + i], end);
  return to;
}

MPI_Request ChunkedTransfer::send_next(std::size_t slot) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (!find_next(sends_, selected_.sends)) return request;
  const Chunk& chunk = sends_.chunks[sends_.next++];
  const void* data = sources_[chunk.first] + chunk.runs->first();
  std::size_t bytes = chunk.bytes;
  if (places_[slot] && shared(chunk)) {
    packed(chunk, places_[slot].data());
    letters_[slot] = places_[slot].filled();
    unread_[slot] = true;
    data = &letters_[slot];
    bytes = sizeof(Letter);
  } else if (!direct(chunk)) {
    data = packed(chunk, sends_.buffer(slot));
  }
  check_mpi(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, chunk.rank, tag_, comm_, &request),
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

void ChunkedTransfer::unpack(std::size_t slot, const MPI_Status& status) {
  const Chunk& chunk = receives_.chunks[receives_.current[slot]];
  if (received_directly(chunk)) return;
  if (!shared(chunk)) return unpack(chunk, receives_.buffer(slot));
  const auto arrival = node_->arrival(chunk.rank, status, receives_.buffer(slot), chunk.bytes);
  unpack(chunk, arrival ? arrival->data() : receives_.buffer(slot));
  if (arrival) arrival->done();
}

void ChunkedTransfer::unpack(const Chunk& chunk, const std::byte* packed) {
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
  take_places();
  for (std::size_t slot = 0; slot < slots; ++slot) requests_[slot] = receive_next(slot);
  for (std::size_t slot = 0; slot < slots; ++slot) requests_[slots + slot] = send_next(slot);
}

void ChunkedTransfer::take_places() {
  if (sends_.shared_bytes == 0) return;
  const std::size_t number = std::min(slots, sends_.chunks.size());
  for (std::size_t slot = 0; slot < number; ++slot)
    if (!places_[slot]) places_[slot] = node_->outbox().take(sends_.shared_bytes);
}

void ChunkedTransfer::give_places_back() noexcept {
  for (Place& place : places_) {
    if (!place) continue;
    node_->outbox().give_back(place);
    place = {};
  }
  unread_.fill(false);
}

/// A slot whose place has been read.
std::optional<std::size_t> ChunkedTransfer::next_read() {
  for (std::size_t slot = 0; slot < slots; ++slot)
    if (unread_[slot] && requests_[slots + slot] == MPI_REQUEST_NULL && places_[slot].empty()) {
      unread_[slot] = false;
      return slot;
    }
  return std::nullopt;
}

/// The next slot that can go on to another chunk; none if nothing is in transfer. While there is
/// none yet, copies elements that stay on this process.
std::optional<ChunkedTransfer::Finished> ChunkedTransfer::next_finished() {
  constexpr int patience = 100;
  for (int tries = 0;; ++tries) {
    if (const auto slot = next_read()) return Finished{false, *slot};
    const bool waits =
        std::find(unread_.begin(), unread_.end(), true) == unread_.end() && all_copied();
    int finished = MPI_UNDEFINED;
    int done = 1;
    MPI_Status status;
    const auto number = static_cast<int>(requests_.size());
    if (waits)
      check_mpi(MPI_Waitany(number, requests_.data(), &finished, &status), "MPI_Waitany");
    else
      check_mpi(MPI_Testany(number, requests_.data(), &finished, &done, &status), "MPI_Testany");
    if (done != 0 && finished != MPI_UNDEFINED) {
      const auto request = static_cast<std::size_t>(finished);
      const bool receive = request < slots;
      if (receive) unpack(request, status);
      if (receive || !unread_[request - slots]) return Finished{receive, request % slots};
    } else if (waits) {
      return std::nullopt;
    } else if (!copy_some() && tries > patience) {
      std::this_thread::yield();
    }
  }
}

void ChunkedTransfer::finish() {
  while (const auto finished = next_finished()) {
    const auto [receive, slot] = *finished;
    if (receive)
      requests_[slot] = receive_next(slot);
    else
      requests_[slots + slot] = send_next(slot);
  }
  give_places_back();
}

void ChunkedTransfer::cancel() noexcept {
  give_places_back();
  for (std::size_t i = 0; i < requests_.size(); ++i) cancel_request(requests_[i], i < slots);
}

}  // namespace daptor::detail
