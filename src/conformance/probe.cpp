// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "conformance/plugin.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/conformance/plugin.hpp"
#include "daptor/error.hpp"

namespace daptor::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char loaded = 'y';

[[noreturn]] void system_failure(const char* function) {
  throw LibraryFailed("system", function, std::strerror(errno));
}

/// Runs in the child process: loads the library, reports the result, and ends without the clean-up
/// of the parent.
[[noreturn]] void load_in_child(const Specification& specification, int answer) {
  std::string text(1, loaded);
  try {
    static_cast<void>(find_symbol(open_library(specification), specification));
  } catch (const Error& error) {
    text = "n" + error.finding().found.str();
  } catch (...) {
    text = "nit threw an exception when it was loaded";
  }
  const ssize_t written = write(answer, text.data(), text.size());
  _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

/// What the child wrote before it ended or ran out of time.
struct Answer {
  std::string text;
  bool late = false;
};

Answer listen(int pipe, Clock::time_point end) {
  Answer answer;
  std::array<char, 1024> bytes;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd readable{pipe, POLLIN, 0};
    const int ready = poll(&readable, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      answer.late = true;
      return answer;
    }
    const ssize_t count = read(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return answer;
    answer.text.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) system_failure("waitpid");
  return status;
}

std::optional<std::string> judge(const Specification& specification, const Answer& answer,
                                 int status) {
  const std::string file = "'" + specification.file + "' ";
  if (answer.late) return file + "was not loaded in time";
  if (!answer.text.empty() && answer.text.front() == loaded) return std::nullopt;
  if (!answer.text.empty()) return answer.text.substr(1);
  if (WIFSIGNALED(status))
    return file + "crashed when it was loaded: " + strsignal(WTERMSIG(status));
  return file + "ended the process when it was loaded, with status " +
         std::to_string(WEXITSTATUS(status));
}

void require_no_mpi() {
  if (adapter::mpi_running())
    throw InvalidArgument("probe_producer", "a call while MPI is running",
                          "a call before MPI_Init");
}

}  // namespace

std::optional<std::string> probe_producer(const std::string& specification,
                                          std::chrono::milliseconds limit) {
  require_no_mpi();
  Specification where;
  try {
    where = read_specification(specification);
  } catch (const ProducerFailed& error) {
    return error.finding().found.str() + "; expected " + error.finding().expected.str();
  }
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) system_failure("pipe2");
  const Clock::time_point end = Clock::now() + limit;
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    system_failure("fork");
  }
  if (child == 0) {
    close(ends[0]);
    load_in_child(where, ends[1]);
  }
  close(ends[1]);
  const Answer answer = listen(ends[0], end);
  close(ends[0]);
  if (answer.late) kill(child, SIGKILL);
  return judge(where, answer, wait_for(child));
}

}  // namespace daptor::conformance
