// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <petscsys.h>

#include "daptor/comm.hpp"

namespace daptor::solvers {

/// A separate options database of PETSc.
class OptionSet {
 public:
  /// Collective over `comm`. Parses the options of one line, which is the same on all ranks. Throws
  /// InvalidArgument (`options.syntax`, `options.differ`).
  static std::shared_ptr<OptionSet> parse(const std::string& line, const Comm& comm);

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

  /// Collective. Throws InvalidArgument (`options.unknown`) if there are options that no rank has
  /// queried.
  void require_used(const Comm& comm) const;

 private:
  explicit OptionSet(const std::string& line);
  void set(const std::string& name, const std::string* value);

  unsigned session_ = 0;
  PetscOptions options_ = nullptr;
  std::vector<std::string> names_;
  bool active_ = false;
};

}  // namespace daptor::solvers
