// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <mpi.h>

#include "exchange/combine.hpp"
#include "exchange/halo/plan.hpp"
#include "exchange/parcels.hpp"

namespace daptor::detail {

/// The layout that a transfer's regions are of, and how many arrays have it.
struct Batch {
  std::vector<Index> byte_strides;
  std::size_t itemsize = 1;
  std::size_t arrays = 1;
};

/// Bytes that are sent and received packed; an update and an accumulation use the same, for they
/// are never under way together.
struct HaloBuffers {
  HaloBuffers(const HaloPlan& plan, const Batch& batch);
  std::unique_ptr<std::byte[]> owned, copies;
};

/// A plan for one layout and one direction, bound to memory.
class HaloTransfer {
 public:
  enum class Direction { to_copies, to_owners };

  /// `buffers` outlives the object. See Parcels for `piece`.
  HaloTransfer(Direction direction, const HaloPlan& plan, const Batch& batch,
               const HaloBuffers& buffers, std::size_t piece);

  struct Bound {
    std::vector<std::byte*> arrays;
    Parcels::Bound sends, receives;
  };
  /// For arrays that begin at these addresses. Throws LibraryFailed.
  Bound bound_to(std::vector<std::byte*> arrays) const;
  void bind(Bound bound) noexcept;
  /// Starts all messages.
  void start(MPI_Comm comm, int tag);
  /// Waits for them and writes what they bring: in place of what is there, or combined with it, in
  /// order of rank after what is copied within this process.
  void finish(const Combiner* combiner = nullptr);
  /// Waits for them and leaves what they bring.
  void abandon();
  /// After a failure of MPI.
  void cancel() noexcept;

  const Parcels& sends() const { return sends_; }
  const Parcels& receives() const { return receives_; }
  /// Bytes copied within this process, of one array.
  Index own_bytes() const;

 private:
  struct Own {
    Runs from;
    Index distance;
  };
  void copy_own(const Combiner* combiner);
  void unpack(std::size_t p, const Combiner* combiner);

  std::vector<std::byte*> arrays_;
  Parcels sends_;
  Parcels receives_;
  std::vector<Own> own_;
};

}  // namespace daptor::detail
