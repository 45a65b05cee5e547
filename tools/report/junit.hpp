// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

/// \file
/// JUnit XML for build servers.

namespace daptor::report::junit {

/// A test case: its name, and its failures.
struct Case {
  enum class Result { passed, failure, error, skipped };

  std::string name;
  Result result = Result::passed;
  std::string message = {};
  std::string text = {};
  std::string type = {};  ///< of the failure; empty: the name
  std::string file = {};  ///< may be empty
  int line = 0;
};

struct Suite {
  std::string name;
  std::vector<Case> cases = {};
  std::string remarks = {};  ///< lines of text; may be empty
};

void write(std::ostream& out, const std::vector<Suite>& suites);

}  // namespace daptor::report::junit
