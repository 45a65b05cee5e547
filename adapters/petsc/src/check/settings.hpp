// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "daptor/call.hpp"
#include "findings.hpp"

namespace daptor::petsc::detail {

/// What all ranks must have set alike, in words. Used in the course of a call, whose first check is
/// all that it needs if nothing differs.
class Settings {
 public:
  /// Process-local, inside a check.
  /// @param mine  the settings of this rank
  void begin(std::string mine, Call& call);
  /// Whether they are the same on all ranks. Process-local, behind that check.
  bool same() const { return least_ == greatest_; }
  /// Collective, behind that check. Fetches the settings of rank 0, if others have not the same.
  void ask(const Comm& comm);
  /// An error on ranks whose settings are not those of rank 0. Process-local, inside a later check.
  void conclude(const char* rule, const Terms& remedy, Findings& findings) const;

 private:
  std::int64_t digest_ = 0, first_digest_ = 0;
  std::string mine_, first_;
  Agreed<std::int64_t> least_, greatest_;
};

}  // namespace daptor::petsc::detail
