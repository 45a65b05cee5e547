// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/reason.hpp"

#include <utility>

namespace daptor::adapter {

Finding reason(std::string rule, Terms found, Terms expected, Terms remedy, Suggestion copy) {
  return reason(std::move(rule), -1, std::move(found), std::move(expected), std::move(remedy),
                std::move(copy));
}

Finding reason(std::string rule, int dimension, Terms found, Terms expected, Terms remedy,
               Suggestion copy) {
  Finding finding = error_finding(std::move(rule), dimension, "", std::move(found),
                                  std::move(expected), std::move(remedy));
  finding.copy = std::move(copy);
  return finding;
}

void require_none(Reasons reasons) {
  if (!reasons.empty()) throw NotRepresentable(Report(std::move(reasons)));
}

void refuse_argument(std::string rule, Terms found, Terms expected, Terms remedy, Suggestion copy) {
  throw InvalidArgument(Report({reason(std::move(rule), std::move(found), std::move(expected),
                                       std::move(remedy), std::move(copy))}));
}

}  // namespace daptor::adapter
