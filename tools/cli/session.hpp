// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include "cli/command.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/conformance/candidate.hpp"
#include "report/outcome.hpp"

/// \file
/// Producers in shared libraries, called on all ranks under mpirun.

namespace daptor::cli {

/// Whether the argument names a producer, `FILE:SYMBOL`, and not a file.
bool names_producer(const std::string& subject);

/// What the ranks share in a session.
struct Session {
  MPI_Comm comm;
  const Comm& ranks;

  bool first() const { return ranks.rank() == 0; }
};

/// Options of a session.
struct SessionOptions {
  std::vector<std::string> producers;
  int seconds = 0;     ///< the job ends with Status::producer_failed after these; 0: never
  std::string python;  ///< the Python for producers in Python; empty: the one of this build
};

/// `--time-limit` and `--python`.
void add_session_options(CLI::App& app, SessionOptions& options);

/// Collective. The producer of a shared library. Its calls are marked, so that the message of the
/// time limit says which ranks are in the producer's code.
conformance::Subject watched(const std::string& producer, MPI_Comm comm);

/// Starts MPI, lets `body` work on all ranks, and ends MPI. Returns the highest status of all
/// ranks.
///
/// Each producer is first loaded in a child process, so that a library that crashes, hangs or exits
/// when it is loaded does no harm. A failure to load, on any rank, is printed once and gives
/// Status::producer_failed on all ranks. `body` must throw on all ranks or on none: an exception on
/// one rank alone ends the job, and so does a producer that ends its process.
int run_session(const SessionOptions& options,
                const std::function<report::Status(const Session&)>& body);

}  // namespace daptor::cli
