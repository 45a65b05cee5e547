// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

#include "daptor/dist_array.hpp"
#include "exchange/array_memory.hpp"
#include "exchange/convert.hpp"
#include "exchange/node.hpp"
#include "exchange/own_copy.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// The arrays that a transfer moves, and how it divides their elements into chunks.
struct ChunkOptions {
  std::size_t arrays = 1;
  /// Size of a chunk in bytes, the same on all ranks.
  std::size_t chunk_bytes = 0;
  int rank = 0;
  int ranks = 1;
  /// Split::crossed, the same on all ranks.
  bool crossed = false;
  /// The ranks with which this one shares pages; null for none.
  std::shared_ptr<const Node> node = nullptr;
};

/// Moves shared elements from one set of arrays to another, through buffers of bounded size.
///
/// Each process exchanges chunks with the others in turn: it sends to the process `k` ranks above
/// while it receives from the process `k` ranks below. At any time a few chunks are being sent and
/// as many received, so that one chunk can be packed or unpacked while others are transferred. A
/// chunk that is one run of memory is sent from, or received into, the array itself. Elements that
/// stay on this process are copied while no message has arrived.
///
/// For a rank with which this one shares pages, a chunk is packed there, and the message says
/// where. Which of the two a message has in it, its length tells.
class ChunkedTransfer final : public Transfer {
 public:
  /// `sharing.owned` is sent from arrays with the layout of `source`, and `sharing.wanted` received
  /// into arrays with the layout of `target`. Messages contain elements of the source's type.
  ChunkedTransfer(const Sharing& sharing, const ArrayMemory& source, const ArrayMemory& target,
                  const ChunkOptions& options);

  /// Number of chunks in transfer at a time, in each direction.
  static constexpr std::size_t slots = 4;

  /// Allocates what conversions need besides, which `bind` otherwise does for the first of them.
  void reserve_for_conversion();
  /// Sets the addresses of the arrays' first elements, and the conversion of received elements.
  /// Allocates only for the first conversion that does not copy.
  /// @param sources, targets  as many as the options said, or none
  void bind(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
            const Conversion& conversion);
  /// What the next transfers move: messages with some of the ranks, by their positions in the
  /// sharing, and whether elements are copied within this process. All at first.
  struct Selected {
    std::vector<char> sends, receives;
    bool own = true;
  };
  /// Does not allocate if there are as many ranks as before.
  void select(const Selected& selected) { selected_ = selected; }
  const Selected& selected() const { return selected_; }
  /// Copies some of the elements that stay on this process. Returns false if none is left.
  bool copy_some();

  /// Posts the messages of the first chunks.
  void start(MPI_Comm comm, int tag) override;
  void finish() override;
  void cancel() noexcept override;

  Index bytes_sent() const { return sent_; }
  Index bytes_received() const { return received_; }
  Index bytes_copied() const { return copied_; }
  std::size_t buffer_bytes() const;
  Stores stores() const { return stores_; }
  /// The buffers for received elements, which are free while nothing is being received.
  std::byte* receive_buffers() const { return receives_.buffers.get(); }
  std::size_t receive_buffer_bytes() const { return slots * receives_.buffer_bytes; }

 private:
  /// The same region of `arrays` arrays, beginning with array `first`.
  struct Chunk {
    int rank;
    std::size_t peer;  // position of the rank in the sharing
    std::size_t first, arrays;
    std::shared_ptr<const MemoryRuns> runs;
    std::size_t bytes;  // bytes in the message
  };
  /// The chunks of one direction, and which of them are being transferred.
  struct Queue {
    std::vector<Chunk> chunks;
    std::size_t next = 0;
    std::array<std::size_t, slots> current{};
    std::size_t shared_bytes = 0;          // size of the largest chunk for shared pages
    std::unique_ptr<std::byte[]> buffers;  // one for each slot, one after the other
    std::size_t buffer_bytes = 0;          // size of each buffer

    std::byte* buffer(std::size_t slot) const { return buffers.get() + slot * buffer_bytes; }
  };
  void fill(Queue& queue, const std::vector<SharedRegions>& shared, const ArrayMemory& memory,
            bool upwards, const ChunkOptions& options);
  void make_buffers(Queue& queue, bool all);
  /// Moves on to the next selected chunk. Returns false if none is left.
  static bool find_next(Queue& queue, const std::vector<char>& selected);
  static bool direct(const Chunk& chunk) { return chunk.arrays == 1 && chunk.runs->contiguous(); }
  bool received_directly(const Chunk& chunk) const;
  bool needs_buffer(const Chunk& chunk) const { return !direct(chunk) || shared(chunk); }
  bool shared(const Chunk& chunk) const;
  const std::byte* packed(const Chunk& chunk, std::byte* to) const;
  void take_places();
  void give_places_back() noexcept;
  MPI_Request send_next(std::size_t slot);
  MPI_Request receive_next(std::size_t slot);
  void unpack(std::size_t slot, const MPI_Status& status);
  void unpack(const Chunk& chunk, const std::byte* packed);
  void copy_next();
  bool all_copied() const {
    return !selected_.own || copied_steps_ == own_.steps() * static_cast<Index>(sources_.size());
  }
  /// A slot of this direction has finished what it was doing.
  struct Finished {
    bool receive;
    std::size_t slot;
  };
  std::optional<Finished> next_finished();
  std::optional<std::size_t> next_read();

  std::size_t itemsize_;  // size of an element in a message
  Queue sends_, receives_;
  Selected selected_;
  OwnCopy own_;
  Stores stores_ = Stores::cached;
  Index copied_steps_ = 0;  // counted over all arrays
  Index sent_ = 0, received_ = 0, copied_ = 0;
  std::vector<const std::byte*> sources_;
  std::vector<std::byte*> targets_;
  Conversion conversion_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::array<MPI_Request, 2 * slots> requests_;
  std::shared_ptr<const Node> node_;
  /// For each slot: its place in shared pages, the letter that is on its way, and whether another
  /// rank has not read the place yet.
  std::array<Place, slots> places_;
  std::array<Letter, slots> letters_{};
  std::array<bool, slots> unread_{};
};

}  // namespace daptor::detail
