// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Checks that bodies of `agreed` do not communicate. Not part of the public interface.

namespace daptor::detail {

/// Marks this thread, for the object's lifetime, as doing one rank's own work: another rank may
/// have failed before it gets there, so a message would not be answered.
class LocalWork {
 public:
  LocalWork() noexcept;
  LocalWork(const LocalWork&) = delete;
  LocalWork& operator=(const LocalWork&) = delete;
  ~LocalWork();
};

/// For ranks that take turns on one thread: replaces the number of objects that mark it.
int exchange_local_work(int count) noexcept;

/// Every operation of a communicator of several ranks begins with this call. Throws
/// std::logic_error during local work, if the environment variable DAPTOR_CHECK_AGREED is set, as
/// in tests.
void require_no_local_work(const char* operation);

}  // namespace daptor::detail
