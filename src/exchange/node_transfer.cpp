// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/node_transfer.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// Elements that are read together stay in the cache until they are written.
constexpr std::size_t most_tile_bytes = 512 * 1024;
/// Shorter runs are sent by messages: the system looks up the pages of each run.
constexpr Index least_run_bytes = 2048;

/// The same elements, in the order of memory.
Region in_memory_order(Region region, const std::vector<Index>& byte_strides) {
  region.order = memory_order(region.counts(), byte_strides);
  return region;
}

Index elements_of(const SharedRegions& with) {
  Index count = 0;
  for (const Region& region : with.regions) count += region.count();
  return count;
}

Index elements_of(const std::vector<SharedRegions>& shared, int rank) {
  Index count = 0;
  for (const SharedRegions& with : shared)
    if (with.rank == rank) count += elements_of(with);
  return count;
}

/// Whether two ranks exchange enough to read each other's memory. Both get the same answer.
bool enough(const Sharing& sharing, int rank, std::size_t itemsize, const NodeOptions& options) {
  const Index elements =
      std::max(elements_of(sharing.owned, rank), elements_of(sharing.wanted, rank));
  const Index bytes = elements * static_cast<Index>(itemsize * options.arrays);
  return bytes > 0 && (options.always || bytes >= least_read_bytes);
}

}  // namespace

bool in_long_runs(const std::vector<SharedRegions>& sent, const ArrayMemory& source) {
  if (source.box) return false;
  Index bytes = 0;
  Index runs = 0;
  for (const SharedRegions& with : sent)
    for (const Region& region : with.regions) {
      const MemoryRuns those = source.runs(in_memory_order(region, source.byte_strides));
      bytes += those.bytes();
      runs += those.number();
    }
  return bytes >= runs * least_run_bytes;
}

Index most_to_one(const std::vector<SharedRegions>& sent) {
  Index most = 0;
  for (const SharedRegions& with : sent) most = std::max(most, elements_of(with));
  return most;
}

bool all_mappable(const std::vector<DistArray>& arrays) {
  return std::all_of(arrays.begin(), arrays.end(), [](const DistArray& array) {
    return array.local_count() == 0 || MemoryThere::of(array).mappable();
  });
}

NodeTransfer::NodeTransfer(std::unique_ptr<ChunkedTransfer> messages, const Sharing& sharing,
                           const ArrayMemory& source, const ArrayMemory& target,
                           const NodeOptions& options)
    : messages_(std::move(messages)),
      target_(target),
      itemsize_(source.itemsize),
      numbered_(source.box.has_value()),
      by_messages_(messages_->selected()),
      declined_(messages_->selected()) {
  targets_.reserve(options.arrays);
  if (options.node == nullptr) return;
  long_runs_ = options.node->reads() && (options.always || in_long_runs(sharing.owned, source));
  maps_ = options.node->maps();
  add_readers(sharing, source, options);
  add_sources(sharing, options);
  declined_.own = false;
  for (auto* flags : {&declined_.sends, &declined_.receives})
    std::fill(flags->begin(), flags->end(), char{0});
  for (auto* requests : {&announcing_, &answered_})
    requests->assign(readers_.size(), MPI_REQUEST_NULL);
  for (auto* requests : {&announced_, &answering_})
    requests->assign(sources_.size(), MPI_REQUEST_NULL);
  const auto selected = [](const std::vector<char>& flags) {
    return std::find(flags.begin(), flags.end(), 1) != flags.end();
  };
  if (sources_.empty() || !selected(by_messages_.receives)) return;
  own_bytes_ = std::max(itemsize_, std::min(most_tile_bytes, options.chunk_bytes));
  own_buffer_.reset(new std::byte[own_bytes_]);
}

void NodeTransfer::add_readers(const Sharing& sharing, const ArrayMemory& source,
                               const NodeOptions& options) {
  std::vector<std::vector<std::byte>> descriptions;
  std::size_t bytes = 0;
  for (std::size_t peer = 0; peer < sharing.owned.size(); ++peer) {
    const auto& [rank, regions] = sharing.owned[peer];
    if (options.node->process(rank) == 0 || elements_of(sharing.owned, rank) == 0 ||
        !enough(sharing, rank, itemsize_, options))
      continue;
    by_messages_.sends[peer] = 0;
    readers_.push_back({rank, peer, Announcement(options.arrays)});
    descriptions.push_back(numbered_ ? std::vector<std::byte>()
                                     : RegionsThere::describe(regions, source));
    bytes += descriptions.back().size();
  }
  if (options.mappable && maps_) descriptions_ = allocate_small_mappable(bytes);
  if (!descriptions_) descriptions_ = std::shared_ptr<std::byte[]>(new std::byte[bytes]);
  auto* next = static_cast<std::byte*>(descriptions_.get());
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const std::vector<std::byte>& description = descriptions[i];
    std::copy(description.begin(), description.end(), next);
    for (Announced& announced : readers_[i].announcement) {
      announced.description = MemoryThere::of(next, description.size());
      announced.description_bytes = description.size();
    }
    next += description.size();
  }
}

void NodeTransfer::add_sources(const Sharing& sharing, const NodeOptions& options) {
  for (std::size_t peer = 0; peer < sharing.wanted.size(); ++peer) {
    const auto& [rank, regions] = sharing.wanted[peer];
    const int process = options.node->process(rank);
    if (process == 0 || elements_of(sharing.wanted, rank) == 0 ||
        !enough(sharing, rank, itemsize_, options))
      continue;
    by_messages_.receives[peer] = 0;
    sources_.push_back(
        {rank, process, peer, regions, Announcement(options.arrays), MappedArrays(options.arrays)});
  }
}

void NodeTransfer::bind(const std::vector<DistArray>& sources,
                        const std::vector<DistArray>& targets, const Conversion& conversion) {
  messages_->bind(sources, targets, conversion);
  for (std::size_t i = 0; i < sources.size() && !readers_.empty(); ++i) {
    MemoryThere there = MemoryThere::of(sources[i]);
    if (!maps_) there.part = {};
    for (Reader& reader : readers_) reader.announcement[i].array = there;
  }
  for (Reader& reader : readers_)
    for (Announced& announced : reader.announcement) announced.mode = mode(reader.announcement);
  targets_.clear();
  for (const Section& target : targets)
    targets_.push_back(static_cast<std::byte*>(target.mutable_data()));
  conversion_ = conversion;
  stores_ = messages_->stores();
}

NodeTransfer::Mode NodeTransfer::mode(const Announcement& announcement) const {
  if (numbered_) return Mode::send;
  if (long_runs_) return Mode::read;
  const bool mappable =
      std::all_of(announcement.begin(), announcement.end(),
                  [](const Announced& announced) { return announced.array.mappable(); });
  return mappable ? Mode::map : Mode::send;
}

void NodeTransfer::start(MPI_Comm comm, int tag) {
  comm_ = comm;
  tag_ = tag;
  const auto bytes = [](const Announcement& all) {
    return static_cast<int>(all.size() * sizeof all.front());
  };
  messages_->select(by_messages_);
  messages_->start(comm, tag);
  for (std::size_t i = 0; i < sources_.size(); ++i)
    check_mpi(MPI_Irecv(sources_[i].announcement.data(), bytes(sources_[i].announcement), MPI_BYTE,
                        sources_[i].rank, tag, comm, &announced_[i]),
              "MPI_Irecv");
  // What the caller has written is in memory before anybody learns where.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    Reader& reader = readers_[i];
    if (mode_of(reader.announcement) != Mode::send)
      check_mpi(MPI_Irecv(&reader.answer, sizeof reader.answer, MPI_BYTE, reader.rank, tag, comm,
                          &answered_[i]),
                "MPI_Irecv");
    check_mpi(MPI_Isend(reader.announcement.data(), bytes(reader.announcement), MPI_BYTE,
                        reader.rank, tag, comm, &announcing_[i]),
              "MPI_Isend");
  }
}

/// Reads the description of the source's side, the first time.
bool NodeTransfer::learn_regions(Source& source) {
  if (source.there) return true;
  const Announced& announced = source.announcement.front();
  std::vector<std::byte> description(announced.description_bytes);
  if (!copy_there(source.process, announced.description, description.data(), description.size()))
    return false;
  source.there = RegionsThere::of(description, source.regions);
  return true;
}

/// Plans to read, the first time, or when a conversion needs other tiles. Returns false if there is
/// no buffer for tiles.
bool NodeTransfer::prepare(Source& source) {
  const std::size_t bytes = room();
  const auto fits = [&] {
    return source.reading && source.reading->buffer_bytes(conversion_) <= bytes;
  };
  if (fits()) return true;
  source.reading =
      std::make_unique<Reading>(source.process, *source.there, source.regions, target_, itemsize_,
                                bytes == 0 ? most_tile_bytes : std::min(bytes, most_tile_bytes));
  return fits();
}

bool NodeTransfer::copy_mapped(Source& source) {
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (!source.mapped.map(source.process, i, source.announcement[i].array)) return false;
  if (!source.copy) {
    std::vector<OwnRegions> pairs;
    for (std::size_t i = 0; i < source.regions.size(); ++i) {
      Region here = in_memory_order(source.regions[i], target_.byte_strides);
      Region there{source.there->regions[i].along, here.order};
      pairs.push_back({std::move(there), std::move(here)});
    }
    source.copy = std::make_unique<OwnCopy>(
        pairs, ArrayMemory{source.there->byte_strides, itemsize_}, target_);
  }
  source.copy->prepare(conversion_);
  for (std::size_t i = 0; i < targets_.size(); ++i)
    for (Index step = 0; step < source.copy->steps(); ++step)
      source.copy->step(step, source.mapped.data(i), targets_[i], conversion_, stores_);
  return true;
}

bool NodeTransfer::read(Source& source, bool& written) {
  if (!prepare(source)) return false;
  // What has been added cannot be added again, from a message.
  for (std::size_t i = 0; conversion_.keeps() && i < targets_.size(); ++i)
    if (!source.reading->readable(source.announcement[i].array.address)) return false;
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (!source.reading->read(source.announcement[i].array.address, targets_[i], conversion_,
                              stores_, buffer(), written))
      return false;
  return true;
}

bool NodeTransfer::take(Source& source, bool& written) {
  try {
    if (target_.box || !learn_regions(source)) return false;
    if (copy_mapped(source)) return true;
    if (source.refused || mode_of(source.announcement) == Mode::map) return false;
    source.refused = !read(source, written);
    return !source.refused;
  } catch (...) {
    // There was no memory for the description.
    return false;
  }
}

/// Takes the elements of a source that has begun, and answers it.
void NodeTransfer::serve(Source& source) {
  declined_.receives[source.peer] = 1;
  if (mode_of(source.announcement) == Mode::send) return;
  // What the source had written when it began is there, and is taken before the answer.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  bool written = false;
  const bool all = take(source, written);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // Elements that were added to the target's must not be added again.
  const bool lost = !all && written && conversion_.keeps();
  declined_.receives[source.peer] = all || lost ? 0 : 1;
  source.answer = all || lost ? Mode::read : Mode::send;
  check_mpi(MPI_Isend(&source.answer, sizeof source.answer, MPI_BYTE, source.rank, tag_, comm_,
                      &answering_[static_cast<std::size_t>(&source - sources_.data())]),
            "MPI_Isend");
  if (lost) failed_rank_ = source.rank;
}

/// Only when nobody reads from this process any more: the caller may then free its arrays.
void NodeTransfer::throw_failure() {
  const int rank = std::exchange(failed_rank_, -1);
  if (rank >= 0)
    throw LibraryFailed(
        "system", "process_vm_readv",
        "part of the memory of rank " + std::to_string(rank) + " could not be read");
}

void NodeTransfer::finish() {
  const auto count = static_cast<int>(announced_.size());
  for (;;) {
    int at = MPI_UNDEFINED;
    int done = 0;
    check_mpi(MPI_Testany(count, announced_.data(), &at, &done, MPI_STATUS_IGNORE), "MPI_Testany");
    if (done == 0 && messages_->copy_some()) continue;
    if (done == 0)
      check_mpi(MPI_Waitany(count, announced_.data(), &at, MPI_STATUS_IGNORE), "MPI_Waitany");
    if (at == MPI_UNDEFINED) break;
    serve(sources_[static_cast<std::size_t>(at)]);
  }
  messages_->finish();
  const auto wait_for = [](std::vector<MPI_Request>& requests) {
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  };
  wait_for(answered_);
  send_the_rest();
  wait_for(announcing_);
  wait_for(answering_);
  throw_failure();
}

/// Moves by messages what one of the two sides has declined to have read.
void NodeTransfer::send_the_rest() {
  bool any = false;
  for (const Reader& reader : readers_) {
    const bool declined = mode_of(reader.announcement) == Mode::send || reader.answer == Mode::send;
    declined_.sends[reader.peer] = declined ? 1 : 0;
    any = any || declined;
  }
  for (const Source& source : sources_) any = any || declined_.receives[source.peer] != 0;
  if (!any) return;
  messages_->select(declined_);
  messages_->start(comm_, tag_);
  messages_->finish();
}

void NodeTransfer::cancel() noexcept {
  messages_->cancel();
  for (auto* requests : {&announced_, &answered_})
    for (MPI_Request& request : *requests) cancel_request(request, true);
  for (auto* requests : {&announcing_, &answering_})
    for (MPI_Request& request : *requests) cancel_request(request, false);
}

}  // namespace daptor::detail
