#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include <mpi.h>

#include "transfer/ask_owners.hpp"

namespace daptor::detail {

/// Memory of one side: strides, bytes an element.
struct Layout {
  std::vector<Index> byte_strides;
  std::size_t itemsize = 1;
};

/// Moves what is shared from one array to another, through buffers of a bounded size.
///
/// Each process serves the others in turn, the one `k` ranks above it while the one `k` ranks below
/// serves it. At any time two chunks are on their way out and two on their way in: while one is
/// packed or unpacked the other travels. A chunk that is one run of memory goes from and to the
/// array itself.
class ChunkedTransfer {
 public:
  /// `chunk_bytes`: the same on all ranks.
  ChunkedTransfer(const Sharing& sharing, const Layout& source, const Layout& target, int rank,
                  int ranks, std::size_t chunk_bytes);

  void run(const std::byte* source, std::byte* target, MPI_Comm comm, int tag);

  Index bytes_sent() const { return sent_; }
  Index bytes_received() const { return received_; }
  Index bytes_copied() const { return copied_; }
  std::size_t buffer_bytes() const;

 private:
  static constexpr std::size_t slots = 2;
  struct Chunk {
    int rank;
    Runs runs;
  };
  struct OwnChunk {
    Runs from, to;
  };
  /// Chunks of one direction and those of them that are under way.
  struct Queue {
    std::vector<Chunk> chunks;
    std::size_t next = 0;
    std::array<std::size_t, slots> current{};
    std::array<std::unique_ptr<std::byte[]>, slots> buffers;
  };

  void fill(Queue& queue, const std::vector<SharedRegions>& shared, const Layout& layout,
            std::size_t chunk_bytes, bool upwards, int rank, int ranks, Index& bytes);
  MPI_Request send_next(std::size_t slot, const std::byte* source, MPI_Comm comm, int tag);
  MPI_Request receive_next(std::size_t slot, std::byte* target, MPI_Comm comm, int tag);
  void unpack(std::size_t slot, std::byte* target);
  void copy_own(const std::byte* source, std::byte* target);

  Queue sends_, receives_;
  std::vector<OwnChunk> own_;
  std::unique_ptr<std::byte[]> scratch_;
  std::size_t buffered_ = 0;
  Index sent_ = 0, received_ = 0, copied_ = 0;
};

}  // namespace daptor::detail
