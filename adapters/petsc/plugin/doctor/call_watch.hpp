// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "course.hpp"
#include "daptor/comm.hpp"
#include "looks.hpp"
#include "places.hpp"
#include "record.hpp"

namespace daptor::petsc::plugin::doctor {

/// Whether all ranks make the same collective calls: compares the events in which they meet, if
/// that is asked for, and tells the other processes of the machine where this one is, so that one
/// that waits for ever, or has left, is noticed.
class CallWatch {
 public:
  struct Settings {
    bool compared = false;  ///< events are compared
    double patience = 30;   ///< seconds
    bool abort = false;     ///< the first severe finding ends the job
    /// Calls `leave`, which a program in Python does when Python ends. Must not throw.
    void (*leave)() = nullptr;
  };
  /// Collective over PETSC_COMM_WORLD.
  CallWatch(Settings settings, Record& record, Looks& looks, const Course& course);

  /// An event has begun, and is the innermost one. Collective over the communicator of its objects
  /// if events are compared, and this one is; otherwise process-local.
  void begins(int event, Moment now, Objects objects);
  /// An event has ended. Process-local.
  void ended(int event, Moment then);
  /// Process-local. Objects are made together, too, and PETSc communicates for their layouts
  /// without an event.
  void created(PetscObject object);
  /// Process-local. The program is about to call PetscFinalize.
  void leave();
  /// Collective over PETSC_COMM_WORLD, at the end of the session. Nothing may be called behind it.
  void conclude();

 private:
  bool is_of_all(Objects objects) const;
  void tell(const Finding& finding);
  void compare(int event, Objects objects);
  Report compared(const Comm& comm, int event, Objects objects);

  const Settings settings_;
  Record& record_;
  Looks& looks_;
  const Course& course_;
  const std::thread::id thread_ = std::this_thread::get_id();
  int world_size_ = 1;
  std::uint64_t compared_ = 0;      ///< events of all processes
  std::unique_ptr<Places> places_;  ///< null on one process
};

}  // namespace daptor::petsc::plugin::doctor
