// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/session.hpp"
#include "json/recorded.hpp"

/// \file
/// The descriptions of a producer on all ranks, recorded in the form of a file.

namespace daptor::cli {

/// Collective. Calls the first producer, `LIBRARY:SYMBOL`, on all ranks, and `body` on the first
/// rank, with the descriptions of all ranks, valid or not. Returns the status of `body`, also if
/// the producer cannot describe its section, which is recorded: Status::producer_failed means that
/// it cannot be loaded or made.
int with_recorded(const SessionOptions& options,
                  const std::function<report::Status(const Recorded&)>& body);

}  // namespace daptor::cli
