// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "judge.hpp"

namespace daptor::search {

/// What the library says about the descriptions of all ranks.
struct Reports {
  std::vector<Report> local;           ///< validate_local of each rank
  std::vector<Report> full, metadata;  ///< validate on each rank
};

/// On fibers; throws what validate throws.
Reports validate_everywhere(const Recorded& recorded);

/// How the library and the judge differ; empty where they agree.
std::string disagreement(const Judgement& judgement, const Reports& reports);

/// The array as JSON, for a message.
std::string as_json(const Recorded& recorded);

}  // namespace daptor::search
