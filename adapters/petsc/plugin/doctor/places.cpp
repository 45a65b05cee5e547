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
  std::atomic<std::uint64_t> calls{0};  ///< events of all processes that have begun
  std::atomic<int> rank{0};
  std::atomic<bool> left{false};  ///< at the end of the session
  std::atomic<bool> told{false};  ///< of the first process: somebody has told who has left
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

Places::Places(Settings settings) : settings_(std::move(settings)) {
  int rank = 0, local = 0, size = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_dup(PETSC_COMM_WORLD, &world_);
  MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine_);
  MPI_Comm_set_errhandler(machine_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(machine_, &local);
  MPI_Comm_size(machine_, &size);
  void* memory = nullptr;
  require(MPI_Win_allocate_shared(sizeof(Place), 1, MPI_INFO_NULL, machine_, &memory, &window_),
          "MPI_Win_allocate_shared");
  own_ = new (memory) Place;
  own_->rank.store(rank, std::memory_order_relaxed);
  at(Texts{"no event of PETSc", nullptr, nullptr, nullptr});
  MPI_Barrier(machine_);
  for (int i = 0; i < size; ++i) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* place = nullptr;
    require(MPI_Win_shared_query(window_, i, &bytes, &unit, &place), "MPI_Win_shared_query");
    all_.push_back(static_cast<Place*>(place));
  }
  if (local == 0 && settings_.watched) thread_ = std::thread([this] { watch(); });
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
  for (std::thread* thread : {&thread_, &leaving_})
    if (thread->joinable()) thread->join();
}

void Places::free() {
  stop();
  all_.clear();
  MPI_Win_free(&window_);
  MPI_Comm_free(&machine_);
  MPI_Comm_free(&world_);
}

void Places::at(const Texts& texts) noexcept {
  std::size_t length = 0;
  for (const char* text : texts)
    for (; text != nullptr && *text != '\0' && length + 1 < own_->text.size(); ++text)
      own_->text[length++].store(*text, std::memory_order_relaxed);
  own_->text[length].store('\0', std::memory_order_relaxed);
  own_->steps.fetch_add(1, std::memory_order_release);
}

void Places::count() noexcept {
  own_->left.store(false, std::memory_order_relaxed);
  own_->calls.fetch_add(1, std::memory_order_release);
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

/// Whether others have begun an event of all processes that this one never will: then they wait for
/// ever. It is told by one process for all that have come to the end.
bool Places::tell_who_left() {
  std::vector<std::string> texts;
  std::vector<int> ranks;
  Finding finding = error_finding(
      "check.calls.left", -1, "calls", {}, "all ranks of an object in the same collective call",
      "Look for a branch, a return or a loop's end that only some ranks come to.");
  bool waiting = false;
  const std::uint64_t own = own_->calls.load(std::memory_order_relaxed);
  for (const Place* place : all_) {
    const bool left = place->left.load(std::memory_order_acquire);
    const bool waits = !left && place->calls.load(std::memory_order_acquire) > own;
    waiting |= waits;
    if (!left && !waits) continue;
    ranks.push_back(place->rank.load(std::memory_order_relaxed));
    texts.push_back(place->read());
    if (left) finding.ranks.push_back(ranks.back());
  }
  if (!waiting) return false;
  if (all_[0]->told.exchange(true)) return true;
  finding.rank_count = static_cast<std::int64_t>(finding.ranks.size());
  finding.found = "ranks that have left, and others that wait for them: " + by_rank(texts, ranks);
  settings_.tell(finding);
  return true;
}

/// Whether this process is the one that says that it waits at the end: the first on its machine,
/// and where the thread does not see it, too.
bool Places::says_who_waits() const {
  const auto left = [](const Place* place) { return place->left.load(std::memory_order_acquire); };
  const bool is_first =
      std::find_if(all_.begin(), all_.end(), left) == std::find(all_.begin(), all_.end(), own_);
  return is_first && (!settings_.watched || std::all_of(all_.begin(), all_.end(), left));
}

/// What is told when nobody goes on: others that leave too should be told together, and those that
/// wait have then come to a place.
std::chrono::duration<double> Places::settled() const {
  return std::chrono::duration<double>(std::min(0.5, settings_.patience));
}

void Places::leave() {
  at(Texts{"PetscFinalize", nullptr, nullptr, nullptr});
  own_->left.store(true, std::memory_order_release);
  if (!leaving_.joinable()) leaving_ = std::thread([this] { watch_others(); });
}

void Places::watch_others() {
  constexpr std::chrono::milliseconds pause(50);
  std::uint64_t before = steps();
  Clock::time_point since = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_for(lock, pause, [this] { return ending_ || awaiting_; })) {
    const std::uint64_t now = steps();
    if (now != before) since = Clock::now();
    before = now;
    if (Clock::now() - since >= settled() && tell_who_left()) return;
  }
}

void Places::await_all() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    awaiting_ = true;
  }
  end_.notify_all();
  if (leaving_.joinable()) leaving_.join();
  constexpr int quick = 1000;  // attempts without a pause
  constexpr std::chrono::milliseconds pause(1);
  const std::chrono::duration<double> patience(settings_.patience);
  at(Texts{"PetscFinalize", nullptr, nullptr, nullptr});
  own_->left.store(true, std::memory_order_release);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(world_, &request);
  const Clock::time_point came = Clock::now();
  Clock::time_point since = came;
  std::uint64_t before = steps();
  bool told = false, said = false;
  for (int attempt = 0, all_here = 0;; ++attempt) {
    MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    if (all_here != 0) return;
    if (attempt < quick) continue;
    std::this_thread::sleep_for(pause);
    const Clock::time_point now = Clock::now();
    if (const std::uint64_t reached = steps(); reached != before) {
      before = reached;
      since = now;
    }
    if (!told && now - since >= settled()) told = tell_who_left();
    if (told || said || now - came < patience) continue;
    said = true;
    if (says_who_waits())
      settings_.say("rank " + std::to_string(own_->rank.load(std::memory_order_relaxed)) +
                    " has waited in PetscFinalize for " + seconds_text(settings_.patience) +
                    ", and other ranks have not come: " + this->told());
  }
}

void Places::watch() {
  const std::chrono::duration<double> patience(settings_.patience),
      pause(std::min(1.0, settings_.patience / 4));
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
      if (where.empty() || all_[0]->told.load(std::memory_order_relaxed)) continue;
      told_already = true;
      Finding finding = error_finding(
          "check.calls.waiting", -1, "calls",
          "nobody has gone on for " + seconds_text(settings_.patience) + ": " + where,
          "all ranks of an object in the same collective call",
          "Look for a branch that only some ranks take. If a rank computes for so long, the others "
          "wait for it; -daptor_check_patience gives it more seconds.");
      finding.severity = Severity::warning;
      settings_.tell(finding);
    }
  }
}

}  // namespace daptor::petsc::plugin::doctor
