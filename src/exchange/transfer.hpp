// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace daptor::detail {

/// Elements that move between processes, and within this one, whenever `start` and `finish` are
/// called. What moves is said by a Sharing: `owned` is sent, `wanted` is received, `own` is copied.
class Transfer {
 public:
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  virtual ~Transfer() = default;

  /// Starts messages. Throws LibraryFailed.
  virtual void start(MPI_Comm comm, int tag) = 0;
  /// Waits for all of them, and writes what they bring. Throws LibraryFailed.
  virtual void finish() = 0;
  /// In place of `finish`, where nobody wants any more what the messages bring.
  virtual void abandon() { finish(); }
  /// After a failure of MPI: nothing is written any more by messages that did not arrive.
  virtual void cancel() noexcept = 0;
};

/// Ends a request of a message that nobody waits for any more.
void cancel_request(MPI_Request& request, bool receives) noexcept;

}  // namespace daptor::detail
