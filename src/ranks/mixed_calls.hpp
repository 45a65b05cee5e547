// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "daptor/comm.hpp"
#include "daptor/terms.hpp"

namespace daptor::detail {

/// Collective over ranks that have met in different calls. Throws InvalidArgument, rule
/// `collective.mixed`, on all of them, which names the first few calls and the ranks in each.
/// @param name  the call in which this rank is
/// @param own   the code of that call, by which the ranks tell calls apart
[[noreturn]] void refuse_mixed(const Comm& comm, const CallName& name, std::int64_t own);

}  // namespace daptor::detail
