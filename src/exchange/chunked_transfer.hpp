// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <mpi.h>

#include "exchange/array_memory.hpp"
#include "exchange/convert.hpp"
#include "exchange/own_copy.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// How elements are divided into chunks, and among whom.
struct ChunkOptions {
  std::size_t arrays = 1;
  /// Bytes of a chunk, the same on all ranks.
  std::size_t chunk_bytes = 0;
  int rank = 0;
  int ranks = 1;
};

/// Moves what is shared from some arrays to others, through buffers of a bounded size.
///
/// Each process serves the others in turn, the one `k` ranks above it while the one `k` ranks below
/// serves it. At any time a few chunks are on their way out and as many on their way in: while one
/// is packed or unpacked others travel. A chunk that is one run of memory goes from and to the
/// array itself. What a process has for itself is copied while nothing has arrived.
class ChunkedTransfer final : public Transfer {
 public:
  /// `sharing.owned` is sent from arrays like `source`, `sharing.wanted` received into such like
  /// `target`. Elements travel as those of the source.
  ChunkedTransfer(const Sharing& sharing, const ArrayMemory& source, const ArrayMemory& target,
                  const ChunkOptions& options);

  /// Chunks on their way at a time, in each direction.
  static constexpr std::size_t slots = 4;

  /// For arrays that begin at these addresses, and elements that are converted on the way.
  void bind(std::vector<const std::byte*> sources, std::vector<std::byte*> targets,
            const Conversion& conversion);
  /// Posts the first chunks.
  void start(MPI_Comm comm, int tag) override;
  void finish() override;
  void cancel() noexcept override;

  Index bytes_sent() const { return sent_; }
  Index bytes_received() const { return received_; }
  Index bytes_copied() const { return copied_; }
  std::size_t buffer_bytes() const;

 private:
  /// The same region of `arrays` arrays from the `first` on.
  struct Chunk {
    int rank;
    std::size_t first, arrays;
    std::shared_ptr<const Runs> runs;
    std::size_t bytes;  // on the way
  };
  /// Chunks of one direction and those of them that are under way.
  struct Queue {
    std::vector<Chunk> chunks;
    std::size_t next = 0;
    std::array<std::size_t, slots> current{};
    std::array<std::unique_ptr<std::byte[]>, slots> buffers;
    std::size_t buffer_bytes = 0;  // of each
  };
  void fill(Queue& queue, const std::vector<SharedRegions>& shared, const ArrayMemory& memory,
            bool upwards, const ChunkOptions& options);
  void make_buffers(Queue& queue, bool all);
  static bool direct(const Chunk& chunk) { return chunk.arrays == 1 && chunk.runs->contiguous(); }
  bool received_directly(const Chunk& chunk) const;
  MPI_Request send_next(std::size_t slot);
  MPI_Request receive_next(std::size_t slot);
  void unpack(std::size_t slot);
  void copy_next();
  bool all_copied() const {
    return copied_steps_ == own_.steps() * static_cast<Index>(sources_.size());
  }
  int next_finished();
  void advance(int finished);

  std::size_t itemsize_;  // on the way
  Queue sends_, receives_;
  OwnCopy own_;
  Index copied_steps_ = 0;  // of all arrays
  Index sent_ = 0, received_ = 0, copied_ = 0;
  std::vector<const std::byte*> sources_;
  std::vector<std::byte*> targets_;
  Conversion conversion_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::array<MPI_Request, 2 * slots> requests_;
};

}  // namespace daptor::detail
