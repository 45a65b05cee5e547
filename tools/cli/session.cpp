// SPDX-License-Identifier: BSD-3-Clause
#include "cli/session.hpp"

#include "cli/saved.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cli/launch.hpp"
#include "cli/python.hpp"
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

std::atomic<int> own_rank = -1;  ///< -1: MPI has not started

/// Lives from MPI_Init to MPI_Finalize, unless others have started MPI.
class Mpi {
 public:
  Mpi() {
    int started = 0;
    MPI_Initialized(&started);
    owner_ = started == 0;
    int provided = 0;
    if (owner_) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    in_session = true;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own_rank = rank;
    if (owner_) std::atexit(end_job_at_exit);
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() {
    if (owner_) MPI_Finalize();
    in_session = false;
  }

 private:
  bool owner_ = false;
};

/// Calls a function in the producer's code.
template <class F>
auto in_producer(Watch& watch, F&& function) {
  watch.enter();
  try {
    auto result = std::forward<F>(function)();
    watch.leave();
    return result;
  } catch (const Error& error) {
    watch.leave(error.finding().found.str());
    throw;
  } catch (const std::exception& error) {
    watch.leave(error.what());
    throw;
  }
}

/// A sentence about the first library that cannot be loaded here; `nullopt` if all can.
std::optional<std::string> probe(const SessionOptions& options) {
  for (const std::string& producer : options.producers)
    if (names_python(producer) && options.interpreter() != nullptr) {
      continue;
    } else if (auto failure = conformance::probe_producer(producer))
      return failure;
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

/// Starts MPI in the interpreter; a sentence says once if it has none.
void start(Interpreter& interpreter) {
  try {
    interpreter.start();
  } catch (const InvalidArgument&) {
    silence_other_ranks();
    // The launcher ends the job when a process leaves, and nothing can wait for the first one.
    if (launched_rank().value_or(0) > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    throw;
  }
}

/// Refuses a name that can be no producer's, such as `:make`.
void require_name(const std::string& producer) {
  const std::size_t colon = producer.rfind(':');
  if (colon != 0 && colon + 1 < producer.size()) return;
  silence_other_ranks();
  throw InvalidArgument("producer", "'" + producer + "'",
                        "LIBRARY:SYMBOL, MODULE:NAME or FILE.py:NAME");
}

/// A validator of times, which CLI::Range would not make of "nan".
CLI::Validator seconds_up_to(double most) {
  return {[most](std::string& text) {
            double seconds = -1;
            if (CLI::detail::lexical_cast(text, seconds) && seconds >= 0 && seconds <= most)
              return std::string();
            return "'" + text + "' is no number of seconds";
          },
          ""};
}

}  // namespace

bool names_producer(const std::string& subject) {
  std::error_code ignored;
  return subject.find(':') != std::string::npos && !std::filesystem::exists(subject, ignored) &&
         !names_saved(subject);
}

void add_session_options(CLI::App& app, SessionOptions& options, const Host& host) {
  options.host = &host;
  constexpr double most = 86400;
  app.add_option("--time-limit", options.seconds,
                 "End the job where a producer is not done by then, and say which ranks are in it "
                 "(default: never)")
      ->check(seconds_up_to(most))
      ->type_name("SECONDS");
  app.add_option("--patience", options.patience,
                 "End the job where a producer failed on one rank and others do not come back from "
                 "it by then (default: 30)")
      ->check(seconds_up_to(most))
      ->type_name("SECONDS");
  app.add_option("--python", options.python,
                 "The Python that MODULE:NAME is for (default: the one that daptor was built with)")
      ->type_name("PROGRAM");
}

/// A thread that ends this process after some time, and with it the job, unless it is stopped.
class Watch::Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { stop(); }

  void start(double seconds, std::function<std::string()> why) {
    stop();
    stopped_ = false;
    thread_ = std::thread([this, seconds, why = std::move(why)] {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!wake_.wait_for(lock, std::chrono::duration<double>(seconds),
                          [this] { return stopped_; }))
        end_job(why());
    });
  }
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  /// The other ranks, whose time is over at about the same moment, get a second to print where they
  /// are.
  [[noreturn]] static void end_job(const std::string& why) {
    const std::string text = "daptor: " + why + '\n';
    const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
    static_cast<void>(ignored);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    _exit(static_cast<int>(Status::producer_failed));
  }

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
};

struct Watch::State {
  double patience;
  std::atomic<bool> inside = false;
  Timer limit = {}, others = {};
};

Watch::Watch(const SessionOptions& options) : state_(new State{options.patience}) {
  if (options.seconds <= 0) return;
  Interpreter* const interpreter = options.interpreter();
  state_->limit.start(options.seconds, [state = state_.get(), interpreter] {
    const std::string over = "the time limit is over: ";
    const int rank = own_rank;
    if (rank < 0) return over + "MPI has not started";
    const std::string where = interpreter != nullptr ? interpreter->whereabouts()
                              : state->inside        ? "is in the producer"
                                                     : "waits for the others";
    return over + "rank " + std::to_string(rank) + ' ' + where;
  });
}

Watch::~Watch() = default;

void Watch::enter() {
  returned();
  state_->inside = true;
}

void Watch::leave() {
  state_->inside = false;
}

void Watch::leave(const std::string& error) {
  leave();
  const std::string why = "rank " + std::to_string(own_rank) + ": " + error +
                          "; other ranks do not come back from the producer";
  state_->others.start(state_->patience, [why] { return why; });
}

void Watch::returned() {
  state_->others.stop();
}

conformance::Subject watched(const std::string& producer, const Session& session,
                             Interpreter* interpreter) {
  if (interpreter != nullptr && names_python(producer)) return interpreter->load(producer, session);
  const conformance::Subject subject = conformance::load_producer(producer, session.comm);
  return [subject, &watch = session.watch](MPI_Comm on) {
    conformance::Candidate candidate = in_producer(watch, [&] { return subject.make(on); });
    if (candidate.destroy)
      candidate.destroy = [destroy = std::move(candidate.destroy), &watch] {
        in_producer(watch, [&] { return destroy(), true; });
      };
    candidate.describe = [describe = std::move(candidate.describe), &watch] {
      return in_producer(watch, describe);
    };
    return candidate;
  };
}

int run_session(const SessionOptions& options, const std::function<Status(const Session&)>& body) {
  std::for_each(options.producers.begin(), options.producers.end(), require_name);
  const std::optional<std::string> failure = probe(options);
  Watch watch(options);
  if (options.interpreter() != nullptr) start(*options.interpreter());
  const Mpi mpi;
  try {
    const Comm ranks(MPI_COMM_WORLD);
    auto status = static_cast<std::int64_t>(run({MPI_COMM_WORLD, ranks, watch}, failure, body));
    ranks->allreduce(&status, 1, Reduction::max);
    return static_cast<int>(status);
  } catch (const std::exception& error) {
    say(error.what());
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Status::unusable));
    std::abort();
  }
}

}  // namespace daptor::cli
