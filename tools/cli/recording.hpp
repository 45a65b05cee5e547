// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/session.hpp"
#include "json/recorded.hpp"

/// \file
/// The descriptions of a producer on all ranks, recorded in the form of a file.

namespace daptor::cli {

/// Collective. Makes the first producer on all ranks, outside of our own calls, so that calls of
/// Daptor in which its ranks differ are told apart. Throws on all ranks if it fails on any.
conformance::Candidate made(const SessionOptions& options, const Session& session);

/// Collective. Calls the first producer on all ranks, and `body` on the first
/// rank, with the descriptions of all ranks, valid or not. Returns the status of `body`, also if
/// the producer cannot describe its section, which is recorded: Status::producer_failed means that
/// it cannot be loaded or made.
int with_recorded(const SessionOptions& options,
                  const std::function<report::Status(const Recorded&)>& body);

}  // namespace daptor::cli
