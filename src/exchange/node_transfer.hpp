// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "exchange/array_memory.hpp"
#include "exchange/chunked_transfer.hpp"
#include "exchange/convert.hpp"
#include "exchange/node.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// Reads the elements of one other process from its memory, and writes them to arrays of this one.
class Reading {
 public:
  /// Process-local. `description` is what `describe` says of the process' side.
  /// @param regions     the same elements here
  /// @param tile_bytes  how much is read together at most, unless an element is larger
  Reading(int process, const std::vector<std::byte>& description,
          const std::vector<Region>& regions, const ArrayMemory& target, std::size_t itemsize,
          std::size_t tile_bytes);

  /// Where the elements of these regions are, for the process that reads them.
  static std::vector<std::byte> describe(const std::vector<Region>& regions,
                                         const ArrayMemory& memory);

  /// Whether the first and the last element can be read.
  bool readable(std::uint64_t source) const;
  /// Reads one array. `buffer` has room for `buffer_bytes(conversion)`. Returns false if the memory
  /// cannot be read; `written` then says whether some elements have been written.
  bool read(std::uint64_t source, std::byte* target, const Conversion& conversion, Stores stores,
            std::byte* buffer, bool& written);
  std::size_t buffer_bytes(const Conversion& conversion) const {
    return conversion.copies() ? strided_bytes_ : most_bytes_;
  }

 private:
  /// Elements that are read together, in the order of the other process' memory, which the runs of
  /// this process follow.
  struct Tile {
    MemoryRuns there, here;
    bool straight;  // to where they belong, if they are not converted; otherwise into the buffer
  };
  void add(const Region& there, const std::vector<Index>& there_strides, const Region& here,
           const ArrayMemory& target);
  bool read_tile(const Tile& tile, std::uint64_t source, std::byte* target);

  int process_;
  std::size_t itemsize_;
  std::size_t tile_bytes_;
  std::size_t most_bytes_ = 0, strided_bytes_ = 0;  // of a tile; of one that is not straight
  std::vector<Tile> tiles_;
};

/// Pairs of ranks that exchange fewer bytes do it by messages, which are as quick then
/// (`daptor_bench_node`).
inline constexpr std::int64_t least_read_bytes = 1024 * 1024;

/// Process-local. Whether what this process sends is in runs that are long enough to be read.
bool in_long_runs(const Sharing& sharing, const ArrayMemory& source);

/// What a NodeTransfer needs to know besides what a ChunkedTransfer does.
struct NodeOptions {
  std::shared_ptr<const Node> node;  ///< null if nothing is read
  bool always = false;               ///< also where messages are as quick
  std::size_t arrays = 1;
  std::size_t chunk_bytes = 0;
};

/// Moves shared elements within a node without messages: the process that wants them reads them
/// from the memory of the one that has them, tile by tile, and writes them where they belong.
/// Other ranks, small amounts and what cannot be read go by a ChunkedTransfer.
///
/// Between two ranks that exchange enough, each that sends posts, in `start`, a message with the
/// addresses of its arrays, and where a description of its regions is, which the reader reads the
/// first time. In `finish` the reader reads the elements and answers. The one that sends waits for
/// the answer, because the caller may then overwrite the elements. Each side may decline: one whose
/// elements are numbered by another array says so with the addresses, and one that cannot read says
/// so in its answer. Then a ChunkedTransfer moves these elements at the end.
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
  enum class Mode : std::uint64_t { read = 1, send = 2 };
  /// The message that goes before a reading: mode, address and size of the description, and the
  /// addresses of the arrays.
  using Announcement = std::vector<std::uint64_t>;
  static constexpr std::size_t addresses_at = 3;

  /// A rank that reads from this one.
  struct Reader {
    int rank;
    std::size_t peer;  // in the sharing
    std::vector<std::byte> description;
    Announcement words;
    std::uint64_t answer = 0;
  };
  /// A rank from which this one reads.
  struct Source {
    int rank;
    int process;
    std::size_t peer;
    std::vector<Region> regions;
    Announcement words;
    std::uint64_t answer;
    std::unique_ptr<Reading> reading;
    bool refused;  // it has turned out that its memory cannot be read
  };
  void add_readers(const Sharing& sharing, const ArrayMemory& source, const NodeOptions& options);
  void add_sources(const Sharing& sharing, const NodeOptions& options);
  bool prepare(Source& source);
  /// Returns false if elements go by messages.
  bool read(Source& source, bool& written);
  void take(Source& source);
  void throw_failure();
  void send_the_rest();
  std::byte* buffer() const {
    return own_buffer_ ? own_buffer_.get() : messages_->receive_buffers();
  }
  std::size_t room() const { return own_buffer_ ? own_bytes_ : messages_->receive_buffer_bytes(); }

  std::unique_ptr<ChunkedTransfer> messages_;
  ArrayMemory target_;
  std::size_t itemsize_;
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
