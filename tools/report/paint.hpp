// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/report.hpp"

namespace daptor::report {

/// Colours for a terminal, or none.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  std::string bold(const std::string& text) const { return with("1", text); }
  std::string faint(const std::string& text) const { return with("2", text); }
  std::string good(const std::string& text) const { return with("1;32", text); }
  std::string bad(const std::string& text) const { return with("1;31", text); }
  std::string severity(Severity severity, const std::string& text) const {
    if (severity == Severity::error) return bad(text);
    return with(severity == Severity::warning ? "1;33" : "1;36", text);
  }

 private:
  std::string with(const char* code, const std::string& text) const {
    return on_ ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
  }

  bool on_;
};

}  // namespace daptor::report
