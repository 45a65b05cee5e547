// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "cli/command.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/conformance/candidate.hpp"
#include "daptor/terms.hpp"
#include "report/outcome.hpp"

/// \file
/// Producers in shared libraries, called on all ranks under mpirun.

namespace daptor::cli {

/// Whether the argument names a producer, `FILE:SYMBOL`, and not a file.
bool names_producer(const std::string& subject);

class Interpreter;
class Watch;

/// What the program that runs the command brings.
struct Host {
  std::vector<std::string> words = {};  ///< of the command line
  /// Null in a program without an interpreter, which hands producers in Python over to one.
  Interpreter* interpreter = nullptr;
};

/// What the ranks share in a session.
struct Session {
  MPI_Comm comm;
  const Comm& ranks;
  Watch& watch;

  bool first() const { return ranks.rank() == 0; }
};

/// Options of a session.
struct SessionOptions {
  std::vector<std::string> producers;
  double seconds = 0;    ///< the job ends with Status::producer_failed after these; 0: never
  double patience = 30;  ///< and after these, where a producer failed on one rank and others wait
  std::string python;    ///< the Python for producers in Python; empty: the one of this build
  const Host* host = nullptr;

  /// Null without one.
  Interpreter* interpreter() const { return host != nullptr ? host->interpreter : nullptr; }
};

/// `--time-limit`, `--patience` and `--python`.
void add_session_options(CLI::App& app, SessionOptions& options, const Host& host);

/// What is tried out of a producer.
struct Trial {
  Profile profile = Profile::recommended;
  bool labels = false;  ///< elements hold their row-major global numbers
  bool dlpack = false;  ///< its tensors of DLPack, in place of the protocol
};

/// The interpreter of Python in whose process the command runs (`python3 -m daptor`).
class Interpreter {
 public:
  virtual ~Interpreter() = default;

  /// Process-local. Starts MPI. Throws InvalidArgument if Python has none.
  virtual void start() = 0;
  /// Collective. Loads the adapters, whose targets are then registered.
  virtual void load_adapters(const Session& session) = 0;
  /// Collective. The producer MODULE:NAME. Throws ProducerFailed on all ranks.
  virtual conformance::Subject load(const std::string& producer, const Session& session) = 0;
  /// Collective. What is wrong with that producer, which may fail to load.
  virtual Report check(const std::string& producer, const Session& session, const Trial& trial) = 0;
  /// Whether the main thread is in a producer's code, as a phrase about its rank. Called on another
  /// thread.
  virtual std::string whereabouts() = 0;
};

/// Ends the job where a producer does not come back.
class Watch {
 public:
  explicit Watch(const SessionOptions& options);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// \name This process enters a producer's code, and leaves it
  /// \{
  void enter();
  void leave();
  /// With an error, which lets the others come back in time.
  void leave(const std::string& error);
  /// \}
  /// All ranks have come back from it.
  void returned();

 private:
  class Timer;
  struct State;
  std::unique_ptr<State> state_;
};

/// Collective. The producer of a shared library, or of the interpreter if that has it. `watch` sees
/// its calls.
conformance::Subject watched(const std::string& producer, const Session& session,
                             Interpreter* interpreter);

/// Starts MPI, lets `body` work on all ranks, and ends MPI unless the interpreter does. Returns the
/// highest status of all ranks.
///
/// The library of each producer is first loaded in a child process, so that a library that crashes,
/// hangs or exits when it is loaded does no harm. A failure to load, on any rank, is printed once
/// and gives Status::producer_failed on all ranks. `body` must throw on all ranks or on none: an
/// exception on one rank alone ends the job, and so does a producer that ends its process.
int run_session(const SessionOptions& options,
                const std::function<report::Status(const Session&)>& body);

}  // namespace daptor::cli
