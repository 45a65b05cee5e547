// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "exchange/array_memory.hpp"
#include "exchange/combine.hpp"
#include "exchange/parcels.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// Buffers for the elements of a batch that are owned here and wanted elsewhere, and for those that
/// are owned elsewhere and wanted here. A transfer and the one in the opposite direction share
/// them, because they are never in flight together.
struct ParcelBuffers {
  ParcelBuffers(const Sharing& sharing, std::size_t itemsize, std::size_t arrays);
  std::unique_ptr<std::byte[]> owned, wanted;
};

/// Whether received elements are combined with those in the array, and where a transfer packs.
struct ParcelOptions {
  std::size_t arrays = 1;  ///< number of arrays in the batch
  std::byte* send_buffer = nullptr;
  std::byte* receive_buffer = nullptr;
  bool combines = false;
  std::size_t piece = 0;  ///< see ParcelsOptions, as `node`
  std::shared_ptr<const Node> node = nullptr;
};

/// Moves elements between the arrays of a batch, with one message to each process, all of them at
/// once. It is made for small amounts of data that are moved often, so the constructor and
/// `bound_to` prepare as much as possible.
class ParcelTransfer final : public Transfer {
 public:
  /// The buffers must outlive the object.
  ParcelTransfer(const Sharing& sharing, const ArrayMemory& memory, const ParcelOptions& options);

  /// Collective among ranks that share pages. Tells the others what will be in pages, and hears it
  /// from them. Must be called before the first exchange; arrays have to be bound anew. Throws
  /// LibraryFailed.
  void agree_on_pages(MPI_Comm comm, int tag);

  struct Bound {
    std::vector<std::byte*> arrays;
    Parcels::Bound sends, receives;
  };
  /// Prepares the transfer for arrays that begin at these addresses. Throws LibraryFailed.
  Bound bound_to(std::vector<std::byte*> arrays) const;
  void bind(Bound bound) noexcept;
  /// How received elements are combined with those in the array, if the transfer combines.
  void combine_by(const Combiner& combiner) noexcept { combiner_ = combiner; }

  void start(MPI_Comm comm, int tag) override;
  /// Received elements are written in rank order, after the copies within this process.
  void finish() override;
  /// Ignores the received elements.
  void abandon() override;
  void cancel() noexcept override;

  const Parcels& sends() const { return sends_; }
  const Parcels& receives() const { return receives_; }
  /// Number of bytes copied within this process, for one array.
  Index own_bytes() const;

 private:
  struct Own {
    MemoryRuns from;
    Index distance = 0;
    /// If the target is not the source shifted by a distance, as where both are lists.
    std::optional<MemoryRuns> to = std::nullopt;
  };
  void copy_within(const Own& copy, std::byte* array);
  void unpack(std::size_t p);

  std::vector<std::byte*> arrays_;
  Parcels sends_;
  Parcels receives_;
  std::vector<Own> own_;
  std::unique_ptr<std::byte[]> own_buffer_;  // for copies with a `to`
  Combiner combiner_;
};

}  // namespace daptor::detail
