// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscsys.h>

#include "daptor/report.hpp"
#include "daptor/types.hpp"

namespace daptor::petsc::detail {

/// What is wrong with one object, as this rank sees it. Process-local, and changes nothing.
class Findings {
 public:
  /// @param part  the part of the object that is looked at, such as `row mapping`; may be empty
  explicit Findings(PetscObject object, const std::string& part = "");

  /// The object as findings name it: `Vec 'u' (type mpi, options prefix 'fluid_')`.
  const std::string& subject() const { return subject_; }

  /// @param found  goes on behind the object's name and a colon
  void error(const char* rule, const std::string& found, std::string expected, std::string remedy) {
    add(Severity::error, rule, found, std::move(expected), std::move(remedy));
  }
  void warning(const char* rule, const std::string& found, std::string expected,
               std::string remedy) {
    add(Severity::warning, rule, found, std::move(expected), std::move(remedy));
  }
  /// All that has been found.
  const Report& report() const { return report_; }

 private:
  void add(Severity severity, const char* rule, const std::string& found, std::string expected,
           std::string remedy);

  std::string key_;
  std::string subject_;
  Report report_;
};

/// `1 row`, `3 rows`
std::string counted(Index count, const char* one, const char* several);

}  // namespace daptor::petsc::detail
