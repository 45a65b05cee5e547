// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

/// Collective. Seconds that the slowest rank takes.
template <class F>
double timed(MPI_Comm comm, const F& work) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// Times of a simulation, round by round: seconds per step, and seconds of its exchange alone.
struct Times {
  std::vector<double> step, exchange;

  template <class Simulation>
  void advance(MPI_Comm comm, Simulation& simulation, int steps) {
    step.push_back(timed(comm, [&] { simulation.advance(steps); }) / steps);
    const auto exchanges = [&] {
      for (int i = 0; i < steps; ++i) simulation.exchange();
    };
    exchange.push_back(timed(comm, exchanges) / steps);
  }
};
