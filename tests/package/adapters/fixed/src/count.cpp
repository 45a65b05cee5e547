// SPDX-License-Identifier: BSD-3-Clause
#include <fixed.h>

#include <string>
#include <utility>

#include "daptor/explain.hpp"
#include "daptor/fixed.hpp"

namespace daptor::fixed {
namespace {

LocalAssessment assess_count(const Section& array, int /*process_count*/) {
  LocalAssessment assessment;
  if (fixed_fits(array.local_count()) == 0) {
    Finding reason;
    reason.rule = "fixed.count";
    reason.found = std::to_string(array.local_count()) + " elements";
    reason.expected = "at most " + std::to_string(fixed_most()) + " on a process";
    assessment.reasons.push_back(std::move(reason));
  }
  return assessment;
}

}  // namespace

bool register_targets() {
  register_target({"fixed.count", "daptor::fixed::import_count", assess_count});
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::fixed
