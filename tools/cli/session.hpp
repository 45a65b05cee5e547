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

/// True where the argument names a producer, `FILE:SYMBOL`, and no file.
bool names_producer(const std::string& subject);

/// What the ranks are in together.
struct Session {
  MPI_Comm comm;
  const Comm& ranks;

  bool first() const { return ranks.rank() == 0; }
};

/// What a session needs to know before it starts.
struct SessionOptions {
  std::vector<std::string> producers;
  int seconds = 0;     ///< the job ends with Status::producer_failed after these; 0: never
  std::string python;  ///< the Python for producers in Python; empty: the one of this build
};

/// `--time-limit` and `--python`.
void add_session_options(CLI::App& app, SessionOptions& options);

/// Collective. The producer of a shared library. While it works, this process knows that it does:
/// the time limit says on which ranks.
conformance::Subject watched(const std::string& producer, MPI_Comm comm);

/// Starts MPI, lets `body` work on all ranks, and ends MPI. Returns the highest status of all
/// ranks.
///
/// Each of the producers is loaded in a child process first, so that a library that crashes, hangs
/// or exits when it is loaded does no harm; what is wrong with one, on any rank, is said once and
/// gives Status::producer_failed on all. `body` must throw on all ranks or on none: an exception on
/// one alone, and a producer that ends its process, end the job.
int run_session(const SessionOptions& options,
                const std::function<report::Status(const Session&)>& body);

}  // namespace daptor::cli
