// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/transfer.hpp"

#include <utility>

#include "exchange/move.hpp"

namespace daptor::detail {
namespace {

std::vector<Parcel> parcels_of(const std::vector<SharedRegions>& shared, const Batch& batch) {
  std::vector<Parcel> parcels;
  for (const SharedRegions& with : shared) {
    Parcel parcel{with.rank, {}, 0};
    for (const Region& region : with.regions) {
      const Runs runs(region, batch.byte_strides, batch.itemsize);
      if (runs.bytes() == 0) continue;
      parcel.bytes += runs.bytes();
      parcel.regions.push_back(runs);
    }
    parcels.push_back(std::move(parcel));
  }
  return parcels;
}

/// Not zeroed: pages that no message needs are never touched.
std::unique_ptr<std::byte[]> room_for(const std::vector<SharedRegions>& shared,
                                      const Batch& batch) {
  std::size_t elements = 0;
  for (const SharedRegions& with : shared)
    for (const Region& region : with.regions) elements += static_cast<std::size_t>(region.count());
  return std::unique_ptr<std::byte[]>(new std::byte[elements * batch.itemsize * batch.arrays]);
}

bool forward(HaloTransfer::Direction direction) {
  return direction == HaloTransfer::Direction::to_copies;
}

}  // namespace

HaloBuffers::HaloBuffers(const HaloPlan& plan, const Batch& batch)
    : owned(room_for(plan.owned, batch)), copies(room_for(plan.wanted, batch)) {}

HaloTransfer::HaloTransfer(Direction direction, const HaloPlan& plan, const Batch& batch,
                           const HaloBuffers& buffers, std::size_t piece)
    : sends_(parcels_of(forward(direction) ? plan.owned : plan.wanted, batch), batch.arrays,
             Parcels::Direction::send, false,
             forward(direction) ? buffers.owned.get() : buffers.copies.get(), piece),
      receives_(parcels_of(forward(direction) ? plan.wanted : plan.owned, batch), batch.arrays,
                Parcels::Direction::receive, !forward(direction),
                forward(direction) ? buffers.copies.get() : buffers.owned.get(), piece) {
  for (const OwnRegions& own : plan.own) {
    const Region& from = forward(direction) ? own.owned : own.wanted;
    const Region& to = forward(direction) ? own.wanted : own.owned;
    Index distance = 0;
    for (std::size_t d = 0; d < from.along.size(); ++d)
      distance += (to.along[d].first() - from.along[d].first()) * batch.byte_strides[d];
    own_.push_back({Runs(from, batch.byte_strides, batch.itemsize), distance});
  }
}

Index HaloTransfer::own_bytes() const {
  Index bytes = 0;
  for (const Own& copy : own_) bytes += copy.from.bytes();
  return bytes;
}

HaloTransfer::Bound HaloTransfer::bound_to(std::vector<std::byte*> arrays) const {
  Bound bound;
  bound.sends = sends_.bound_to(arrays);
  bound.receives = receives_.bound_to(arrays);
  bound.arrays = std::move(arrays);
  return bound;
}

void HaloTransfer::bind(Bound bound) noexcept {
  arrays_ = std::move(bound.arrays);
  sends_.bind(std::move(bound.sends));
  receives_.bind(std::move(bound.receives));
}

void HaloTransfer::start(MPI_Comm comm, int tag) {
  receives_.start_all(comm, tag);
  for (std::size_t p = 0; p < sends_.size(); ++p) {
    if (sends_.way(p) == Parcels::Way::packed) {
      std::byte* packed = sends_.packed(p);
      for (const std::byte* const array : arrays_)
        for (const Runs& runs : sends_[p].regions) packed = pack(runs, array, packed);
    }
    sends_.start(p, comm, tag);
  }
}

void HaloTransfer::copy_own(const Combiner* combiner) {
  for (std::byte* const array : arrays_)
    for (const Own& copy : own_) {
      if (combiner != nullptr)
        combiner->within(copy.from, array, copy.distance);
      else
        copy_within(copy.from, array, copy.distance);
    }
}

void HaloTransfer::unpack(std::size_t p, const Combiner* combiner) {
  if (receives_.way(p) != Parcels::Way::packed) return;
  const std::byte* packed = receives_.packed(p);
  for (std::byte* const array : arrays_)
    for (const Runs& runs : receives_[p].regions)
      packed = combiner != nullptr ? combiner->unpack(runs, packed, array)
                                   : detail::unpack(runs, packed, array);
}

void HaloTransfer::finish(const Combiner* combiner) {
  copy_own(combiner);
  for (std::size_t p = 0; p < receives_.size(); ++p) {
    receives_.wait(p);
    unpack(p, combiner);
  }
  sends_.wait_all();
}

void HaloTransfer::abandon() {
  receives_.wait_all();
  sends_.wait_all();
}

void HaloTransfer::cancel() noexcept {
  receives_.cancel();
  sends_.cancel();
}

}  // namespace daptor::detail
