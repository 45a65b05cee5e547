// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "course.hpp"
#include "daptor/report.hpp"
#include "schedule.hpp"

/// \file
/// Ghosts of a program's Vecs: those that nobody ever updates and, with `-daptor_check ghosts`, NaN
/// in the place of those that are stale.

namespace daptor::petsc::plugin::doctor {

/// One ghosted Vec, and what its ghosts held behind their last update. On each process.
///
/// Ghosts are filled with NaN only where nothing else can be meant by what they hold: behind an
/// update that has brought another value than 0 here, if they are still as it has left them, and if
/// owned values that other ranks have as ghosts were changed since. Ghosts in which contributions
/// are collected begin at 0 or are changed; if they go back to their owners all the same, they get
/// their former values before.
class GhostedVec {
 public:
  /// @param local  the local form of the Vec
  GhostedVec(Vec vec, Vec local) : vec_(vec), local_(local) {}

  Vec vec() const { return vec_; }
  Vec local() const { return local_; }

  /// The values of the owners are on their way.
  void update_begins(PetscSF scatter);
  void update_ends();
  /// What the ghosts hold is on its way to the owners.
  void return_begins();
  /// How many updates have ended, whether another one is on its way, and whether ghosts were
  /// returned at any time. The same on all ranks.
  int updates() const { return updates_; }
  bool in_flight() const { return in_flight_; }
  bool returned() const { return returned_; }

  /// Fills ghosts that are stale with NaN. With several components, those of the components of
  /// which owned values were changed.
  /// @returns whether any were filled
  bool spoil();
  /// Whether ghosts hold that NaN.
  bool spoiled() const;

  /// Whether a ghost of this rank holds something else than 0.
  bool touched() const;

 private:
  void restore();
  bool in_use() const;
  bool are_as_left(const PetscScalar* ghosts) const;
  bool is_changed(std::size_t component) const;

  Vec vec_, local_;
  int updates_ = 0;
  bool in_flight_ = false, returned_ = false;
  bool known_ = false;             ///< the ghosts are as the last update has left them
  PetscScalar* memory_ = nullptr;  ///< of the last update: owned values, then ghosts
  std::size_t owned_ = 0;
  std::size_t block_ = 1;
  std::vector<std::size_t> sent_;         ///< owned values that are ghosts elsewhere
  std::vector<PetscScalar> sent_values_;  ///< those of the last update
  std::vector<PetscScalar> ghosts_;       ///< what the last update has brought
  std::vector<bool> spoiled_;             ///< by component
};

/// The ghosted Vecs of a program. On each process; process-local but for `look`.
class GhostWatch {
 public:
  /// @param spoils  whether stale ghosts are filled with NaN
  explicit GhostWatch(bool spoils) : spoils_(spoils) {}

  /// Called for each event of the program.
  void begins(int event, const Kind& kind, Objects objects);
  void ends(int event, const Kind& kind, Objects objects);
  /// An object is destroyed. Returns a warning if it is a Vec whose ghosts nobody has updated.
  std::optional<Finding> destroyed(PetscObject object);
  /// The program ends. Returns the warnings about the Vecs that are left.
  std::vector<Finding> conclude() const;

  /// Whether the ghosts should be looked at in an event in which all ranks of the Vec communicate:
  /// they were 0 on all ranks at every look so far, as without an update, or behind one of zeros.
  /// The same on all ranks.
  bool is_due(PetscObject vec);
  /// Collective over the communicator of a Vec that is due. Compares its ghosts with their owners.
  void look(Vec vec);

  /// The Vecs whose ghosts hold NaN: `Vec 'u' (type mpi), changed in VecAXPY`; empty without any.
  std::string spoiled() const;

 private:
  /// What was seen of a Vec in the last event.
  struct Seen {
    PetscObjectState vec = 0, local = 0;
    std::optional<std::uint64_t> owned = {};  ///< a hash of the owned values, if they were read
  };
  struct Entry {
    GhostedVec ghosts;
    std::int64_t local_id = 0;
    bool has_local = true;              ///< the local form was not destroyed yet
    bool touched = false;               ///< ghosts of this rank have been written
    bool touched_anywhere = false;      ///< at a look, or not known; the same on all ranks
    int stale_looks = 0;                ///< the last ones, without a pause
    int updates = 0;                    ///< up to the last of them
    std::optional<Finding> stale = {};  ///< of the last look; on the first rank of the Vec
    bool read = false;                  ///< the local form was opened since and not written
    Seen seen = {};
    std::string place = {};  ///< where owned values were changed before ghosts were filled
  };
  Entry* entry_of(PetscObject object);
  Entry* updated_by(Objects objects);
  Entry* returned_by(Objects objects);
  void visit(const char* when, int event);
  static void notice_reading(Entry& entry);
  static std::optional<Finding> warning(const Entry& entry);

  const bool spoils_;
  Schedule schedule_;
  std::unordered_map<std::int64_t, Entry> entries_;          ///< by the number of the Vec
  std::unordered_map<std::int64_t, std::int64_t> of_local_;  ///< that by that of the local form
  std::unordered_set<std::int64_t> without_ghosts_;          ///< other Vecs, by their numbers
};

}  // namespace daptor::petsc::plugin::doctor
