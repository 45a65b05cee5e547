// SPDX-License-Identifier: BSD-3-Clause
#include "cli/session.hpp"

#include "cli/saved.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "cli/say.hpp"
#include "daptor/call.hpp"
#include "daptor/conformance/plugin.hpp"

namespace daptor::cli {
namespace {

using report::Status;

/// Aborts the job if this process exits between MPI_Init and MPI_Finalize, because the others would
/// wait for ever.
bool in_session = false;

void end_job_at_exit() {
  if (!in_session) return;
  say("the producer ended the process");
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Status::producer_failed));
}

/// \name State that the signal handler reads
/// \{
volatile sig_atomic_t own_rank = -1;  ///< -1: MPI has not started
volatile sig_atomic_t in_producer = 0;
/// \}

/// Lives from MPI_Init to MPI_Finalize.
class Mpi {
 public:
  Mpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    in_session = true;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own_rank = rank;
    std::atexit(end_job_at_exit);
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() {
    MPI_Finalize();
    in_session = false;
  }
};

/// Lives while this process is in the producer's code.
class InProducer {
 public:
  InProducer() { in_producer = 1; }
  InProducer(const InProducer&) = delete;
  InProducer& operator=(const InProducer&) = delete;
  ~InProducer() { in_producer = 0; }
};

/// A line of text, assembled with functions that a signal handler may call.
class SignalText {
 public:
  void add(const char* words) {
    while (*words != '\0' && used_ < sizeof text_) text_[used_++] = *words++;
  }
  void add(int number) {
    char digits[12];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0 && used_ < sizeof text_) text_[used_++] = digits[--count];
  }
  void write_out() const {
    const ssize_t ignored = ::write(STDERR_FILENO, text_, used_);
    static_cast<void>(ignored);
  }

 private:
  char text_[160];
  std::size_t used_ = 0;
};

/// The signal handler: ends this process, whatever the producer is doing, and with it the job. The
/// other ranks, whose time is over at about the same moment, get a second to print where they are.
void end_job_at_limit(int) {
  SignalText text;
  text.add("daptor: the time limit is over: ");
  if (own_rank >= 0) {
    text.add("rank ");
    text.add(own_rank);
    text.add(in_producer != 0 ? " is in the producer\n" : " waits for the others\n");
  } else {
    text.add("MPI has not started\n");
  }
  text.write_out();
  timespec second{1, 0};
  nanosleep(&second, nullptr);
  _exit(static_cast<int>(Status::producer_failed));
}

void set_limit(int seconds) {
  if (seconds <= 0) return;
  struct sigaction action = {};
  action.sa_handler = end_job_at_limit;
  sigaction(SIGALRM, &action, nullptr);
  alarm(static_cast<unsigned>(seconds));
}

/// A sentence about the first producer that cannot be loaded here; `nullopt` if all can.
std::optional<std::string> probe(const std::vector<std::string>& producers) {
  for (const std::string& producer : producers)
    if (auto failure = conformance::probe_producer(producer)) return failure;
  return std::nullopt;
}

/// Collective.
void require_loadable(const Comm& ranks, const std::optional<std::string>& failure) {
  Call(ranks, "daptor").check([&] {
    if (failure) throw ProducerFailed(error_finding(rule_producer, -1, "", *failure, ""));
  });
}

/// Runs on all ranks. An error that all ranks throw is printed once.
Status run(const Session& session, const std::optional<std::string>& failure,
           const std::function<Status(const Session&)>& body) {
  const auto tell = [&](const Error& error) {
    if (session.first()) say(error);
  };
  try {
    require_loadable(session.ranks, failure);
    return body(session);
  } catch (const ProducerFailed& error) {
    tell(error);
    return Status::producer_failed;
  } catch (const InvalidArgument& error) {
    tell(error);
    return Status::unusable;
  }
}

}  // namespace

bool names_producer(const std::string& subject) {
  std::error_code ignored;
  return subject.find(':') != std::string::npos && !std::filesystem::exists(subject, ignored) &&
         !names_saved(subject);
}

void add_session_options(CLI::App& app, SessionOptions& options) {
  app.add_option("--time-limit", options.seconds,
                 "End the job where a producer is not done by then, and say which ranks are in it "
                 "(default: never)")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS");
  app.add_option("--python", options.python,
                 "The Python that MODULE:NAME is for (default: the one that daptor was built with)")
      ->type_name("PROGRAM");
}

conformance::Subject watched(const std::string& producer, MPI_Comm comm) {
  const conformance::Subject subject = conformance::load_producer(producer, comm);
  return [subject](MPI_Comm on) {
    const InProducer now;
    conformance::Candidate candidate = subject.make(on);
    if (candidate.destroy)
      candidate.destroy = [destroy = std::move(candidate.destroy)] {
        const InProducer here;
        destroy();
      };
    candidate.describe = [describe = std::move(candidate.describe)] {
      const InProducer here;
      return describe();
    };
    return candidate;
  };
}

int run_session(const SessionOptions& options, const std::function<Status(const Session&)>& body) {
  const std::optional<std::string> failure = probe(options.producers);
  set_limit(options.seconds);
  const Mpi mpi;
  try {
    const Comm ranks(MPI_COMM_WORLD);
    auto status = static_cast<std::int64_t>(run({MPI_COMM_WORLD, ranks}, failure, body));
    ranks->allreduce(&status, 1, Reduction::max);
    return static_cast<int>(status);
  } catch (const std::exception& error) {
    say(error.what());
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Status::unusable));
    std::abort();
  }
}

}  // namespace daptor::cli
