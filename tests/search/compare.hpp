// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "judge.hpp"

namespace daptor::search {

/// The library's reports about the descriptions of all ranks.
struct Reports {
  std::vector<Report> local;           ///< of validate_local for each rank
  std::vector<Report> full, metadata;  ///< of validate on each rank
};

/// Runs on fibers; throws what validate throws.
Reports validate_everywhere(const Recorded& recorded);

/// Describes how the library and the judge differ; empty if they agree.
std::string disagreement(const Judgement& judgement, const Reports& reports);

/// The array as JSON, for messages.
std::string as_json(const Recorded& recorded);

}  // namespace daptor::search
