// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/in_flight.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"

namespace daptor::detail {

void cancel_request(MPI_Request& request, bool receives) noexcept {
  if (request == MPI_REQUEST_NULL) return;
  // A cancelled send may still be waiting for its receiver: MPI frees the request when it
  // completes.
  if (receives && MPI_Cancel(&request) == MPI_SUCCESS)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else
    MPI_Request_free(&request);
}

/// After MPI_Finalize the communicator is null. Asking MPI itself would slow down an exchange of a
/// few bytes.
void InFlight::require_mpi() const {
  if (comm_->mpi() == MPI_COMM_NULL) throw Finalized("MPI");
}

void InFlight::require_idle(const char* found) const {
  require_mpi();
  if (running())
    adapter::refuse_argument(wording_.rule("begun"), found,
                             std::string("a call after ") + wording_.noun + " has ended",
                             names::call_end);
  if (failed_)
    adapter::refuse_argument(wording_.rule("failed"),
                             std::string(wording_.noun) + " after a failure of MPI",
                             "a new " + wording_.object, "Make another " + wording_.object + ".");
}

void InFlight::begin(Transfer& transfer, const std::vector<DistArray>& read,
                     const std::vector<DistArray>& write,
                     std::optional<PaddingExchange> exchanged) {
  require_idle("begin before the end of the previous transfer");
  arrays_.open(read, write);
  try {
    transfer.start(comm_->mpi(), tag_.value());
  } catch (...) {
    fail(transfer);
    throw;
  }
  transfer_ = &transfer;
  exchanged_ = exchanged;
}

void InFlight::end() {
  if (!running())
    adapter::refuse_argument(wording_.rule("not-begun"), names::end_without_begin,
                             std::string(wording_.noun) + " that has begun");
  require_mpi();
  Transfer& transfer = *std::exchange(transfer_, nullptr);
  try {
    transfer.finish();
  } catch (...) {
    fail(transfer);
    throw;
  }
  arrays_.close_written(exchanged_);
}

void InFlight::abandon() noexcept {
  if (!running()) return;
  Transfer& transfer = *std::exchange(transfer_, nullptr);
  if (comm_->mpi() == MPI_COMM_NULL) return arrays_.close();
  try {
    transfer.abandon();
  } catch (...) {
    return fail(transfer);
  }
  try {
    arrays_.close_written(exchanged_);
  } catch (...) {
    // A destructor has no way to report this.
  }
}

void InFlight::fail(Transfer& transfer) noexcept {
  failed_ = true;
  transfer.cancel();
  arrays_.close();
}

}  // namespace daptor::detail
