// SPDX-License-Identifier: BSD-3-Clause
// Times redistributions beside a copy of the local part and beside other libraries.

#include <cstring>
#include <limits>
#include <map>

#include "groups.hpp"
#include "native.hpp"
#include "redistribution_peers.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

daptor::RedistributionOptions buffers(std::int64_t bytes) {
  daptor::RedistributionOptions options;
  options.buffer_bytes = bytes;
  return options;
}

std::string faster_text(Pairs pairs) {
  std::swap(pairs.ours, pairs.theirs);
  return ratio_text(pairs.ratio());
}

std::string against(const Pairs& pairs, double goal) {
  return faster_text(pairs) + " " + judged(pairs.ratio(), 1 / goal);
}

/// One case on this rank: both sections, the redistribution, and a check of what arrived.
struct Course {
  Course(const RedistributionCase& of, MPI_Comm on)
      : one(of), comm(on), from(of.from, on), to(of.to, on) {
    from.number();
  }
  void checked(const std::string& who, const std::function<void()>& work) {
    to.clear();
    work();
    to.check(comm, one.text + " by " + who);
  }

  RedistributionCase one;
  MPI_Comm comm;
  HeldArray from, to;
};

void beside_memcpy(const Table& table, Course& course, bool quick) {
  // Lambdas may not capture structured bindings before C++20.
  HeldArray& from = course.from;
  HeldArray& to = course.to;
  const MPI_Comm comm = course.comm;
  const int pairs = quick ? 5 : 15;
  course.checked("daptor", [&] { daptor::redistribute(from.array, to.array); });
  const Pairs set_up = alternate(
      comm, {quick ? 5 : 41, 1, 3}, [&] { daptor::Redistribution(from.array, to.array); }, [] {});
  const std::vector<double> other(to.memory.size(), 1);
  const Pairs once = alternate(
      comm, {pairs, 1, 2}, [&] { daptor::redistribute(from.array, to.array); },
      [&] { std::memcpy(to.memory.data(), other.data(), other.size() * sizeof(double)); });
  keep(comm, {"redistribution", course.one.text, "once", "memcpy", course.one.goal}, once);
  daptor::Redistribution ours(from.array, to.array);
  const Pairs alone = alternate(
      comm, {pairs, 1, 2}, [&] { ours.run(); },
      [&] { std::memcpy(to.memory.data(), other.data(), other.size() * sizeof(double)); });
  table.row({course.one.text, time_text(quartiles(set_up.ours)),
             judged(quartiles(set_up.ours), 1e-3), time_text(quartiles(once.ours)),
             ratio_text(once.ratio()), course.one.goal > 4 ? "4.3" : "3",
             judged(once.ratio(), course.one.goal), ratio_text(alone.ratio())});
}

void bounded(const Table& table, Course& course, bool quick) {
  daptor::Redistribution small(course.from.array, course.to.array, buffers(std::int64_t{16} << 20));
  daptor::Redistribution large(course.from.array, course.to.array,
                               buffers(std::numeric_limits<std::int64_t>::max()));
  course.checked("daptor in bounded buffers", [&] { small.run(); });
  course.checked("daptor in unbounded buffers", [&] { large.run(); });
  const Pairs pairs = alternate(
      course.comm, {quick ? 5 : 11, 1, 2}, [&] { small.run(); }, [&] { large.run(); });
  table.row({course.one.text, std::to_string(small.buffer_bytes() >> 20) + " MB",
             std::to_string(large.buffer_bytes() >> 20) + " MB", time_text(quartiles(pairs.ours)),
             time_text(quartiles(pairs.theirs)), ratio_text(pairs.ratio()),
             judged(pairs.ratio(), 1.5)});
}

/// One measurement with set-up, and one without.
struct Both {
  Pairs once, alone;
};

Both beside(Course& course, const Peer& peer, bool quick) {
  HeldArray& from = course.from;
  HeldArray& to = course.to;
  const MPI_Comm comm = course.comm;
  Both both;
  both.once = alternate(
      comm, {3, 1, 0}, [&] { daptor::redistribute(from.array, to.array); },
      [&] { peer.set_up()(); });
  daptor::Redistribution ours(from.array, to.array);
  const auto theirs = peer.set_up();
  course.checked(peer.name, theirs);
  both.alone = alternate(
      comm, {quick ? 5 : 9, 1, 1}, [&] { ours.run(); }, theirs);
  return both;
}

/// Fills a row of the table that includes set-up, and returns the row for the table without.
std::vector<std::string> beside_peers(const Table& once, Course& course, bool quick) {
  std::map<std::string, std::string> with_set_up, without;
  const Pairs* best = nullptr;
  std::vector<Both> all;
  const auto peers = redistribution_peers(course.from, course.to, course.comm);
  all.reserve(peers.size());
  for (const Peer& peer : peers) {
    all.push_back(beside(course, peer, quick));
    keep(course.comm, {"redistribution", course.one.text, "once", peer.name, 1 / peer.goal},
         all.back().once);
    with_set_up[peer.name] = against(all.back().once, peer.goal);
    without[peer.name] = faster_text(all.back().alone);
    const Pairs& pairs = all.back().alone;
    if (best == nullptr || quartiles(pairs.theirs).median < quartiles(best->theirs).median)
      best = &pairs;
  }
  once.row({course.one.text, with_set_up["pdgemr2d"], with_set_up["PetscSF"],
            with_set_up["VecScatter"]});
  return {course.one.text,       time_text(quartiles(best->ours)),
          without["pdgemr2d"],   without["PetscSF"],
          without["VecScatter"], judged(best->ratio(), 1)};
}

/// One redistribution of a small array at a time, as one writes it without a plan to keep.
void small_arrays(MPI_Comm comm, bool quick) {
  const Table table(comm, "Small arrays redistributed in one call, set-up included",
                    {"array", "redistribute", "pdgemr2d", "ratio to pdgemr2d", "goal 2.5"});
  for (const RedistributionCase& one : small_redistribution_cases(Ranks(comm).size)) {
    Course course(one, comm);
    for (const Peer& peer : redistribution_peers(course.from, course.to, comm)) {
      if (std::string(peer.name) != "pdgemr2d") continue;
      const auto theirs = peer.set_up();
      course.checked("daptor", [&] { daptor::redistribute(course.from.array, course.to.array); });
      const Pairs pairs = alternate(
          comm, {quick ? 11 : 101, 5, 5},
          [&] { daptor::redistribute(course.from.array, course.to.array); }, theirs);
      table.row({one.text, time_text(quartiles(pairs.ours)), time_text(quartiles(pairs.theirs)),
                 ratio_text(pairs.ratio()), judged(pairs.ratio(), 2.5)});
    }
  }
}

void permutation(MPI_Comm comm, bool quick) {
  const Table table(comm, "Redistributing an unstructured array to even blocks, set-up included",
                    {"array", "redistribute", "faster than PetscSF by (goal 1)",
                     "faster than Tpetra::Import by (goal 1)"});
  Course course(permutation_case(Ranks(comm).size, quick), comm);
  course.checked("daptor", [&] { daptor::redistribute(course.from.array, course.to.array); });
  std::vector<std::string> cells{course.one.text, ""};
  for (const Peer& peer : permutation_peers(course.from, course.to, comm)) {
    course.checked(peer.name, [&] { peer.set_up()(); });
    const Pairs pairs = alternate(
        comm, {quick ? 3 : 9, 1, 1},
        [&] { daptor::redistribute(course.from.array, course.to.array); },
        [&] { peer.set_up()(); });
    cells[1] = time_text(quartiles(pairs.ours));
    cells.push_back(against(pairs, peer.goal));
  }
  table.row(cells);
}

}  // namespace

void redistribution(MPI_Comm comm, bool quick) {
  const auto cases = redistribution_cases(Ranks(comm).size, quick);
  {
    const Table table(
        comm, "Redistributing doubles",
        {"array", "set-up", "goal 1 ms", "set-up and one run",
         "ratio to a memcpy of the local part", "goal", "result", "ratio of one run alone"});
    for (const RedistributionCase& one : cases) {
      Course course(one, comm);
      beside_memcpy(table, course, quick);
    }
  }
  const Table table(comm, "Redistributing the same through buffers of at most 16 MB",
                    {"array", "bounded buffers", "unbounded buffers", "time with bounded buffers",
                     "time with unbounded buffers", "ratio", "goal 1.5"});
  for (const RedistributionCase& one : cases) {
    Course course(one, comm);
    bounded(table, course, quick);
  }
  permutation(comm, quick);
}

void redistribution_peers(MPI_Comm comm, bool quick) {
  std::vector<std::vector<std::string>> rows;
  const Table once(comm, "How many times faster a redistribution is than others, set-up included",
                   {"array", "pdgemr2d (goal 2)", "PetscSF (goal 8)", "VecScatter (goal 20)"});
  for (const RedistributionCase& one : redistribution_cases(Ranks(comm).size, quick)) {
    Course course(one, comm);
    rows.push_back(beside_peers(once, course, quick));
  }
  small_arrays(comm, quick);
  const Table alone(
      comm, "How many times faster one run is than others, without set-up",
      {"array", "Redistribution", "pdgemr2d", "PetscSF", "VecScatter", "goal: the best of them"});
  for (const auto& row : rows) alone.row(row);
}

}  // namespace bench
