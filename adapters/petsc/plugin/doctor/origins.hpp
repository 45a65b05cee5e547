// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "daptor/report.hpp"
#include "flow.hpp"

namespace daptor::petsc::plugin::doctor {

/// Where values that are NaN or Inf have come from: the events that have made them of finite ones.
///
/// Each process reads what an event has made when it ends, without a message, so that no event is
/// missed. Whether NaN came from another process, as a ghost of a product, is known only when all
/// of them say what they have seen, and they are asked when something has been found: a Vec that
/// is not finite, or a solver that has ended because of it.
///
/// An example: rank 2 makes NaN in its 5th product, of finite values. Rank 1 needs that value in
/// its 6th product, and makes NaN of what is finite on rank 1. The 5th product comes first, so only
/// rank 2 says what has made it.
class Origins {
 public:
  /// @param made_in  what findings say of an object without a name: `; the object was made in
  ///                 KSPSetUp`
  explicit Origins(std::function<std::string(PetscObject)> made_in)
      : made_in_(std::move(made_in)) {}

  /// At the end of an event. Process-local.
  void note(const char* event, const Flow& flow);

  /// A solver begins or ends: what was noted in between belongs to it. Process-local.
  /// @param depth  the number of events that are open, the solver's among them; those that are open
  ///               deeper have failed, and will not end
  /// \{
  void enter(std::size_t depth);
  /// @param keep  what it has noted then belongs to the solver around it
  void leave(std::size_t depth, bool keep);
  /// \}

  /// Collective over the communicator of the Vec. What has made its values if these are not finite:
  /// `MatMult of Mat 'A' (type aij) has made it of Vec 'x' (type mpi), without any`, the same on
  /// all ranks. Empty if that is not known.
  std::string maker_of(PetscObject vec) const;

  /// Collective over the communicator of the solver, which is about to end. What was the first to
  /// be not finite since it has begun, `check.vec.not-finite`; nothing if that is not known.
  Report first_within(PetscObject solver) const;
  /// Process-local. The same of all solvers that are open, as this rank sees it.
  Report first_here() const;

  /// The Vec is no more.
  void forget(std::int64_t id) { made_.erase(id); }

 private:
  /// An event that has made NaN or Inf on this process.
  struct Note {
    MPI_Comm comm;
    std::int64_t number;     ///< among the events on this communicator, the same on its ranks
    PetscObjectState state;  ///< of what was made
    bool made_of_finite;
    std::string subject, values, maker;

    Report report() const;
  };
  struct Scope {
    std::size_t depth, first;
  };
  Note note_of(const char* event, const Flow& flow, const std::string& values) const;

  /// The values of a Vec.
  struct Seen {
    std::int64_t id = 0;
    PetscObjectState state = 0;
  };

  const std::function<std::string(PetscObject)> made_in_;
  Seen finite_;                                  ///< the last ones that were finite
  std::unordered_map<std::int64_t, Note> made_;  ///< the last event that made a Vec, by its number
  std::vector<Note> notes_;                      ///< in solvers that are open
  std::vector<Scope> scopes_;
  std::unordered_map<MPI_Comm, std::int64_t> numbers_;  ///< since the outermost solver has begun
};

}  // namespace daptor::petsc::plugin::doctor
