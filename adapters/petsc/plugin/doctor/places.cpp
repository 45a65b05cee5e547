// SPDX-License-Identifier: BSD-3-Clause
#include "places.hpp"

#include <petscsys.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <set>
#include <sstream>

#include "calls.hpp"
#include "daptor/report.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

using Clock = std::chrono::steady_clock;

void require(int code, const char* function) {
  if (code != MPI_SUCCESS) throw LibraryFailed("mpi", function, "error " + std::to_string(code));
}

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text << seconds << " s";
  return text.str();
}

}  // namespace

/// Written by its process, read by the thread of another one.
struct Places::Place {
  std::atomic<std::uint64_t> steps{0};
  std::atomic<int> rank{0};
  std::array<std::atomic<char>, 120> text{};

  std::string read() const {
    std::string copy;
    for (const auto& c : text) {
      const char value = c.load(std::memory_order_relaxed);
      if (value == '\0') break;
      copy += value;
    }
    return copy;
  }
};

Places::Places(double patience, std::function<void(const Finding&)> tell)
    : patience_(patience), tell_(std::move(tell)) {
  int rank = 0, local = 0, size = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine_);
  MPI_Comm_set_errhandler(machine_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(machine_, &local);
  MPI_Comm_size(machine_, &size);
  void* memory = nullptr;
  require(MPI_Win_allocate_shared(sizeof(Place), 1, MPI_INFO_NULL, machine_, &memory, &window_),
          "MPI_Win_allocate_shared");
  own_ = new (memory) Place;
  own_->rank.store(rank, std::memory_order_relaxed);
  at("no event of PETSc");
  MPI_Barrier(machine_);
  if (local != 0) return;
  for (int i = 0; i < size; ++i) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* place = nullptr;
    require(MPI_Win_shared_query(window_, i, &bytes, &unit, &place), "MPI_Win_shared_query");
    all_.push_back(static_cast<const Place*>(place));
  }
  thread_ = std::thread([this] { watch(); });
}

Places::~Places() {
  stop();
}

void Places::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  end_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Places::free() {
  stop();
  all_.clear();
  MPI_Win_free(&window_);
  MPI_Comm_free(&machine_);
}

void Places::at(const std::string& text) noexcept {
  const std::size_t length = std::min(text.size(), own_->text.size() - 1);
  for (std::size_t i = 0; i < length; ++i) own_->text[i].store(text[i], std::memory_order_relaxed);
  own_->text[length].store('\0', std::memory_order_relaxed);
  own_->steps.fetch_add(1, std::memory_order_release);
}

std::uint64_t Places::steps() const {
  std::uint64_t sum = 0;
  for (const Place* place : all_) sum += place->steps.load(std::memory_order_acquire);
  return sum;
}

/// Where the processes are; empty if all are at the same place.
std::string Places::told() const {
  std::vector<std::string> texts;
  std::vector<int> ranks;
  for (const Place* place : all_) {
    texts.push_back(place->read());
    ranks.push_back(place->rank.load(std::memory_order_relaxed));
  }
  if (std::set<std::string>(texts.begin(), texts.end()).size() == 1) return {};
  return by_rank(texts, ranks);
}

void Places::watch() {
  const std::chrono::duration<double> patience(patience_), pause(std::min(1.0, patience_ / 4));
  std::uint64_t before = steps();
  Clock::time_point since = Clock::now();
  bool told_already = false;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_for(lock, pause, [this] { return ending_; })) {
    const std::uint64_t now = steps();
    if (now != before) {
      before = now;
      since = Clock::now();
      told_already = false;
    } else if (!told_already && Clock::now() - since >= patience) {
      const std::string where = told();
      if (where.empty()) continue;
      told_already = true;
      Finding finding = error_finding(
          "check.calls.waiting", -1, "calls",
          "nobody has gone on for " + seconds_text(patience_) + ": " + where,
          "all ranks of an object in the same collective call",
          "Look for a branch that only some ranks take. If a rank computes for so long, the others "
          "wait for it; -daptor_check_patience gives it more seconds.");
      finding.severity = Severity::warning;
      tell_(finding);
    }
  }
}

}  // namespace daptor::petsc::plugin::doctor
