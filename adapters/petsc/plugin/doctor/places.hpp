// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "daptor/error.hpp"

namespace daptor::petsc::plugin::doctor {

/// What each process is doing, in memory that all processes of a machine see: by it, a process that
/// comes to the end of the session notices that others wait for it, and a thread of the first of
/// them that none of them goes on. The thread calls neither MPI nor PETSc: those that wait are in
/// the midst of their calls.
class Places {
 public:
  struct Settings {
    bool watched = false;  ///< by the thread
    /// After so many seconds without an event's begin or end the machine's processes are said to
    /// wait, if they are not all at the same place.
    double patience = 30;
    std::function<void(const Finding&)> tell;  ///< called in the thread, too
    std::function<void(const std::string&)> say;
  };
  /// Collective over PETSC_COMM_WORLD.
  /// @throws LibraryFailed if MPI has no memory that processes share
  explicit Places(Settings settings);
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  /// Ends the thread. The memory stays if `free` was not called: a process that ends without the
  /// others must not wait for them.
  ~Places();
  /// The session is about to end, and PETSc waits for others before it comes to `await_all`: until
  /// then a thread looks for those that will not come. Process-local.
  void leave();
  /// Collective, at the end of the session: returns when all processes have come there. Tells those
  /// that have come, and will not come into a call that others have begun (`check.calls.left`), and
  /// says after some time that others have not come.
  void await_all();
  /// Collective, behind `await_all`. Ends the thread and frees the memory; nothing may be called
  /// then.
  void free();

  /// This process is at what the texts say together; what is too long is cut off. Process-local,
  /// and takes no lock.
  using Texts = std::array<const char*, 4>;
  void at(const Texts& texts) noexcept;
  /// This process begins an event in which all processes take part. Process-local.
  void count() noexcept;

 private:
  struct Place;
  void stop();
  void watch();
  void watch_others();
  std::chrono::duration<double> settled() const;
  std::uint64_t steps() const;
  std::string told() const;
  bool tell_who_left();
  bool says_who_waits() const;

  const Settings settings_;
  MPI_Comm world_ = MPI_COMM_NULL;
  MPI_Comm machine_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  Place* own_ = nullptr;
  std::vector<Place*> all_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  bool awaiting_ = false;
  std::thread thread_;
  std::thread leaving_;
};

}  // namespace daptor::petsc::plugin::doctor
