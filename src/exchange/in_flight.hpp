// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "exchange/batch.hpp"
#include "exchange/open_arrays.hpp"
#include "exchange/transfer.hpp"
#include "ranks/object_tag.hpp"

namespace daptor::detail {

/// The state of an object's transfers. The object is idle; or one of its transfers is in flight,
/// with leases on its arrays; or it has failed for good after a failure of MPI, because late
/// messages of the failed transfer could be mistaken for those of a later one. `begin` and `end` do
/// not allocate.
class InFlight {
 public:
  InFlight(const Comm& comm, ObjectTag tag, const Wording& wording)
      : comm_(comm), tag_(std::move(tag)), wording_(wording) {}

  bool running() const { return transfer_ != nullptr; }
  /// Throws Finalized after MPI_Finalize, and InvalidArgument (`.begun`, `.failed`) if a transfer
  /// is in flight or has failed. `found` describes the caller's attempt in the message.
  void require_idle(const char* found) const;
  /// Opens the arrays, which must stay in place until `end`, and starts the transfer. Throws what
  /// `require_idle` and leases throw, and LibraryFailed.
  /// @param exchanged  the kind of a halo exchange, of which producers are notified
  void begin(Transfer& transfer, const std::vector<DistArray>& read,
             const std::vector<DistArray>& write,
             std::optional<PaddingExchange> exchanged = std::nullopt);
  /// Finishes the transfer and closes the arrays. Throws InvalidArgument (`.not-begun`), Finalized,
  /// LibraryFailed, and whatever a view of the arrays throws when it is notified of the write.
  void end();
  /// Ends a transfer that has begun, and ignores errors.
  void abandon() noexcept;

 private:
  void require_mpi() const;
  void fail(Transfer& transfer) noexcept;

  Comm comm_;
  ObjectTag tag_;
  Wording wording_;
  OpenArrays arrays_;
  Transfer* transfer_ = nullptr;
  std::optional<PaddingExchange> exchanged_;
  bool failed_ = false;
};

}  // namespace daptor::detail
