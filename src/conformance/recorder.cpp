// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "daptor/adapter/library.hpp"

namespace daptor::conformance {

/// A label for each communicator, derived from how it was made: handles differ between ranks, and
/// are reused after they are freed.
class Labels {
 public:
  void made(MPI_Comm parent, MPI_Comm child) {
    const std::string of = label(parent);
    name(child, of + "." + std::to_string(++children_[of]));
  }
  void made(MPI_Comm parent, int tag, MPI_Comm child) {
    name(child, label(parent) + ".group" + std::to_string(tag));
  }
  void freed(MPI_Comm comm) { labels_.erase(comm); }

  std::string label(MPI_Comm comm) const {
    if (comm == MPI_COMM_WORLD) return "world";
    if (comm == MPI_COMM_SELF) return "self";
    if (comm == MPI_COMM_NULL) return "null";
    const auto found = labels_.find(comm);
    return found != labels_.end() ? found->second : "unknown";
  }

 private:
  void name(MPI_Comm comm, std::string label) {
    if (comm != MPI_COMM_NULL) labels_[comm] = std::move(label);
  }

  std::map<MPI_Comm, std::string> labels_;
  std::map<std::string, int> children_;
};

/// The active recorder, and the labels of communicators.
struct MpiRecorder {
  static MpiRecorder& instance() {
    // Never destroyed: MPI may be called while static objects are being destroyed.
    static auto* const recorder = new MpiRecorder;
    return *recorder;
  }

  void record(MpiKind kind, const char* function, const MPI_Comm* comm) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (watches.empty()) return;
    const MpiCall call{kind, function, comm != nullptr ? labels.label(*comm) : std::string()};
    for (MpiWatch* watch : watches) watch->calls_.push_back(call);
  }

  void add(MpiWatch* watch) {
    const std::lock_guard<std::mutex> lock(mutex);
    watches.push_back(watch);
    watching = true;
  }

  void remove(MpiWatch* watch) {
    const std::lock_guard<std::mutex> lock(mutex);
    watches.erase(std::remove(watches.begin(), watches.end(), watch), watches.end());
    watching = !watches.empty();
  }

  std::mutex mutex;
  Labels labels;
  std::vector<MpiWatch*> watches;
  std::atomic<bool> watching{false};
  std::atomic<bool> announced{false};
};

namespace detail {
namespace {

/// Runs `body`, and lets no exception reach the program's MPI call.
template <class F>
void guarded(F&& body) noexcept {
  try {
    std::forward<F>(body)(MpiRecorder::instance());
  } catch (...) {  // without memory the call is missing from the record
  }
}

}  // namespace

void announce_wrappers() noexcept {
  guarded([](MpiRecorder& recorder) { recorder.announced = true; });
}

void mpi_called(MpiKind kind, const char* function, const MPI_Comm* comm) noexcept {
  guarded([&](MpiRecorder& recorder) {
    if (recorder.watching) recorder.record(kind, function, comm);
  });
}

void communicator_made(MPI_Comm parent, MPI_Comm child) noexcept {
  guarded([&](MpiRecorder& recorder) {
    const std::lock_guard<std::mutex> lock(recorder.mutex);
    recorder.labels.made(parent, child);
  });
}

void communicator_made(MPI_Comm parent, int tag, MPI_Comm child) noexcept {
  guarded([&](MpiRecorder& recorder) {
    const std::lock_guard<std::mutex> lock(recorder.mutex);
    recorder.labels.made(parent, tag, child);
  });
}

void communicator_freed(MPI_Comm comm) noexcept {
  guarded([&](MpiRecorder& recorder) {
    const std::lock_guard<std::mutex> lock(recorder.mutex);
    recorder.labels.freed(comm);
  });
}

}  // namespace detail

MpiWatch::MpiWatch() {
  MpiRecorder::instance().add(this);
}

MpiWatch::~MpiWatch() {
  stop();
}

void MpiWatch::stop() noexcept {
  if (!watching_) return;
  watching_ = false;
  MpiRecorder::instance().remove(this);
}

int MpiWatch::count(MpiKind kind) const {
  return static_cast<int>(std::count_if(calls_.begin(), calls_.end(),
                                        [&](const MpiCall& call) { return call.kind == kind; }));
}

int MpiWatch::count(std::string_view function) const {
  return static_cast<int>(std::count_if(calls_.begin(), calls_.end(), [&](const MpiCall& call) {
    return call.function == function;
  }));
}

bool MpiWatch::available() {
  if (!MpiRecorder::instance().announced || !adapter::mpi_running()) return false;
  // Wrappers that are linked but not exported from the program do not see the calls made by shared
  // libraries. The barrier is such a call.
  MpiWatch watch;
  MPI_Barrier(MPI_COMM_SELF);
  watch.stop();
  return watch.count("MPI_Barrier") > 0;
}

std::ostream& operator<<(std::ostream& out, const MpiCall& call) {
  out << call.function;
  if (!call.communicator.empty()) out << " on " << call.communicator;
  return out;
}

std::string to_string(const std::vector<MpiCall>& calls) {
  constexpr int most = 8;
  std::vector<std::pair<MpiCall, int>> counted;
  for (const MpiCall& call : calls) {
    const auto found = std::find_if(counted.begin(), counted.end(),
                                    [&](const auto& entry) { return entry.first == call; });
    if (found != counted.end()) {
      ++found->second;
    } else {
      counted.emplace_back(call, 1);
    }
  }
  std::string text;
  int named = 0;
  for (const auto& [call, count] : counted) {
    if (named++ == most) return text + ", ...";
    if (!text.empty()) text += ", ";
    text += call.function;
    if (!call.communicator.empty()) text += " on " + call.communicator;
    if (count > 1) text += " (" + std::to_string(count) + " times)";
  }
  return text;
}

}  // namespace daptor::conformance
