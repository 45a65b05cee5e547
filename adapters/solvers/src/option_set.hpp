// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <petscsys.h>

#include "daptor/comm.hpp"

namespace daptor::solvers {

/// An options database of PETSc of its own.
class OptionSet {
 public:
  /// Collective over `comm`. The options of one line, the same on all ranks. Throws InvalidArgument
  /// (`options.syntax`, `options.differ`).
  static std::shared_ptr<OptionSet> parse(const std::string& line, const Comm& comm);

  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;
  ~OptionSet();

  /// While this lives, PETSc looks for options here, and not in the program's. Null: does nothing.
  class Active {
   public:
    explicit Active(OptionSet* options);
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;
    ~Active();

   private:
    OptionSet* options_;
  };

  /// Collective. Throws InvalidArgument (`options.unknown`) where there are options that no rank
  /// has asked for.
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
