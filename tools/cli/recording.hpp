// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/session.hpp"
#include "json/recorded.hpp"

/// \file
/// The descriptions of a producer on all ranks, recorded in the form of a file.

namespace daptor::cli {

/// Collective. Calls the producer, `LIBRARY:SYMBOL`, on all ranks. Returns the descriptions of all
/// ranks, valid or not, on the first rank, and none on the others. Throws ProducerFailed on all
/// ranks if the producer cannot be loaded or made; a failure to describe its section is recorded
/// instead.
Recorded record_producer(const std::string& producer, const Session& session);

/// Collective. Records the producer, and calls `body` with the recording on the first rank. Returns
/// its status on the first rank.
int with_recorded(const SessionOptions& options,
                  const std::function<report::Status(const Recorded&)>& body);

}  // namespace daptor::cli
