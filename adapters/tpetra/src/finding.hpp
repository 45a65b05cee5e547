// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "daptor/report.hpp"

namespace daptor::tpetra {

inline Finding make_finding(const char* rule, std::string found, std::string expected,
                            std::string remedy, int dimension = -1) {
  Finding finding;
  finding.rule = rule;
  finding.dimension = dimension;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.remedy = std::move(remedy);
  return finding;
}

}  // namespace daptor::tpetra
