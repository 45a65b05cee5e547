// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

#include <petscsys.h>

namespace daptor::petsc::plugin::doctor {

/// When an object is looked at. All ranks of its communicator must come to the same answer without
/// a message, so that none waits for another: what counts is how often the object has taken part in
/// events in which its ranks communicate anyway, and never its state, which may differ.
class Schedule {
 public:
  /// An event with the object. The first of its kind is looked at, then the second, the fourth, the
  /// eighth, …, so that the cost is bounded by that of the events.
  /// @param id  the number that PETSc has given to the object
  bool due(std::int64_t id) {
    const std::uint64_t count = ++events_[id];
    return (count & (count - 1)) == 0;
  }
  /// Whether the event that was asked about last is the first one.
  bool is_first(std::int64_t id) { return events_[id] == 1; }
  /// The same as `due`, but once only until `changed` is called.
  bool due_once(std::int64_t id) { return events_[id]++ == 0; }
  /// The object has other contents. It is due again when it has changed twice, four times, …
  void changed(std::int64_t id) {
    const std::uint64_t count = ++changes_[id];
    if ((count & (count - 1)) == 0) events_[id] = 0;
  }
  void forget(std::int64_t id) {
    events_.erase(id);
    changes_.erase(id);
  }

 private:
  std::unordered_map<std::int64_t, std::uint64_t> events_, changes_;
};

}  // namespace daptor::petsc::plugin::doctor
