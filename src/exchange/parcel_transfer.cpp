// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/parcel_transfer.hpp"

#include <algorithm>
#include <utility>

#include "exchange/move.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

std::vector<Parcel> parcels_of(const std::vector<SharedRegions>& shared,
                               const ArrayMemory& memory) {
  std::vector<Parcel> parcels;
  for (const SharedRegions& with : shared) {
    Parcel parcel{with.rank, {}, 0};
    for (const Region& region : with.regions) {
      const MemoryRuns runs = memory.runs(region);
      if (runs.bytes() == 0) continue;
      parcel.bytes += runs.bytes();
      parcel.regions.push_back(runs);
    }
    parcels.push_back(std::move(parcel));
  }
  return parcels;
}

/// Whether two selections of as many indices differ by a constant.
bool shifted_alike(const Selection& a, const Selection& b) {
  if (a.is_range() || b.is_range()) return a.is_range() && b.is_range();
  if (a.spans == b.spans) return true;
  if (a.spans->size() != b.spans->size()) return false;
  const Index distance = b.first() - a.first();
  for (std::size_t i = 0; i < a.spans->size(); ++i) {
    const IndexSpan here = (*a.spans)[i], there = (*b.spans)[i];
    if (there.start - here.start != distance || here.count != there.count) return false;
  }
  return true;
}

bool shifted_alike(const OwnRegions& own) {
  for (std::size_t d = 0; d < own.owned.along.size(); ++d)
    if (!shifted_alike(own.owned.along[d], own.wanted.along[d])) return false;
  return true;
}

/// Memory that is not zeroed, so that pages that no message needs are never touched.
std::unique_ptr<std::byte[]> room_for(const std::vector<SharedRegions>& shared, std::size_t size) {
  std::size_t elements = 0;
  for (const SharedRegions& with : shared)
    for (const Region& region : with.regions) elements += static_cast<std::size_t>(region.count());
  return std::unique_ptr<std::byte[]>(new std::byte[elements * size]);
}

}  // namespace

ParcelBuffers::ParcelBuffers(const Sharing& sharing, std::size_t itemsize, std::size_t arrays)
    : owned(room_for(sharing.owned, itemsize * arrays)),
      wanted(room_for(sharing.wanted, itemsize * arrays)) {}

ParcelTransfer::ParcelTransfer(const Sharing& sharing, const ArrayMemory& memory,
                               const ParcelOptions& options)
    : sends_(parcels_of(sharing.owned, memory), Parcels::Direction::send,
             {options.arrays, false, options.send_buffer, options.piece, options.node}),
      receives_(
          parcels_of(sharing.wanted, memory), Parcels::Direction::receive,
          {options.arrays, options.combines, options.receive_buffer, options.piece, options.node}) {
  Index packed = 0;
  for (const OwnRegions& own : sharing.own) {
    if (!shifted_alike(own)) {
      own_.push_back({memory.runs(own.owned), 0, memory.runs(own.wanted)});
      packed = std::max(packed, own_.back().from.bytes());
      continue;
    }
    Index distance = 0;
    for (std::size_t d = 0; d < own.owned.along.size(); ++d)
      distance +=
          (own.wanted.along[d].first() - own.owned.along[d].first()) * memory.byte_strides[d];
    own_.push_back({memory.runs(own.owned), distance});
  }
  if (packed > 0) own_buffer_.reset(new std::byte[static_cast<std::size_t>(packed)]);
}

void ParcelTransfer::agree_on_pages(MPI_Comm comm, int tag) {
  std::vector<MPI_Request> requests;
  std::vector<char> told(receives_.size(), 0), says(sends_.size(), 0);
  for (std::size_t p = 0; p < receives_.size(); ++p)
    if (receives_.may_be_in_pages(p))
      check_mpi(MPI_Irecv(&told[p], 1, MPI_CHAR, receives_[p].rank, tag, comm,
                          &requests.emplace_back(MPI_REQUEST_NULL)),
                "MPI_Irecv");
  for (std::size_t p = 0; p < sends_.size(); ++p) {
    if (!sends_.may_be_in_pages(p)) continue;
    says[p] = sends_.uses_pages(p) ? 1 : 0;
    check_mpi(MPI_Isend(&says[p], 1, MPI_CHAR, sends_[p].rank, tag, comm,
                        &requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  for (std::size_t p = 0; p < receives_.size(); ++p)
    if (told[p] != 0) receives_.expect_pages(p);
}

Index ParcelTransfer::own_bytes() const {
  Index bytes = 0;
  for (const Own& copy : own_) bytes += copy.from.bytes();
  return bytes;
}

ParcelTransfer::Bound ParcelTransfer::bound_to(std::vector<std::byte*> arrays) const {
  Bound bound;
  bound.sends = sends_.bound_to(arrays);
  bound.receives = receives_.bound_to(arrays);
  bound.arrays = std::move(arrays);
  return bound;
}

void ParcelTransfer::bind(Bound bound) noexcept {
  arrays_ = std::move(bound.arrays);
  sends_.bind(std::move(bound.sends));
  receives_.bind(std::move(bound.receives));
}

void ParcelTransfer::start(MPI_Comm comm, int tag) {
  receives_.start_all(comm, tag);
  for (std::size_t p = 0; p < sends_.size(); ++p) {
    if (sends_.way(p) == Parcels::Way::packed) {
      std::byte* packed = sends_.room(p);
      for (const std::byte* const array : arrays_)
        for (const MemoryRuns& runs : sends_[p].regions) packed = pack(runs, array, packed);
    }
    sends_.start(p, comm, tag);
  }
}

void ParcelTransfer::unpack(std::size_t p) {
  const std::byte* packed = receives_.arrived(p);
  if (packed == nullptr) return;
  for (std::byte* const array : arrays_)
    for (const MemoryRuns& runs : receives_[p].regions)
      packed = combiner_.unpack(runs, packed, array);
  receives_.read(p);
}

void ParcelTransfer::copy_within(const Own& copy, std::byte* array) {
  if (!copy.to) return combiner_.within(copy.from, array, copy.distance);
  pack(copy.from, array, own_buffer_.get());
  combiner_.unpack(*copy.to, own_buffer_.get(), array);
}

void ParcelTransfer::finish() {
  for (std::byte* const array : arrays_)
    for (const Own& copy : own_) copy_within(copy, array);
  for (std::size_t p = 0; p < receives_.size(); ++p) {
    receives_.wait(p);
    unpack(p);
  }
  sends_.wait_all();
}

void ParcelTransfer::abandon() {
  for (std::size_t p = 0; p < receives_.size(); ++p) {
    receives_.wait(p);
    receives_.read(p);
  }
  sends_.wait_all();
}

void ParcelTransfer::cancel() noexcept {
  receives_.cancel();
  sends_.cancel();
}

}  // namespace daptor::detail
