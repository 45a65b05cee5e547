// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/findings.hpp"

namespace daptor::adapter {

void Findings::add(Severity severity, const char* rule, const Terms& found, Terms expected,
                   Terms remedy) {
  Finding finding = error_finding(rule, -1, key_, subject_ + ": " + found, std::move(expected),
                                  std::move(remedy));
  finding.severity = severity;
  report_.add(std::move(finding));
}

std::string counted(Index count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string such(Index count, const char* what) {
  if (count == 1) return {};
  return " (" + std::to_string(count) + " such" + (*what == '\0' ? "" : " ") + what +
         " on this rank)";
}

}  // namespace daptor::adapter
