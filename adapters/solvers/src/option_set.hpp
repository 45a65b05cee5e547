// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <petscsys.h>

#include "daptor/call.hpp"

namespace daptor::solvers {

/// A separate options database of PETSc.
class OptionSet {
 public:
  /// Collective. Parses the options of one line, which is the same on all ranks. Throws
  /// InvalidArgument (`options.syntax`, `collective.different`).
  static std::shared_ptr<OptionSet> parse(const std::string& line, Call& call);

  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;
  ~OptionSet();

  /// While this object lives, PETSc looks for options in the given set and not in the program's
  /// database. Null has no effect.
  class Active {
   public:
    explicit Active(OptionSet* options);
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;
    ~Active();

   private:
    OptionSet* options_;
  };

  /// Collective. Throws InvalidArgument if there are options that no rank has queried, now that
  /// `object`, a PC or a KSP, is set up: `options.program` for options that PETSc reads when it is
  /// initialized, otherwise `options.unknown`. Accepts those that are queried in a solve, and those
  /// of levels and estimates that PETSc does not need for this matrix.
  void require_used(PetscObject object, Call& call) const;

 private:
  explicit OptionSet(const std::string& line);
  void set(const std::string& name, const std::string* value);

  unsigned session_ = 0;
  PetscOptions options_ = nullptr;
  std::vector<std::string> names_;
  bool active_ = false;
};

}  // namespace daptor::solvers
