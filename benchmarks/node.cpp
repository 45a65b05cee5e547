// SPDX-License-Identifier: BSD-3-Clause
// Redistributions and halo exchanges within a node, without messages, beside the same by messages,
// beside a copy of the local part, and beside what one writes by hand; on one rank, a transposition
// beside a copy.
//
//   mpirun -n 2 daptor_bench_node [--quick] [--results FILE]

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>

#include "halo_case.hpp"
#include "redistribution_case.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

const MPI_Comm world = MPI_COMM_WORLD;

using daptor::WithinNode;

/// A case, redistributed in one way.
class Course {
 public:
  Course(const RedistributionCase& one, WithinNode way, MemoryOf memory = MemoryOf::vector)
      : from(one.from, world, memory), to(one.to, world, memory) {
    options_.within_node = way;
    from.number();
    to.clear();
    run();
    to.check(world, one.text + " by " + std::string(daptor::word_of(way)));
  }
  void run() const { plan().run(); }
  /// Collective.
  daptor::Redistribution plan() const { return {from.array, to.array, options_}; }

  HeldArray from, to;

 private:
  daptor::RedistributionOptions options_;
};

double goal_beside_memcpy(const RedistributionCase& one, int ranks, MemoryOf memory) {
  if (ranks == 1) return 1.6;
  if (one.text.find("transposed") == std::string::npos) return 1.4;
  return memory == MemoryOf::daptor ? 1.8 : 2.6;
}

void large(int ranks, bool quick, MemoryOf memory) {
  const bool allocated = memory == MemoryOf::daptor;
  const Table table(world,
                    std::string("Redistributing doubles within a node, set-up included, in ") +
                        (allocated ? "arrays of allocate" : "any memory"),
                    {"array", "time", "ratio to the same by messages", "goal 0.7",
                     "ratio to a memcpy of the local part", "goal", "result"});
  for (const RedistributionCase& one : redistribution_cases(ranks, quick)) {
    const bool transposed = one.text.find("columns, transposed") != std::string::npos;
    if (ranks == 1 && !transposed) continue;
    const Course messages(one, WithinNode::messages, memory);
    Course ours(one, WithinNode::quicker, memory);
    const Effort effort{quick ? 3 : 11, 1, 1};
    const Pairs beside = alternate(
        world, effort, [&] { ours.run(); }, [&] { messages.run(); });
    Elements other(ours.to.memory.size(), memory);
    std::fill(other.begin(), other.end(), 1);
    const Pairs copied = alternate(
        world, effort, [&] { ours.run(); },
        [&] { std::memcpy(ours.to.memory.data(), other.data(), other.size() * sizeof(double)); });
    const double goal = goal_beside_memcpy(one, ranks, memory);
    const std::string how = allocated ? "allocated, once" : "once";
    keep(world, {"node", one.text, how, "messages", 0.7}, beside);
    keep(world, {"node", one.text, how, "memcpy", goal}, copied);
    table.row({one.text, time_text(quartiles(beside.ours)), ratio_text(beside.ratio()),
               judged(beside.ratio(), 0.7), ratio_text(copied.ratio()), std::to_string(goal),
               judged(copied.ratio(), goal)});
  }
}

/// From which size on reading is quicker.
void crossover(int ranks, bool quick) {
  const Table table(world, "One run of a planned redistribution, rows to columns, by size",
                    {"bytes between two ranks", "order", "by messages", "as is quicker", "ratio",
                     "wherever possible", "ratio"});
  using Kind = Along::Kind;
  for (const daptor::Order order : {daptor::Order::c, daptor::Order::fortran})
    for (const std::int64_t n : {64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
      if (quick && n > 128) break;
      const RedistributionCase one{
          std::to_string(n),
          {{{Kind::even, n, ranks, 0}, {Kind::even, n, 1, 0}}, daptor::Order::c},
          {{{Kind::even, n, 1, 0}, {Kind::even, n, ranks, 0}}, order}};
      const Course by_messages(one, WithinNode::messages);
      const Course as_quicker(one, WithinNode::quicker);
      const Course wherever(one, WithinNode::direct);
      daptor::Redistribution sent = by_messages.plan();
      daptor::Redistribution quicker = as_quicker.plan();
      daptor::Redistribution direct = wherever.plan();
      const Effort effort{quick ? 3 : 41, 4, 3};
      const Pairs pairs = alternate(
          world, effort, [&] { quicker.run(); }, [&] { sent.run(); });
      const Pairs all = alternate(
          world, effort, [&] { direct.run(); }, [&] { sent.run(); });
      table.row({std::to_string(n * n * 8 / ranks / ranks),
                 order == daptor::Order::c ? "the same" : "crossed",
                 time_text(quartiles(pairs.theirs)), time_text(quartiles(pairs.ours)),
                 ratio_text(pairs.ratio()), time_text(quartiles(all.ours)),
                 ratio_text(all.ratio())});
    }
}

void halo(bool quick) {
  const Table table(world, "Updating the communication padding of arrays divided in one dimension",
                    {"array per rank", "time", "ratio to the same by messages",
                     "ratio to a derived type by hand", "goal 0.7", "ratio to packing by hand"});
  for (const HaloCase& one : halo_cases(quick)) {
    if (one.width != 1 || one.single) continue;
    HaloArray<double> ours(one, world), theirs(one, world);
    daptor::HaloOptions messages;
    messages.within_node = WithinNode::messages;
    daptor::HaloExchange halo(ours.array);
    daptor::HaloExchange sent(theirs.array, messages);
    const Exchange derived = derived_exchange(theirs, one, world);
    const Exchange packed = packed_exchange(theirs, one, world);
    const Effort effort{quick ? 3 : 41, 20, 3};
    const auto beside = [&](const Exchange& other) {
      return alternate(
          world, effort, [&] { halo.update(); }, other);
    };
    const Pairs by_messages = beside([&] { sent.update(); });
    const Pairs by_type = beside(derived);
    const Pairs by_packing = beside(packed);
    keep(world, {"node", one.text(), "halo", "messages", 0}, by_messages);
    keep(world, {"node", one.text(), "halo", "by hand", 0.7}, by_type);
    table.row({one.text(), time_text(quartiles(by_type.ours)), ratio_text(by_messages.ratio()),
               ratio_text(by_type.ratio()), judged(by_type.ratio(), 0.7),
               ratio_text(by_packing.ratio())});
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
    for (const bench::MemoryOf memory : {bench::MemoryOf::vector, bench::MemoryOf::daptor})
      bench::large(ranks, quick, memory);
    if (ranks > 1) {
      bench::halo(quick);
      bench::crossover(ranks, quick);
    }
  }
  MPI_Finalize();
}
