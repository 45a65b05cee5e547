// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::solvers {

/// What PETSc's -log_view shows of Daptor, under the class "Daptor".
enum class Event {
  hand_over,  ///< DaptorHandOver: a matrix from one library to the other, or its values anew
  set_up,     ///< DaptorSetUp: a preconditioner of Trilinos
  apply,      ///< DaptorApply: an operator of Trilinos applied by PETSc, all in all
  adaption    ///< DaptorAdapt: of that, handing over the vectors
};

/// Counts and times an event while it lives. Does nothing where PETSc does not log, or is not
/// running. Process-local; the first one of a PETSc session registers the events, on all ranks
/// alike as every collective call has one.
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
