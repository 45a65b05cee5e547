#include "cli/session.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/say.hpp"
#include "daptor/agreement.hpp"
#include "daptor/conformance/plugin.hpp"

namespace daptor::cli {
namespace {

using report::Status;

/// A process that ends by itself between MPI_Init and MPI_Finalize would leave the others waiting.
bool in_session = false;

void end_job_at_exit() {
  if (!in_session) return;
  say("the producer ended the process");
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Status::producer_failed));
}

/// From MPI_Init to MPI_Finalize.
class Mpi {
 public:
  Mpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    in_session = true;
    std::atexit(end_job_at_exit);
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() {
    MPI_Finalize();
    in_session = false;
  }
};

/// In a signal handler: whatever the producer is doing, this process ends, and with it the job.
void end_job_at_limit(int) {
  constexpr char text[] = "daptor: the time limit is over, and the producer is not done\n";
  const ssize_t ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
  static_cast<void>(ignored);
  _exit(static_cast<int>(Status::producer_failed));
}

void set_limit(int seconds) {
  if (seconds <= 0) return;
  struct sigaction action = {};
  action.sa_handler = end_job_at_limit;
  sigaction(SIGALRM, &action, nullptr);
  alarm(static_cast<unsigned>(seconds));
}

/// What is wrong with loading the first of the producers that does not load here.
std::optional<std::string> probe(const std::vector<std::string>& producers) {
  for (const std::string& producer : producers)
    if (auto failure = conformance::probe_producer(producer)) return failure;
  return std::nullopt;
}

/// Collective.
void require_loadable(const Communicator& ranks, const std::optional<std::string>& failure) {
  agreed(ranks, [&] {
    if (failure) throw ProducerFailed(error_finding(rule_producer, -1, "", *failure, ""));
  });
}

/// Runs on all ranks; says once what all ranks have thrown.
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
  return subject.find(':') != std::string::npos && !std::filesystem::exists(subject, ignored);
}

void add_time_limit(CLI::App& app, SessionOptions& options) {
  app.add_option("--time-limit", options.seconds,
                 "End the job where a producer is not done by then (default: never)")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS");
}

int run_session(const SessionOptions& options, const std::function<Status(const Session&)>& body) {
  const std::optional<std::string> failure = probe(options.producers);
  set_limit(options.seconds);
  const Mpi mpi;
  try {
    const MpiCommunicator ranks(MPI_COMM_WORLD);
    auto status = static_cast<std::int64_t>(run({MPI_COMM_WORLD, ranks}, failure, body));
    ranks.allreduce(&status, 1, Reduction::max);
    return static_cast<int>(status);
  } catch (const std::exception& error) {
    say(error.what());
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Status::unusable));
    std::abort();
  }
}

}  // namespace daptor::cli
