// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/host_mirror.hpp"

#include <cstring>

namespace daptor::detail {
namespace {

class HostAsDevice final : public Device {
 public:
  void copy_to_host(void* to, const void* from, std::size_t bytes, const Place&) override {
    std::memcpy(to, from, bytes);
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes, const Place&) override {
    std::memcpy(to, from, bytes);
  }
  void fence(const Place&) override {}
};

void add_run(ByteRun run, std::vector<ByteRun>& runs) {
  if (!runs.empty() && runs.back().offset + runs.back().bytes == run.offset)
    runs.back().bytes += run.bytes;
  else
    runs.push_back(run);
}

void add_region(const Region& region, const ArrayMemory& memory, std::vector<ByteRun>& runs) {
  memory.runs(region).for_each([&](Index offset, const InnerLoop& loop) {
    for (Index i = 0; i < loop.count; ++i) add_run({offset + loop.offset(i), loop.length(i)}, runs);
  });
}

std::vector<ByteRun> runs_of(const std::vector<SharedRegions>& shared,
                             const std::vector<OwnRegions>& own, Region OwnRegions::*side,
                             const ArrayMemory& memory) {
  std::vector<ByteRun> runs;
  for (const SharedRegions& with : shared)
    for (const Region& region : with.regions) add_region(region, memory, runs);
  for (const OwnRegions& each : own) add_region(each.*side, memory, runs);
  return runs;
}

}  // namespace

Section host_memory_like(const Section& array) {
  const IndexRange span = array.buffer().byte_span();
  const std::shared_ptr<std::byte[]> memory(new std::byte[static_cast<std::size_t>(span.size())]);
  return array.in_space(MemorySpace()).with_memory(memory.get() - span.start, memory);
}

std::vector<ByteRun> all_bytes(const Section& array) {
  Region all;
  for (const Index extent : array.local_shape()) all.along.push_back({0, extent, nullptr});
  all.order = memory_order(array.local_shape(), array.byte_strides());
  std::vector<ByteRun> runs;
  if (array.local_count() > 0) add_region(all, ArrayMemory::of(array), runs);
  return runs;
}

std::shared_ptr<Device> host_as_device() {
  return std::make_shared<HostAsDevice>();
}

std::vector<ByteRun> bytes_read(const Sharing& sharing, const ArrayMemory& memory) {
  return runs_of(sharing.owned, sharing.own, &OwnRegions::owned, memory);
}

std::vector<ByteRun> bytes_written(const Sharing& sharing, const ArrayMemory& memory) {
  return runs_of(sharing.wanted, sharing.own, &OwnRegions::wanted, memory);
}

HostMirror::HostMirror(const DistArray& array)
    : host_(host_memory_like(array).on(array.comm())),
      device_(device_of(array.buffer().space())),
      space_(array.buffer().space()) {
  follow(array);
}

void HostMirror::follow(const DistArray& array) noexcept {
  // Whether the array may be written is decided by the leases of the exchange.
  data_ = static_cast<std::byte*>(const_cast<void*>(array.data()));
  state_ = array.buffer().state();
}

void HostMirror::fetch(const std::vector<ByteRun>& runs) {
  if (runs.empty()) return;
  device_->copy_runs_to_host(static_cast<std::byte*>(host_.mutable_data()), data_, runs, place());
  device_->fence(place());
}

void HostMirror::store(const std::vector<ByteRun>& runs) {
  if (runs.empty()) return;
  device_->copy_runs_to_device(data_, static_cast<const std::byte*>(host_.data()), runs, place());
  device_->fence(place());
}

HostMirrors::HostMirrors(const std::vector<DistArray>& arrays) {
  for (const DistArray& array : arrays) {
    if (array.local_count() == 0 || array.buffer().space().host()) return;
    mirrors_.emplace_back(array);
    hosts_.push_back(mirrors_.back().host());
  }
}

void HostMirrors::follow(const std::vector<DistArray>& arrays) noexcept {
  for (std::size_t i = 0; i < mirrors_.size(); ++i) mirrors_[i].follow(arrays[i]);
}

void HostMirrors::fetch(const std::vector<ByteRun>& runs) {
  for (HostMirror& mirror : mirrors_) mirror.fetch(runs);
}

void HostMirrors::store(const std::vector<ByteRun>& runs) {
  for (HostMirror& mirror : mirrors_) mirror.store(runs);
}

void StagedTransfer::start(MPI_Comm comm, int tag) {
  for (const Copies& copies : fetched_) copies.mirrors->fetch(*copies.runs);
  inner_->start(comm, tag);
}

void StagedTransfer::finish() {
  inner_->finish();
  for (const Copies& copies : stored_) copies.mirrors->store(*copies.runs);
}

}  // namespace daptor::detail
