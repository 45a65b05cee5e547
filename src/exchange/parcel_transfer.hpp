// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <mpi.h>

#include "exchange/array_memory.hpp"
#include "exchange/combine.hpp"
#include "exchange/parcels.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// Room for the elements of a batch that are owned here and wanted elsewhere, and for those that
/// are owned elsewhere and wanted here. A transfer and the one back share it, for they are never
/// under way together.
struct ParcelBuffers {
  ParcelBuffers(const Sharing& sharing, std::size_t itemsize, std::size_t arrays);
  std::unique_ptr<std::byte[]> owned, wanted;
};

/// Where a transfer packs, and whether it combines what it receives with what is there.
struct ParcelOptions {
  std::size_t arrays = 1;  ///< of the batch
  std::byte* send_buffer = nullptr;
  std::byte* receive_buffer = nullptr;
  bool combines = false;
  std::size_t piece = 0;  ///< see Parcels
};

/// Moves elements among the arrays of a batch, a message to each process, all of them at once: for
/// little that moves often. All that can be prepared is prepared when it is made and bound.
class ParcelTransfer final : public Transfer {
 public:
  /// The buffers outlive the object.
  ParcelTransfer(const Sharing& sharing, const ArrayMemory& memory, const ParcelOptions& options);

  struct Bound {
    std::vector<std::byte*> arrays;
    Parcels::Bound sends, receives;
  };
  /// For arrays that begin at these addresses. Throws LibraryFailed.
  Bound bound_to(std::vector<std::byte*> arrays) const;
  void bind(Bound bound) noexcept;
  /// What becomes of elements that arrive, where the transfer combines.
  void combine_by(const Combiner& combiner) noexcept { combiner_ = combiner; }

  void start(MPI_Comm comm, int tag) override;
  /// What arrives is written in order of rank, after what is copied within this process.
  void finish() override;
  /// Leaves what arrives where it is.
  void abandon() override;
  void cancel() noexcept override;

  const Parcels& sends() const { return sends_; }
  const Parcels& receives() const { return receives_; }
  /// Bytes copied within this process, of one array.
  Index own_bytes() const;

 private:
  struct Own {
    Runs from;
    Index distance;
  };
  void unpack(std::size_t p);

  std::vector<std::byte*> arrays_;
  Parcels sends_;
  Parcels receives_;
  std::vector<Own> own_;
  Combiner combiner_;
};

}  // namespace daptor::detail
