// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/report.hpp"

namespace daptor::validation {

/// Collective. One report of what all ranks found: for each rule, severity and dimension the number
/// of ranks, the `listed` lowest (at least one), and the finding of the lowest. The same on every
/// rank, in the order of the checklist. O(log P) steps and bounded messages for each entry of the
/// result, and as much memory as ranks are listed; more than eight are gathered on rank 0.
/// `failure` is what this rank brings from before; where any rank brings one, all throw as `agree`
/// does.
Report merge(const Report& local, const Comm& comm, int listed = 8,
             std::exception_ptr failure = nullptr);

/// The same of reports that are all here, `reports[i]` of rank i, of an array that may have more
/// ranks: a finding always names its ranks.
Report merge_recorded(const std::vector<Report>& reports, int listed);

}  // namespace daptor::validation
