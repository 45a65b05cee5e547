// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/node_transfer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "exchange/split.hpp"
#include "exchange/words.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// Elements that are read together stay in the cache until they are written.
constexpr std::size_t most_tile_bytes = 512 * 1024;
/// Where the two memory orders cross, columns of a tile are at least as long.
constexpr Index least_column_bytes = 512;
/// Shorter runs are sent by messages: the system looks up the pages of each run.
constexpr Index least_run_bytes = 2048;

std::vector<Index> counts_of(const Region& region) {
  std::vector<Index> counts;
  for (const Selection& along : region.along) counts.push_back(along.count);
  return counts;
}

/// The same elements, in the order of memory.
Region in_memory_order(Region region, const std::vector<Index>& byte_strides) {
  region.order = memory_order(counts_of(region), byte_strides);
  return region;
}

Index elements_of(const std::vector<SharedRegions>& shared, int rank) {
  Index count = 0;
  for (const SharedRegions& with : shared) {
    if (with.rank != rank) continue;
    for (const Region& region : with.regions) count += region.count();
  }
  return count;
}

/// Whether two ranks exchange enough to read each other's memory. Both get the same answer.
bool enough(const Sharing& sharing, int rank, std::size_t itemsize, const NodeOptions& options) {
  const Index elements =
      std::max(elements_of(sharing.owned, rank), elements_of(sharing.wanted, rank));
  const Index bytes = elements * static_cast<Index>(itemsize * options.arrays);
  return bytes > 0 && (options.always || bytes >= least_read_bytes);
}

/// How many indices along each dimension make a tile of at most `most` elements. `there` and `here`
/// are the memory orders of the two sides.
std::vector<Index> tile_extents(const std::vector<Index>& counts, const std::vector<int>& there,
                                const std::vector<int>& here, Index most, Index least_column) {
  std::vector<Index> extents(counts.size(), 1);
  Index elements = 1;
  const auto grow = [&](int dimension, Index limit) {
    const auto d = static_cast<std::size_t>(dimension);
    elements /= extents[d];
    extents[d] = std::max<Index>(1, std::min({counts[d], limit, most / elements}));
    elements *= extents[d];
  };
  if (counts.empty()) return extents;
  grow(here.back(), least_column);
  for (auto d = there.rbegin(); d != there.rend(); ++d)
    if (*d != here.back() || *d == there.back()) grow(*d, most);
  grow(here.back(), most);
  return extents;
}

}  // namespace

bool in_long_runs(const Sharing& sharing, const ArrayMemory& source) {
  if (source.box) return false;
  Index bytes = 0;
  Index runs = 0;
  for (const SharedRegions& with : sharing.owned)
    for (const Region& region : with.regions) {
      const MemoryRuns those = source.runs(in_memory_order(region, source.byte_strides));
      bytes += those.bytes();
      runs += those.number();
    }
  return bytes >= runs * least_run_bytes;
}

std::vector<std::byte> Reading::describe(const std::vector<Region>& regions,
                                         const ArrayMemory& memory) {
  Words words;
  for (const Index stride : memory.byte_strides) words.write(stride);
  for (const Region& region : regions)
    for (const Selection& along : region.along) words.write(along);
  return words.bytes();
}

Reading::Reading(int process, const std::vector<std::byte>& description,
                 const std::vector<Region>& regions, const ArrayMemory& target,
                 std::size_t itemsize, std::size_t tile_bytes)
    : process_(process), itemsize_(itemsize), tile_bytes_(tile_bytes) {
  WordReader words(description);
  std::vector<Index> strides(target.byte_strides.size());
  for (Index& stride : strides) stride = words.read();
  for (const Region& here : regions) {
    Region there;
    for (const Selection& along : here.along) {
      there.along.push_back(words.read_selection());
      if (there.along.back().count != along.count)
        throw std::logic_error("regions of different shapes");
    }
    if (here.count() > 0) add(there, strides, here, target);
  }
  if (!words.at_end()) throw std::logic_error("different numbers of regions");
}

/// Adds the tiles of a region, in the order of the other process' memory.
void Reading::add(const Region& there, const std::vector<Index>& there_strides, const Region& here,
                  const ArrayMemory& target) {
  const std::vector<Index> counts = counts_of(here);
  const std::vector<int> order = memory_order(counts, there_strides);
  const auto size = static_cast<Index>(itemsize_);
  const Index most = std::max<Index>(1, static_cast<Index>(tile_bytes_) / size);
  const auto extents = tile_extents(counts, order, memory_order(counts, target.byte_strides), most,
                                    std::max<Index>(1, least_column_bytes / size));
  std::vector<std::vector<Selection>> parts_there, parts_here;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    parts_there.push_back(cut(there.along[d], extents[d]));
    parts_here.push_back(cut(here.along[d], extents[d]));
  }
  std::vector<std::size_t> at(counts.size(), 0);
  Region tile_there{there.along, order};
  Region tile_here{here.along, order};
  const auto next = [&] {
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
      const auto i = static_cast<std::size_t>(*d);
      if (++at[i] < parts_there[i].size()) return true;
      at[i] = 0;
    }
    return false;
  };
  do {
    for (std::size_t d = 0; d < counts.size(); ++d) {
      tile_there.along[d] = parts_there[d][at[d]];
      tile_here.along[d] = parts_here[d][at[d]];
    }
    // The runs of this side have its own element size, which a conversion may change.
    Tile tile{MemoryRuns(tile_there, there_strides, itemsize_), target.runs(tile_here), false};
    tile.straight = tile.here.contiguous();
    const auto bytes = static_cast<std::size_t>(tile.there.bytes());
    most_bytes_ = std::max(most_bytes_, bytes);
    if (!tile.straight) strided_bytes_ = std::max(strided_bytes_, bytes);
    tiles_.push_back(std::move(tile));
  } while (next());
}

bool Reading::read_tile(const Tile& tile, std::uint64_t source, std::byte* target) {
  std::array<iovec, most_pieces> pieces;
  std::size_t number = 0;
  std::size_t bytes = 0;
  bool all = true;
  const auto read_pieces = [&] {
    const iovec here{target, bytes};
    all = all && (number == 0 || read_memory(process_, &here, 1, pieces.data(), number));
    target += bytes;
    number = bytes = 0;
  };
  tile.there.for_each([&](Index offset, const InnerLoop& loop) {
    for (Index i = 0; i < loop.count; ++i) {
      const auto length = static_cast<std::size_t>(loop.length(i));
      const std::uint64_t address = source + static_cast<std::uint64_t>(offset + loop.offset(i));
      pieces[number++] = piece_there(address, length);
      bytes += length;
      if (number == pieces.size()) read_pieces();
    }
  });
  read_pieces();
  return all;
}

bool Reading::readable(std::uint64_t source) const {
  if (tiles_.empty()) return true;
  for (const Tile* tile : {&tiles_.front(), &tiles_.back()}) {
    std::byte byte{};
    const iovec here{&byte, 1};
    const std::uint64_t address = source + static_cast<std::uint64_t>(tile->there.first());
    const iovec there = piece_there(address, 1);
    if (!read_memory(process_, &here, 1, &there, 1)) return false;
  }
  return true;
}

bool Reading::read(std::uint64_t source, std::byte* target, const Conversion& conversion,
                   Stores stores, std::byte* buffer, bool& written) {
  for (const Tile& tile : tiles_) {
    const bool straight = tile.straight && conversion.copies();
    if (!read_tile(tile, source, straight ? target + tile.here.first() : buffer)) return false;
    written = true;
    if (!straight) conversion.unpack(tile.here, buffer, target, stores);
  }
  return true;
}

NodeTransfer::NodeTransfer(std::unique_ptr<ChunkedTransfer> messages, const Sharing& sharing,
                           const ArrayMemory& source, const ArrayMemory& target,
                           const NodeOptions& options)
    : messages_(std::move(messages)),
      target_(target),
      itemsize_(source.itemsize),
      by_messages_(messages_->selected()),
      declined_(messages_->selected()) {
  targets_.reserve(options.arrays);
  if (options.node == nullptr || !options.node->reads()) return;
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
  for (std::size_t peer = 0; peer < sharing.owned.size(); ++peer) {
    const auto& [rank, regions] = sharing.owned[peer];
    if (options.node->process(rank) == 0 || elements_of(sharing.owned, rank) == 0 ||
        !enough(sharing, rank, itemsize_, options))
      continue;
    by_messages_.sends[peer] = 0;
    const bool suits = !source.box;
    Reader reader{rank, peer, {}, Announcement(addresses_at + options.arrays)};
    if (suits) reader.description = Reading::describe(regions, source);
    reader.words[0] = static_cast<std::uint64_t>(suits ? Mode::read : Mode::send);
    readers_.push_back(std::move(reader));
  }
  for (Reader& reader : readers_) {
    reader.words[1] = reinterpret_cast<std::uint64_t>(reader.description.data());
    reader.words[2] = reader.description.size();
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
    sources_.push_back({rank, process, peer, regions, Announcement(addresses_at + options.arrays),
                        0, nullptr, target_.box.has_value()});
  }
}

void NodeTransfer::bind(const std::vector<DistArray>& sources,
                        const std::vector<DistArray>& targets, const Conversion& conversion) {
  messages_->bind(sources, targets, conversion);
  for (Reader& reader : readers_)
    for (std::size_t i = 0; i < sources.size(); ++i)
      reader.words[addresses_at + i] = reinterpret_cast<std::uint64_t>(sources[i].data());
  targets_.clear();
  for (const Section& target : targets)
    targets_.push_back(static_cast<std::byte*>(target.mutable_data()));
  conversion_ = conversion;
  stores_ = messages_->stores();
}

void NodeTransfer::start(MPI_Comm comm, int tag) {
  comm_ = comm;
  tag_ = tag;
  const auto bytes = [](const Announcement& words) {
    return static_cast<int>(words.size() * sizeof words.front());
  };
  messages_->select(by_messages_);
  messages_->start(comm, tag);
  for (std::size_t i = 0; i < sources_.size(); ++i)
    check_mpi(MPI_Irecv(sources_[i].words.data(), bytes(sources_[i].words), MPI_BYTE,
                        sources_[i].rank, tag, comm, &announced_[i]),
              "MPI_Irecv");
  // What the caller has written is in memory before anybody learns where.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    Reader& reader = readers_[i];
    if (reader.words[0] == static_cast<std::uint64_t>(Mode::read))
      check_mpi(MPI_Irecv(&reader.answer, sizeof reader.answer, MPI_BYTE, reader.rank, tag, comm,
                          &answered_[i]),
                "MPI_Irecv");
    check_mpi(MPI_Isend(reader.words.data(), bytes(reader.words), MPI_BYTE, reader.rank, tag, comm,
                        &announcing_[i]),
              "MPI_Isend");
  }
}

/// Reads the description of the source's side, the first time, or when a conversion needs other
/// tiles. Returns false if there is no buffer for tiles.
bool NodeTransfer::prepare(Source& source) {
  const std::size_t bytes = room();
  const auto fits = [&] {
    return source.reading && source.reading->buffer_bytes(conversion_) <= bytes;
  };
  if (fits()) return true;
  std::vector<std::byte> description(source.words[2]);
  const iovec here{description.data(), description.size()};
  const iovec there = piece_there(source.words[1], description.size());
  if (!read_memory(source.process, &here, 1, &there, 1)) return false;
  source.reading =
      std::make_unique<Reading>(source.process, description, source.regions, target_, itemsize_,
                                bytes == 0 ? most_tile_bytes : std::min(bytes, most_tile_bytes));
  return fits();
}

bool NodeTransfer::read(Source& source, bool& written) {
  try {
    if (source.refused || !prepare(source)) return false;
    // What has been added cannot be added again, from a message.
    for (std::size_t i = 0; conversion_.keeps() && i < targets_.size(); ++i)
      if (!source.reading->readable(source.words[addresses_at + i])) return false;
    for (std::size_t i = 0; i < targets_.size(); ++i)
      if (!source.reading->read(source.words[addresses_at + i], targets_[i], conversion_, stores_,
                                buffer(), written))
        return false;
    return true;
  } catch (...) {
    // There was no memory for the description.
    return false;
  }
}

/// Reads the elements of a source that has begun, and answers it.
void NodeTransfer::take(Source& source) {
  declined_.receives[source.peer] = 1;
  if (source.words[0] != static_cast<std::uint64_t>(Mode::read)) return;
  bool written = false;
  const bool all = read(source, written);
  source.refused = !all;
  // Elements that were added to the target's must not be added again.
  const bool lost = !all && written && conversion_.keeps();
  declined_.receives[source.peer] = all || lost ? 0 : 1;
  source.answer = static_cast<std::uint64_t>(all || lost ? Mode::read : Mode::send);
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
    take(sources_[static_cast<std::size_t>(at)]);
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
  const auto read = static_cast<std::uint64_t>(Mode::read);
  bool any = false;
  for (const Reader& reader : readers_) {
    const bool declined = reader.words[0] != read || reader.answer != read;
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
