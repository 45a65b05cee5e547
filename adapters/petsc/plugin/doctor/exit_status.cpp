// SPDX-License-Identifier: BSD-3-Clause
#include "exit_status.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace daptor::petsc::plugin::doctor {
namespace {

/// When the process was started; 0 if it has ended.
std::int64_t start_of(const std::string& number) {
  constexpr int start_field =
      20;  // among those behind the name in parentheses, of which state is 1
  std::ifstream in("/proc/" + number + "/stat");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int i = 1; i <= start_field && fields >> field; ++i)
    if (i == 1 && (field == "Z" || field == "X")) return 0;  // not yet known to its parent
  return fields ? std::strtoll(field.c_str(), nullptr, 10) : 0;
}

bool runs(const Process& process) {
  return process.started != 0 && start_of(std::to_string(process.number)) == process.started;
}

struct Wanted {
  std::mutex mutex;
  int status = 0;
  bool registered = false;
  pid_t process = 0;  ///< one that it forks keeps its own status
  std::vector<Process> others;
};

/// Lives as long as the process: it is used when other objects are gone.
Wanted& wanted() {
  static auto* const only = new Wanted;
  return *only;
}

#if defined(__GLIBC__)

void wait_for(const std::vector<Process>& others) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::any_of(others.begin(), others.end(), runs) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// In glibc a second `exit` goes on with what is still to be done at the end.
void replace(int status, void* /*nothing*/) {
  const Wanted& now = wanted();
  if (status != 0 || now.status == 0 || now.process != getpid()) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) wait_for(now.others);  // otherwise they may wait for this one
  std::exit(now.status);
}

#endif

}  // namespace

Process this_process() {
  return {getpid(), start_of("self")};
}

bool can_end_with() noexcept {
#if defined(__GLIBC__)
  return true;
#else
  return false;
#endif
}

void end_with(int status, std::vector<Process> others) {
  Wanted& now = wanted();
  const std::lock_guard<std::mutex> lock(now.mutex);
  now.status = status;
  now.process = getpid();
  now.others = std::move(others);
#if defined(__GLIBC__)
  if (!now.registered) now.registered = on_exit(replace, nullptr) == 0;
#endif
}

}  // namespace daptor::petsc::plugin::doctor
