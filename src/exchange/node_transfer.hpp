// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "exchange/array_memory.hpp"
#include "exchange/chunked_transfer.hpp"
#include "exchange/convert.hpp"
#include "exchange/mapped_arrays.hpp"
#include "exchange/node.hpp"
#include "exchange/own_copy.hpp"
#include "exchange/reading.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// Pairs of ranks that exchange fewer bytes do it by messages, which are as quick then
/// (`daptor_bench_node`).
inline constexpr std::int64_t least_read_bytes = 1024 * 1024;

/// Process-local. Whether all of this is in runs that are long enough to be read.
bool in_long_runs(const std::vector<SharedRegions>& sent, const ArrayMemory& source);
/// Process-local. The largest number of elements that one rank gets.
Index most_to_one(const std::vector<SharedRegions>& sent);
/// Process-local. Whether others can map these arrays, so that runs may be short.
bool all_mappable(const std::vector<DistArray>& arrays);

/// What a NodeTransfer needs to know besides what a ChunkedTransfer does.
struct NodeOptions {
  std::shared_ptr<const Node> node;  ///< null if nothing is taken
  bool always = false;               ///< also where messages are as quick
  bool mappable = false;             ///< whether all arrays of the source on this process are
  std::size_t arrays = 1;
  std::size_t chunk_bytes = 0;
};

/// Moves shared elements within a node without messages: the process that wants them takes them
/// from the memory of the one that has them, and writes them where they belong. Arrays that Daptor
/// has allocated it maps, and copies from them as from its own; other memory it lets the system
/// read, tile by tile. Other ranks, small amounts and what it can neither map nor read go by a
/// ChunkedTransfer.
///
/// Between two ranks that exchange enough, each that sends posts, in `start`, a message with where
/// its arrays are, and where a description of its regions is, which the reader reads the first
/// time. In `finish` the reader takes the elements and answers. The one that sends waits for the
/// answer, because the caller may then overwrite the elements. Each side may decline: one whose
/// elements are numbered by another array, or in runs too short to be read, says so with the
/// addresses, and one that cannot take them says so in its answer. Then a ChunkedTransfer moves
/// these elements at the end.
///
///     rank 0                                     rank 1
///     start:   "my array is at 0x7f00"  ------>  finish:  reads 0x7f00... in rank 0's memory
///     finish:  waits                    <------           "I have read"
class NodeTransfer final : public Transfer {
 public:
  NodeTransfer(std::unique_ptr<ChunkedTransfer> messages, const Sharing& sharing,
               const ArrayMemory& source, const ArrayMemory& target, const NodeOptions& options);

  void reserve_for_conversion() { messages_->reserve_for_conversion(); }
  /// See ChunkedTransfer.
  void bind(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
            const Conversion& conversion);
  void start(MPI_Comm comm, int tag) override;
  void finish() override;
  void cancel() noexcept override;

  const ChunkedTransfer& messages() const { return *messages_; }
  std::size_t buffer_bytes() const { return messages_->buffer_bytes() + own_bytes_; }

 private:
  /// How elements go from one rank to another: read or mapped, only mapped, or sent.
  enum class Mode : std::uint64_t { read = 1, map = 2, send = 3 };
  /// The message that goes before: of each array where it is, and of all the mode, and where the
  /// description is.
  struct Announced {
    MemoryThere array, description;
    std::uint64_t description_bytes = 0;
    Mode mode = Mode::send;
  };
  using Announcement = std::vector<Announced>;
  static Mode mode_of(const Announcement& announcement) { return announcement.front().mode; }

  /// A rank that reads from this one.
  struct Reader {
    int rank;
    std::size_t peer;  // in the sharing
    Announcement announcement;
    Mode answer = Mode::send;
  };
  /// A rank from which this one takes elements.
  struct Source {
    int rank;
    int process;
    std::size_t peer;
    std::vector<Region> regions;
    Announcement announcement;
    MappedArrays mapped;
    Mode answer = Mode::send;
    bool refused = false;  // it has turned out that its memory cannot be read
    std::optional<RegionsThere> there = std::nullopt;
    std::unique_ptr<Reading> reading = nullptr;
    std::unique_ptr<OwnCopy> copy = nullptr;  // from memory that is mapped
  };
  void add_readers(const Sharing& sharing, const ArrayMemory& source, const NodeOptions& options);
  void add_sources(const Sharing& sharing, const NodeOptions& options);
  Mode mode(const Announcement& announcement) const;
  bool learn_regions(Source& source);
  bool prepare(Source& source);
  /// Return false if elements go by messages, and if they are to be taken in another way.
  bool take(Source& source, bool& written);
  bool copy_mapped(Source& source);
  bool read(Source& source, bool& written);
  void serve(Source& source);
  void throw_failure();
  void send_the_rest();
  std::byte* buffer() const {
    return own_buffer_ ? own_buffer_.get() : messages_->receive_buffers();
  }
  std::size_t room() const { return own_buffer_ ? own_bytes_ : messages_->receive_buffer_bytes(); }

  std::unique_ptr<ChunkedTransfer> messages_;
  ArrayMemory target_;
  std::size_t itemsize_;
  bool numbered_ = false;   // the source's elements, by another array
  bool long_runs_ = false;  // or what is short is read, too
  bool maps_ = false;
  std::shared_ptr<void> descriptions_;  // of this process' regions, for all readers
  std::vector<Reader> readers_;
  std::vector<Source> sources_;
  ChunkedTransfer::Selected by_messages_, declined_;
  // in turn: what sources say, what this process says to readers, and the answers both ways
  std::vector<MPI_Request> announced_, announcing_, answered_, answering_;
  int failed_rank_ = -1;  // part of whose memory could not be read, when some had been added
  std::vector<std::byte*> targets_;
  Conversion conversion_;
  Stores stores_ = Stores::cached;
  // where tiles are read if messages are received meanwhile
  std::unique_ptr<std::byte[]> own_buffer_;
  std::size_t own_bytes_ = 0;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
};

}  // namespace daptor::detail
