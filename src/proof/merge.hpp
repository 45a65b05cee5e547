// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/report.hpp"

namespace daptor::proof {

/// Collective. Merges the findings of all ranks into one report. Each entry has a rule, severity
/// and dimension, the number of ranks, the lowest `listed` of these ranks (at least one), and the
/// finding of the lowest rank. The report is the same on every rank, in the order of the checklist.
/// Each entry of the result takes O(log P) steps and messages of bounded size; memory is
/// proportional to the number of listed ranks, of which more than eight are gathered on rank 0.
/// @param local  returns the findings of this rank; may throw, and must not communicate
Report merge(const std::function<Report()>& local, int listed, Call& call);

/// Merges reports that are all in this process: `reports[i]` comes from rank i. The array may have
/// more ranks, so a finding always names its ranks.
Report merge_recorded(const std::vector<Report>& reports, int listed);

}  // namespace daptor::proof
