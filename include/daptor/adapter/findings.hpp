// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "daptor/report.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: collects what is wrong with an object of another library.

namespace daptor::adapter {

/// What is wrong with one object, or with a part of it, as this rank sees it. Process-local.
class Findings {
 public:
  /// @param key      key of all findings, which must be the same on all ranks (`merged`)
  /// @param subject  the object as findings name it: `Vec 'u' (type mpi)`
  Findings(std::string key, std::string subject)
      : key_(std::move(key)), subject_(std::move(subject)) {}

  const std::string& subject() const { return subject_; }

  /// @param found  goes on behind the object's name and a colon
  void error(const char* rule, const Terms& found, Terms expected, Terms remedy) {
    add(Severity::error, rule, found, std::move(expected), std::move(remedy));
  }
  void warning(const char* rule, const Terms& found, Terms expected, Terms remedy) {
    add(Severity::warning, rule, found, std::move(expected), std::move(remedy));
  }
  void add(Severity severity, const char* rule, const Terms& found, Terms expected, Terms remedy);
  /// What was found of a part of the object, which it names.
  void take(const Report& part) { report_.append(part); }
  /// All that has been found.
  const Report& report() const { return report_; }

 private:
  std::string key_;
  std::string subject_;
  Report report_;
};

/// `1 row`, `3 rows`
std::string counted(Index count, const char* one, const char* several);

/// Behind the first of several: ` (3 such on this rank)`, ` (3 such rows on this rank)`. Nothing
/// behind a single one.
std::string such(Index count, const char* what = "");

}  // namespace daptor::adapter
