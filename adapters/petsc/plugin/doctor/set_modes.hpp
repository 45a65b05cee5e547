// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include <cstdint>
#include <unordered_set>

#include "petsc/src/check/assembly.hpp"

namespace daptor::petsc::plugin::doctor {

/// Which Vecs this rank has set values of in both modes, ADD_VALUES and INSERT_VALUES, since their
/// last assembly: PETSc remembers the last one only. Process-local.
class SetModesWatch {
 public:
  /// VecSetValues begins, or has ended.
  /// \{
  void before(Vec vec) { before_ = detail::last_mode_of(vec); }
  /// @returns whether it has used another mode than before
  bool after(Vec vec) const {
    const InsertMode now = detail::last_mode_of(vec);
    return before_ != NOT_SET_VALUES && now != before_ && detail::mode_of(vec) == now;
  }
  /// \}
  void note(std::int64_t id) { both_.insert(id); }
  /// Whether this rank has used both, which is forgotten then.
  bool take(std::int64_t id) { return both_.erase(id) > 0; }
  void forget(std::int64_t id) { both_.erase(id); }

 private:
  InsertMode before_ = NOT_SET_VALUES;
  std::unordered_set<std::int64_t> both_;
};

}  // namespace daptor::petsc::plugin::doctor
