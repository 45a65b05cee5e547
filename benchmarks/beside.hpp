// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "support/mpi_share.hpp"
#include "support/pairs.hpp"

/// \file
/// What making an object takes beside the raw calls of its library.

namespace bench {

/// Seconds of `work` without what it spends in blocking collective MPI calls.
template <class Work>
double without_mpi(int batch, const Work& work) {
  reset_mpi_share();
  const double start = MPI_Wtime();
  for (int i = 0; i < batch; ++i) work();
  return (MPI_Wtime() - start - mpi_share().seconds) / batch;
}

/// Our collective calls less those of the raw way.
template <class Ours, class Raw>
int collective_calls(const Ours& ours, const Raw& raw) {
  reset_mpi_share();
  ours();
  const int all = mpi_share().calls;
  reset_mpi_share();
  raw();
  return all - mpi_share().calls;
}

/// A power of ten as text.
inline std::string size_text(std::int64_t n) {
  int exponent = 0;
  for (; n >= 10; n /= 10) ++exponent;
  return "1e" + std::to_string(exponent);
}

/// One row of a call of ours beside the raw calls of a library: our time, that of the raw calls,
/// our excess without MPI by its goal in seconds, and how many collective calls more we make. What
/// is kept under "hand-over, without MPI" has no time spent in blocking collective calls.
template <class Ours, class Raw>
void beside_row(const Table& table, MPI_Comm comm, Place place, double goal, bool quick,
                const Ours& ours, const Raw& raw) {
  const Effort effort{quick ? 11 : 41, 50};
  const Pairs whole = alternate(comm, effort, ours, raw);
  const Pairs local = alternate_timed(
      comm, effort, [&] { return without_mpi(effort.batch, ours); },
      [&] { return without_mpi(effort.batch, raw); });
  keep(comm, place, whole);
  place.question += ", without MPI";
  place.excess_goal = goal;
  keep(comm, place, local);
  table.row({place.what + ", " + place.at, time_text(quartiles(whole.ours)),
             time_text(quartiles(whole.theirs)), time_text(local.excess()),
             judged(local.excess(), goal), std::to_string(collective_calls(ours, raw))});
}

}  // namespace bench
