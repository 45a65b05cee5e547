// SPDX-License-Identifier: BSD-3-Clause
// Times updates of communication padding, in place, beside exchanges written by hand.

#include <string>
#include <vector>

#include "groups.hpp"
#include "halo_case.hpp"
#include "support/cold.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

Pairs compare(MPI_Comm comm, const Exchange& ours, const Exchange& theirs, bool cold, int pairs) {
  const int batch = cold ? 1 : 20;
  return alternate_timed(
      comm, {pairs, batch, 3}, [&] { return timed(comm, ours, cold, batch); },
      [&] { return timed(comm, theirs, cold, batch); });
}

template <class T>
void row(const Table& table, MPI_Comm comm, const HaloCase& halo, bool cold, bool quick) {
  HaloArray<T> array(halo, comm);
  daptor::HaloExchange exchange(array.array);
  const Exchange ours = [&] { exchange.update(); };
  const Exchange derived = derived_exchange(array, halo, comm);
  const Exchange packed = packed_exchange(array, halo, comm);
  const int pairs = quick ? 5 : 41;
  const Pairs first = compare(comm, derived, packed, cold, quick ? 5 : 15);
  const Quartiles by_type = quartiles(first.ours);
  const Quartiles by_packing = quartiles(first.theirs);
  const bool types_better = by_type.median < by_packing.median;
  const Pairs best = compare(comm, ours, types_better ? derived : packed, cold, pairs);
  const double goal = quartiles(best.theirs).median < 20e-6 ? 1.25 : 1.1;
  keep(comm, {"halo", halo.text(), cold ? "cold" : "warm", "by hand", goal}, best);
  table.row({halo.text(), cold ? "cold" : "warm", time_text(quartiles(best.ours)),
             time_text(by_type.median), time_text(by_packing.median),
             types_better ? "type" : "packed", ratio_text(best.ratio()),
             judged(best.ratio(), goal)});
}

void set_up(MPI_Comm comm, bool quick) {
  const Table table(comm, "Set-up of a halo exchange", {"array", "HaloExchange", "goal 0.2 ms"});
  for (const HaloCase& halo : halo_cases(true)) {
    HaloArray<double> array(halo, comm);
    const Pairs pairs = alternate(
        comm, {quick ? 5 : 41, 1, 3}, [&] { daptor::HaloExchange(array.array); }, [] {});
    const Quartiles seconds = quartiles(pairs.ours);
    table.row({halo.text(), time_text(seconds), judged(seconds, 2e-4)});
  }
}

}  // namespace

void halo(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "Updating the communication padding of arrays divided in one dimension",
      {"array per rank", "cache", "HaloExchange", "derived type by hand", "packing by hand",
       "better of the two", "ratio to the better", "goal 1.1 (1.25 under 20 us)"});
  for (const bool cold : {false, true})
    for (const HaloCase& halo : halo_cases(quick)) {
      if (halo.single)
        row<float>(table, comm, halo, cold, quick);
      else
        row<double>(table, comm, halo, cold, quick);
    }
  set_up(comm, quick);
}

}  // namespace bench
