// SPDX-License-Identifier: BSD-3-Clause
// Redistributions within a node, by reading the other process' memory, beside the same by messages
// and beside a copy of the local part; on one rank, a transposition beside a copy.
//
//   mpirun -n 2 daptor_bench_node [--quick] [--results FILE]

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>

#include "redistribution_case.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

const MPI_Comm world = MPI_COMM_WORLD;

/// A case on a communicator of its own, redistributed in one of the ways of DAPTOR_NODE.
class Course {
 public:
  Course(const RedistributionCase& one, const char* way)
      : way_(way), comm_(duplicate()), from(one.from, comm_), to(one.to, comm_) {
    from.number();
    to.clear();
    run();
    to.check(comm_, one.text + " by " + way);
  }
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;
  ~Course() { MPI_Comm_free(&comm_); }
  void run() const { plan().run(); }
  /// Collective.
  daptor::Redistribution plan() const {
    setenv("DAPTOR_NODE", way_, 1);
    return {from.array, to.array};
  }

 private:
  static MPI_Comm duplicate() {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(world, &made);
    return made;
  }

  const char* way_;
  MPI_Comm comm_;

 public:
  HeldArray from, to;
};

double goal_beside_memcpy(const RedistributionCase& one, int ranks) {
  if (ranks == 1) return 1.6;
  return one.text.find("transposed") != std::string::npos ? 2.6 : 1.4;
}

void large(int ranks, bool quick) {
  const Table table(world, "Redistributing doubles within a node, set-up included",
                    {"array", "time", "ratio to the same by messages", "goal 0.7",
                     "ratio to a memcpy of the local part", "goal", "result"});
  for (const RedistributionCase& one : redistribution_cases(ranks, quick)) {
    const bool transposed = one.text.find("columns, transposed") != std::string::npos;
    if (ranks == 1 && !transposed) continue;
    const Course messages(one, "messages");
    Course ours(one, "quicker");
    const Effort effort{quick ? 3 : 11, 1, 1};
    const Pairs beside = alternate(
        world, effort, [&] { ours.run(); }, [&] { messages.run(); });
    const std::vector<double> other(ours.to.memory.size(), 1);
    const Pairs copied = alternate(
        world, effort, [&] { ours.run(); },
        [&] { std::memcpy(ours.to.memory.data(), other.data(), other.size() * sizeof(double)); });
    const double goal = goal_beside_memcpy(one, ranks);
    keep(world, {"node", one.text, "once", "messages", 0.7}, beside);
    keep(world, {"node", one.text, "once", "memcpy", goal}, copied);
    table.row({one.text, time_text(quartiles(beside.ours)), ratio_text(beside.ratio()),
               judged(beside.ratio(), 0.7), ratio_text(copied.ratio()), std::to_string(goal),
               judged(copied.ratio(), goal)});
  }
}

/// From which size on reading is quicker.
void crossover(int ranks, bool quick) {
  const Table table(world, "One run of a planned redistribution, rows to columns, by size",
                    {"bytes between two ranks", "order", "by messages", "by reading", "ratio"});
  using Kind = Along::Kind;
  for (const daptor::Order order : {daptor::Order::c, daptor::Order::fortran})
    for (const std::int64_t n : {64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
      if (quick && n > 128) break;
      const RedistributionCase one{
          std::to_string(n),
          {{{Kind::even, n, ranks, 0}, {Kind::even, n, 1, 0}}, daptor::Order::c},
          {{{Kind::even, n, 1, 0}, {Kind::even, n, ranks, 0}}, order}};
      const Course messages(one, "messages");
      const Course direct(one, "direct");
      daptor::Redistribution sent = messages.plan();
      daptor::Redistribution read = direct.plan();
      const Pairs pairs = alternate(
          world, {quick ? 3 : 41, 4, 3}, [&] { read.run(); }, [&] { sent.run(); });
      table.row({std::to_string(n * n * 8 / ranks / ranks),
                 order == daptor::Order::c ? "the same" : "crossed",
                 time_text(quartiles(pairs.theirs)), time_text(quartiles(pairs.ours)),
                 ratio_text(pairs.ratio())});
    }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--quick") == 0)
        quick = true;
      else if (std::strcmp(argv[i], "--results") == 0 && i + 1 < argc)
        bench::keep_in(argv[++i]);
    }
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bench::large(ranks, quick);
    if (ranks > 1) bench::crossover(ranks, quick);
  }
  MPI_Finalize();
}
