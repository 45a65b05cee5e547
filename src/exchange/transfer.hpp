// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace daptor::detail {

/// A transfer of elements between processes and within this one, which can be repeated with `start`
/// and `finish`. A Sharing says what moves: `owned` is sent, `wanted` is received, `own` is copied.
class Transfer {
 public:
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  virtual ~Transfer() = default;

  /// Posts messages. Throws LibraryFailed.
  virtual void start(MPI_Comm comm, int tag) = 0;
  /// Waits for all messages and writes the received elements. Throws LibraryFailed.
  virtual void finish() = 0;
  /// Called in place of `finish` if the received elements are not needed.
  virtual void abandon() { finish(); }
  /// Called after a failure of MPI: cancels the pending messages, so that they no longer write to
  /// memory.
  virtual void cancel() noexcept = 0;
};

/// Cancels the request of a message that is no longer needed.
void cancel_request(MPI_Request& request, bool receives) noexcept;

}  // namespace daptor::detail
