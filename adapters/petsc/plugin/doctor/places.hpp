// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "daptor/error.hpp"

namespace daptor::petsc::plugin::doctor {

/// What each process is doing, in memory that all processes of a machine see, and a thread of the
/// first of them which notices when none of them goes on. The thread calls neither MPI nor PETSc:
/// those that wait are in the midst of their calls.
class Places {
 public:
  /// Collective over PETSC_COMM_WORLD.
  /// @param patience  after so many seconds without an event's begin or end the machine's processes
  ///                  are said to wait, if they are not all at the same place
  /// @param tell      called in the thread, with what was found
  /// @throws LibraryFailed if MPI has no memory that processes share
  Places(double patience, std::function<void(const Finding&)> tell);
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  /// Ends the thread. The memory stays if `free` was not called: a process that ends without the
  /// others must not wait for them.
  ~Places();
  /// Collective. Ends the thread and frees the memory; nothing may be called then.
  void free();

  /// This process is at `text`; what is too long is cut off. Process-local, and takes no lock.
  void at(const std::string& text) noexcept;

 private:
  struct Place;
  void stop();
  void watch();
  std::uint64_t steps() const;
  std::string told() const;

  const double patience_;
  const std::function<void(const Finding&)> tell_;
  MPI_Comm machine_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  Place* own_ = nullptr;
  std::vector<const Place*> all_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace daptor::petsc::plugin::doctor
