// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/call.hpp"
#include "daptor/report.hpp"

/// \file
/// For authors of adapters: one report of what each rank has found about an object.

namespace daptor::adapter {

/// Collective. The findings of all ranks in one report, the same on all ranks. Findings of several
/// ranks with the same rule, severity, dimension and key become one, which has the text of the
/// lowest of these ranks and names the lowest eight of them; a finding that every rank of several
/// has made names none. Text that may differ between ranks therefore belongs into `found`.
///
/// For example, if ranks 1 and 2 of 3 each find an index out of range, 12 on rank 1 and 15 on
/// rank 2, the report has one finding of the ranks 1 and 2, which says 12.
///
/// @param local  returns the findings of this rank, without ranks; may throw, and must not
///               communicate
Report merged(Call& call, const std::function<Report()>& local);

}  // namespace daptor::adapter
