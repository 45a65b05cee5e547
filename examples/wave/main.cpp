// SPDX-License-Identifier: BSD-3-Clause
// Solves the wave equation on padded arrays, where each step overlaps with the exchange of the
// padding, and compares with a DMDA. The results are equal bit by bit.
//
//   mpirun -n 4 daptor_wave [-n SIZE] [--steps STEPS] [--output FILE.svg]

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dmda_wave.hpp"
#include "draw.hpp"
#include "drop.hpp"
#include "times.hpp"
#include "wave.hpp"

namespace {

constexpr int rounds = 10;  // number of rounds of each simulation, which alternate

struct Options {
  int points = 400;
  int steps = 720;
  std::string picture = "daptor_wave.svg";
};

template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  fmt::print(format, std::forward<Arguments>(arguments)...);
  std::fflush(stdout);
}

double time_after(int steps, int points) {
  return steps * courant / points;
}

template <class Simulation>
void let_it_fall(Simulation& simulation, int points) {
  const Box owned = simulation.owned();
  simulation.start(drop::waves(points, owned, time_after(-1, points)),
                   drop::waves(points, owned, 0.0));
}

/// Number of elements that differ in any bit.
std::int64_t differing(const std::vector<PetscScalar>& a, const std::vector<PetscScalar>& b) {
  if (a.size() != b.size()) throw std::logic_error("the blocks differ");
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): 0.0 and -0.0 differ in a bit
    if (std::memcmp(&a[i], &b[i], sizeof(PetscScalar)) != 0) ++count;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, PETSC_COMM_WORLD);
  return count;
}

/// The largest difference from the exact solution.
double error_after(int steps, int points, const Wave& wave) {
  const auto u = wave.values();
  const auto exact = drop::waves(points, wave.owned(), time_after(steps, points));
  double error = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    error = std::max(error, static_cast<double>(PetscAbsScalar(u[i] - exact[i])));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return error;
}

double error_of_coarse(int steps, int points) {
  Wave wave(points, PETSC_COMM_WORLD);
  let_it_fall(wave, points);
  wave.advance(steps);
  return error_after(steps, points, wave);
}

void say_times(const Times& ours, const Times& theirs) {
  const auto row = [](const char* name, double step, double exchange, int digits) {
    say("  {:<36}{:>10.{}f}{:>18.{}f}\n", name, step, digits, exchange, digits);
  };
  const double step = median(ours.step), exchange = median(ours.exchange);
  const double dmda_step = median(theirs.step), dmda_exchange = median(theirs.exchange);
  say("\n  {:<36}{:>10}{:>18}\n", "microseconds", "a step", "exchange alone");
  row("in place, overlapped (HaloExchange)", 1e6 * step, 1e6 * exchange, 1);
  row("global to local vector (DMDA)", 1e6 * dmda_step, 1e6 * dmda_exchange, 1);
  row("ratio", step / dmda_step, exchange / dmda_exchange, 2);
  say("  Medians of {} rounds in turn, each of the slowest rank; the DMDA's exchange copies all\n"
      "  owned points too. Ranks that share a core have nothing to overlap.\n",
      rounds);
}

bool run(const Options& options) {
  const int points = options.points, steps = options.steps;
  Wave wave(points, PETSC_COMM_WORLD);
  DmdaWave dmda(points, PETSC_COMM_WORLD);
  let_it_fall(wave, points);
  let_it_fall(dmda, points);

  Times ours, theirs;
  std::vector<Panel> panels;
  for (int round = 0, done = 0; round < rounds; ++round) {
    const int more = steps * (round + 1) / rounds - done;
    ours.advance(PETSC_COMM_WORLD, wave, more);
    theirs.advance(PETSC_COMM_WORLD, dmda, more);
    done += more;
    if (round + 1 == rounds / 2 || round + 1 == rounds)
      panels.push_back(
          panel(fmt::format("height of the water at time {:.3g}", time_after(done, points)), points,
                wave.owned(), wave.values(), PETSC_COMM_WORLD));
  }
  say_times(ours, theirs);

  const std::int64_t different = differing(wave.values(), dmda.values());
  const double error = error_after(steps, points, wave);
  const double bound = drop::error_bound(points, time_after(steps, points));
  const double coarse = error_of_coarse(steps / 2, points / 2);
  say("\n  elements that differ from the DMDA's in any bit: {} of {}\n", different,
      static_cast<std::int64_t>(points) * points);
  say("  largest error against the exact solution: {:.2e} (bound: {:.2e})\n", error, bound);
  say("  on half the points: {:.2e}, {:.2f} times as much (second order: 4)\n", coarse,
      coarse / error);
  bool right = different == 0 && error <= bound;
  if (!options.picture.empty()) {
    const bool drawn = draw(options.picture, points, wave.owned(), panels, PETSC_COMM_WORLD);
    if (drawn) say("\nPicture: {}\n", options.picture);
    right = right && drawn;
  }
  return right;
}

/// Reads the options. Returns an exit code, or a negative number if the program should continue.
int parse(int argc, char** argv, Options& options) {
  CLI::App app("Waves on padded arrays with a halo exchange, and with a DMDA.");
  app.add_option("-n,--size", options.points, "points along each side of the pond")
      ->check(CLI::Range(8, 20000))
      ->capture_default_str();
  app.add_option("--steps", options.steps, "time steps")
      ->check(CLI::Range(rounds, 10000000))
      ->capture_default_str();
  app.add_option("--output", options.picture, "the picture, as SVG; empty: none")
      ->capture_default_str();
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (rank == 0) app.exit(error);
    return error.get_exit_code() == 0 ? 0 : 1;
  }
  return -1;
}

int run_if_it_fits(const Options& options) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const auto grid = daptor::block_grid(2, ranks);
  if (options.points / 2 < std::max(grid[0], grid[1])) {
    say("daptor_wave: {} points along a side are too few for {} ranks\n", options.points, ranks);
    return 1;
  }
  say("A drop in a pond with periodic edges: {0} x {0} points on {1} ranks ({2} x {3} blocks), {4} "
      "steps\n",
      options.points, ranks, grid[0], grid[1], options.steps);
  return run(options) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int none = 0;  // keeps the program's arguments from PETSc
  if (PetscInitialize(&none, nullptr, nullptr, nullptr) != 0) return 2;
  Options options;
  int status = parse(argc, argv, options);
  try {
    if (status < 0) status = run_if_it_fits(options);
  } catch (const std::exception& error) {  // perhaps on this rank alone
    fmt::print(stderr, "daptor_wave: {}\n", error.what());
    MPI_Abort(PETSC_COMM_WORLD, 1);
  }
  return PetscFinalize() != 0 ? 2 : status;
}
