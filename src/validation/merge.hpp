#pragma once

#include "daptor/communicator.hpp"
#include "daptor/report.hpp"

namespace daptor::validation {

/// Collective. One report of what all ranks found: for each rule, severity and dimension the number
/// of ranks, the lowest eight, and the finding of the lowest. The same on every rank, in the order
/// of the checklist. O(log P) steps and bounded messages for each entry of the result.
Report merge(const Report& local, const Communicator& comm);

}  // namespace daptor::validation
