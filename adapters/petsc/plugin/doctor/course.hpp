// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "events.hpp"
#include "flow.hpp"

namespace daptor::petsc::plugin::doctor {

/// What PETSc's events mean to the doctor: those in which all ranks of the objects take part and
/// communicate, and some that only this rank knows of.
enum class Moment {
  other,
  solve,
  set_up,
  product,
  reduction,
  scatter,
  assembly,
  vec_assembly,
  grid,
  trial,
  preconditioner,
  application,
  gathering,
  graph,
  values,
  nonlinear,
  step,
  collective
};

/// Whether a solver works in it: KSP, SNES or TS.
bool is_solve(Moment moment);

/// What is known of an event by its name.
struct Kind {
  bool known = false;
  Moment moment = Moment::other;
  const Positions* positions = nullptr;  ///< of its Vecs, if they are known
  bool ends_scatter = false;             ///< VecScatterEnd
};

/// Where the program is: the events that have begun and not ended, the outermost first, and what
/// was made in them. On each process; process-local. On all ranks of an object the same events
/// of its are open.
class Course {
 public:
  Kind kind(int event) const {
    const auto place = static_cast<std::size_t>(event);
    return place < kinds_.size() && kinds_[place].known ? kinds_[place] : ask(event);
  }

  void begin(int event) { open_.push_back(event); }
  /// An event ends; those that are open within it have failed on the way, and are dropped.
  /// @returns whether it has begun; it is the innermost one until `close`
  bool ends(int event);
  void close() { open_.pop_back(); }

  bool empty() const { return open_.empty(); }
  std::size_t depth() const { return open_.size(); }
  /// Whether the innermost event is within another one.
  bool is_nested() const { return open_.size() > 1; }
  const char* outermost() const { return event_name(open_.front()); }
  /// The event around the innermost one; `other` if there is none.
  Moment around() const {
    return is_nested() ? kind(open_[open_.size() - 2]).moment : Moment::other;
  }
  /// Whether such an event is open around the innermost one.
  bool is_inside(Moment what) const;
  /// Whether a solver of PETSc or SLEPc, of any class, has an event open around the innermost one.
  bool is_inside_solver() const;
  /// Whether a solver works within another one. The numbers in what preconditioners make, such as
  /// the coarse matrix of BDDC, need not follow who owns what.
  bool within_solver() const { return count(Moment::solve) + count(Moment::set_up) > 1; }
  /// Whether a shorter step is taken where the function has no value: by a line search, and by a
  /// time stepper, whose solver has failed then.
  bool may_try_again() const { return count(Moment::trial) + count(Moment::step) > 0; }
  /// The open events as findings say them: `SNESSolve, KSPSolve`.
  std::string where() const;

  void created(PetscObject object);
  void forget(std::int64_t id) { makers_.erase(id); }
  /// What is said of an object without a name: `; the object was made in KSPSetUp`; empty if that
  /// is not known.
  std::string made_in(PetscObject object) const;

 private:
  Kind ask(int event) const;
  std::vector<int>::const_iterator innermost() const;
  std::ptrdiff_t count(Moment what) const;

  std::vector<int> open_;
  mutable std::vector<Kind> kinds_;               ///< by event, as far as they were asked for
  std::unordered_map<std::int64_t, int> makers_;  ///< the event in which an object was made
};

}  // namespace daptor::petsc::plugin::doctor
