// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::solvers {

/// Events of Daptor in PETSc's -log_view, in the class "Daptor".
enum class Event {
  /// DaptorHandOver: converting a matrix from one library to the other, or updating its values
  hand_over,
  set_up,   ///< DaptorSetUp: setting up a preconditioner of Trilinos
  apply,    ///< DaptorApply: PETSc applying an operator of Trilinos, in total
  adaption  ///< DaptorAdapt: the part of it spent on passing the vectors
};

/// Counts and times an event while it lives. Has no effect if PETSc does not log or is not running.
/// Process-local; the first one in a PETSc session registers the events, on all ranks in the same
/// order, because every collective call has one.
class Logged {
 public:
  explicit Logged(Event event) noexcept;
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;
  ~Logged() { close(); }
  void close() noexcept;

 private:
  int id_;
};

}  // namespace daptor::solvers
