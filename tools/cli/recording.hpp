// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/session.hpp"
#include "json/recorded.hpp"

/// \file
/// What a producer says on all ranks, kept as a file would keep it.

namespace daptor::cli {

/// Collective. Calls the producer, `LIBRARY:SYMBOL`, on all ranks. The first rank has the
/// descriptions of all, right or wrong, and the others none. Throws on all ranks ProducerFailed
/// where the producer cannot be loaded or made; one that fails to describe its section is recorded.
Recorded record_producer(const std::string& producer, const Session& session);

/// Collective. Records the producer, and lets the first rank go on with what was recorded. Returns
/// its status, on the first rank.
int with_recorded(const SessionOptions& options,
                  const std::function<report::Status(const Recorded&)>& body);

}  // namespace daptor::cli
