// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "communication/object_tag.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "exchange/batch.hpp"
#include "exchange/open_arrays.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// Begin and end of an object's transfers. The object is idle; or one of its transfers is in
/// flight, with leases on its arrays; or it has failed for good, where MPI has failed: what was
/// under way then would be taken for the messages of a later transfer. `begin` and `end` allocate
/// nothing.
class InFlight {
 public:
  InFlight(Comm comm, ObjectTag tag, const Wording& wording)
      : comm_(std::move(comm)), tag_(std::move(tag)), wording_(wording) {}

  bool running() const { return transfer_ != nullptr; }
  /// Throws Finalized after MPI_Finalize, InvalidArgument (`.begun`, `.failed`) where a transfer is
  /// in flight or one has failed. `found` is what the caller was about to do.
  void require_idle(const char* found) const;
  /// Opens the arrays, which stay in place until the end, and starts. Throws as `require_idle` and
  /// leases do, and LibraryFailed.
  void begin(Transfer& transfer, const std::vector<DistArray>& read,
             const std::vector<DistArray>& write);
  /// Finishes the transfer and closes the arrays. Throws InvalidArgument (`.not-begun`), Finalized,
  /// LibraryFailed, and what a view of the arrays throws that hears of the write.
  void end();
  /// Ends what has begun, without a word.
  void abandon() noexcept;

 private:
  void require_mpi() const;
  void fail(Transfer& transfer) noexcept;

  Comm comm_;
  ObjectTag tag_;
  Wording wording_;
  OpenArrays arrays_;
  Transfer* transfer_ = nullptr;
  bool failed_ = false;
};

}  // namespace daptor::detail
