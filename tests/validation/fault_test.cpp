// SPDX-License-Identifier: BSD-3-Clause
// A fault on each rank in turn, at every point of ours in validate(): the same error on all ranks,
// no hang, and the next validation is as if nothing had been.

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "daptor/daptor.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/validate.hpp"

namespace daptor {
namespace {

const Comm& world() {
  static const Comm comm(MPI_COMM_WORLD);
  return comm;
}

std::int64_t greatest(std::int64_t value) {
  world()->allreduce(&value, 1, Reduction::max);
  return value;
}
std::int64_t least(std::int64_t value) {
  world()->allreduce(&value, 1, Reduction::min);
  return value;
}

/// Aborts the job with the name of what is under way, where that takes too long.
class Watchdog {
 public:
  explicit Watchdog(std::string what) : what_(std::move(what)), thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (wake_.wait_for(lock, std::chrono::seconds(60), [this] { return done_; })) return;
    std::fprintf(stderr, "rank %d hangs: %s\n", world().rank(), what_.c_str());
    std::fflush(stderr);
    // Not MPI_Abort: another thread is inside MPI. The end of one process ends the job.
    _exit(70);
  }

  std::string what_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

struct Script {
  std::vector<std::string> passed;  ///< points, in the order of the first time
  std::string target;
  int victim = -1;
  bool fired = false;
};
Script script;

/// A fault inside an exchange of messages ends the job by design, and what is done once for a
/// communicator is done by now.
bool left_out(const std::string& name) {
  return name.rfind("core.exchange.", 0) == 0 || name.rfind("core.communicator.", 0) == 0;
}

void record_or_throw(const char* point) {
  const std::string name = point;
  if (left_out(name)) return;
  if (std::find(script.passed.begin(), script.passed.end(), name) == script.passed.end())
    script.passed.push_back(name);
  if (name != script.target || world().rank() != script.victim || script.fired) return;
  script.fired = true;
  throw std::runtime_error("planted at " + name);
}

using Call = std::function<Report()>;

/// Every point that any rank passes, the same list on all.
std::vector<std::string> points_of(const Call& call) {
  script = {};
  detail::set_fault_hook(record_or_throw);
  call();
  detail::set_fault_hook(nullptr);
  std::string mine;
  for (const std::string& name : script.passed) mine += name + "\n";
  std::set<std::string> all;
  for (int rank = 0; rank < world().size(); ++rank) {
    auto length = static_cast<std::int64_t>(mine.size());
    world()->broadcast(&length, sizeof(length), rank);
    std::string theirs = mine;
    theirs.resize(static_cast<std::size_t>(length));
    world()->broadcast(theirs.data(), theirs.size(), rank);
    for (std::size_t at = 0; at < theirs.size();) {
      const std::size_t end = theirs.find('\n', at);
      all.insert(theirs.substr(at, end - at));
      at = end + 1;
    }
  }
  return {all.begin(), all.end()};
}

std::string text_of(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings()) text += to_string(finding) + "\n";
  return text;
}

void expect_same_everywhere(const std::string& text) {
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(text) >> 1);
  EXPECT_EQ(least(hash), greatest(hash)) << text;
}

/// With the fault: all ranks throw the victim's error. Where the victim did not come by the point,
/// all have the report.
void expect_one_outcome(const Call& call, const std::string& sound) {
  std::string outcome;
  bool threw = false;
  try {
    outcome = text_of(call());
  } catch (const LibraryFailed& error) {
    threw = true;
    outcome = error.what();
    EXPECT_EQ(error.rule(), "library.c++");
    EXPECT_EQ(error.rank(), script.victim);
    EXPECT_NE(outcome.find("planted at " + script.target), std::string::npos) << outcome;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another class: " << error.what();
  }
  detail::set_fault_hook(nullptr);
  const bool fired = greatest(script.fired ? 1 : 0) == 1;
  EXPECT_EQ(threw, fired);
  if (!threw) {
    EXPECT_EQ(outcome, sound);
  }
  expect_same_everywhere(outcome);
}

void sweep(const char* what, const Call& call, std::size_t at_least) {
  const std::vector<std::string> points = points_of(call);
  EXPECT_GE(points.size(), at_least) << what;
  const std::string sound = text_of(call());
  expect_same_everywhere(sound);
  for (const std::string& point : points) {
    for (int victim = 0; victim < world().size(); ++victim) {
      const std::string trace =
          std::string(what) + ", " + point + " on rank " + std::to_string(victim);
      SCOPED_TRACE(trace);
      const Watchdog watchdog(trace);
      script = {};
      script.target = point;
      script.victim = victim;
      detail::set_fault_hook(record_or_throw);
      expect_one_outcome(call, sound);
      EXPECT_EQ(text_of(call()), sound);
    }
  }
}

/// Both levels, and what imports rest on.
void sweep_all(const char* what, const std::function<DistArray()>& make, std::size_t at_least) {
  const DistArray array = make();
  for (const Level level : {Level::metadata, Level::full})
    sweep(
        what,
        [&] {
          return validate(array, world(), {level, {}});
        },
        at_least);
  sweep(
      what,
      [&]() -> Report {
        try {
          require_consistent(array, world());
        } catch (const Malformed& error) {
          return error.report();
        }
        return {};
      },
      1);
}

GridPosition here() {
  return {world().size(), world().rank()};
}
/// The last rank first.
GridPosition backwards() {
  return {world().size(), world().size() - 1 - world().rank()};
}
bool last_rank() {
  return world().rank() == world().size() - 1;
}

DistArray described(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), nullptr, std::move(dimensions));
}

/// Every rank has the next few indices; `shift` of the last one makes them overlap.
Dimension listed(GridPosition grid, Index shift) {
  std::vector<Index> indices;
  for (Index i = 0; i < 4; ++i)
    indices.push_back((i * grid.size + grid.rank + (last_rank() ? shift : 0)) % (4 * grid.size));
  return unstructured(4 * grid.size, grid, IndexList(indices), true);
}

TEST(Fault, Regular) {
  sweep_all(
      "regular",
      [] {
        return described({block(17, here()), undistributed(3)});
      },
      1);
}

TEST(Fault, RegularMalformed) {
  sweep_all(
      "other sizes", [] { return described({block(17 + (last_rank() ? 1 : 0), here())}); }, 1);
}

TEST(Fault, OtherNumbersOfDimensions) {
  sweep_all(
      "other numbers of dimensions",
      [] {
        std::vector<Dimension> dimensions(last_rank() ? 70 : 67, undistributed(1));
        dimensions.push_back(block(9, here()));
        return described(dimensions);
      },
      1);
}

TEST(Fault, RanksInAnotherOrder) {
  sweep_all(
      "permuted",
      [] {
        return described({block(23, backwards()), undistributed(2)});
      },
      1);
}

TEST(Fault, OneSeatTwice) {
  sweep_all(
      "one seat twice",
      [] {
        GridPosition grid = backwards();
        if (grid.rank == grid.size - 1) grid.rank = 0;
        return described({cyclic(3 * grid.size, grid)});
      },
      1);
}

TEST(Fault, Padded) {
  const BlockPadding padding({1, 1}, {}, true);
  sweep_all(
      "padded", [&] { return described({block(4 * world().size(), here(), padding)}); }, 2);
}

TEST(Fault, PaddedMalformed) {
  sweep_all(
      "a gap between blocks",
      [] {
        const GridPosition grid = here();
        IndexRange owned{4 * grid.rank, 4 * grid.rank + 4};
        if (!grid.last()) --owned.stop;
        return described({block(4 * grid.size, grid, owned)});
      },
      1);
}

TEST(Fault, Cyclic) {
  sweep_all(
      "cyclic", [] { return described({cyclic(31, here(), 2, world().size() - 1)}); }, 1);
  sweep_all(
      "cyclic from two origins",
      [] { return described({cyclic(31, here(), 1, last_rank() ? 0 : world().size() - 1)}); }, 1);
}

TEST(Fault, Unstructured) {
  sweep_all(
      "unstructured", [] { return described({listed(here(), 0)}); }, 1);
  sweep_all(
      "unstructured, overlapping", [] { return described({listed(backwards(), 1)}); }, 1);
  sweep_all(
      "unstructured, far indices",
      [] {
        const std::vector<Index> indices = {1000000007 * Index(1 + world().rank()),
                                            -world().rank()};
        return described({unstructured(2 * world().size(), here(), IndexList(indices), true)});
      },
      1);
}

/// Some ranks have no array at all.
TEST(Fault, NoDescription) {
  sweep(
      "no description",
      [] {
        if (last_rank()) return validate(Submission::failed("out of luck"), world());
        if (world().rank() == 0) return validate(Submission(Value("no dictionary")), world());
        return validate(described({block(17, here())}), world());
      },
      3);
}

}  // namespace
}  // namespace daptor
