// SPDX-License-Identifier: BSD-3-Clause
// Counts what the operations of the core cost, and writes one line of JSON for each step.
//
//   daptor_scale [--ranks 2,4,8] [--case <text>] [--elements N] [--against-mpi]
//
// On one process, simulates the ranks. Under mpirun with --against-mpi, runs the cases on the
// processes, simulates as many ranks on rank 0, and compares the counts of each rank.

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sstream>

#include <malloc.h>

#include "scale.hpp"

namespace {

using namespace daptor::test;

struct Options {
  std::vector<int> ranks = {2, 16, 128, 1024};
  std::string only;
  std::int64_t elements = 1000;
  bool against_mpi = false;
};

Options read(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--against-mpi") {
      options.against_mpi = true;
      continue;
    }
    if (i + 1 == argc) {
      std::fprintf(stderr, "daptor_scale: unknown argument %s\n", argv[i]);
      std::exit(2);
    }
    const std::string value = argv[++i];
    if (name == "--case") options.only = value;
    if (name == "--elements") options.elements = std::atoll(value.c_str());
    if (name != "--ranks") continue;
    options.ranks.clear();
    std::istringstream list(value);
    for (std::string each; std::getline(list, each, ',');) options.ranks.push_back(std::stoi(each));
  }
  return options;
}

struct Column {
  const char* name;
  double (*value)(const Counted&);
};

/// What is counted on processes of MPI too.
constexpr Column traffic_columns[] = {
    {"collectives", [](const Counted& c) { return double(c.traffic.collectives()); }},
    {"allreduces", [](const Counted& c) { return double(c.traffic.allreduces); }},
    {"broadcasts", [](const Counted& c) { return double(c.traffic.broadcasts); }},
    {"exchanges", [](const Counted& c) { return double(c.traffic.exchanges); }},
    {"collective_bytes", [](const Counted& c) { return double(c.traffic.collective_bytes); }},
    {"sent", [](const Counted& c) { return double(c.traffic.messages); }},
    {"sent_bytes", [](const Counted& c) { return double(c.traffic.message_bytes); }},
    {"received", [](const Counted& c) { return double(c.traffic.received); }},
    {"received_bytes", [](const Counted& c) { return double(c.traffic.received_bytes); }},
    {"longest_message", [](const Counted& c) { return double(c.traffic.longest_message); }},
};

constexpr Column other_columns[] = {
    {"depth", [](const Counted& c) { return double(c.depth); }},
    {"allocated", [](const Counted& c) { return double(c.allocated); }},
    {"kept", [](const Counted& c) { return double(c.kept); }},
    {"seconds", [](const Counted& c) { return c.seconds; }},
};

void print(const Case& each, const Step& step) {
  std::printf("{\"case\": \"%s\", \"step\": \"%s\", \"ranks\": %zu", each.name.c_str(),
              step.name.c_str(), step.ranks.size());
  for (const Column& column : traffic_columns)
    std::printf(", \"%s\": %.10g", column.name, step.most(column.value));
  for (const Column& column : other_columns)
    std::printf(", \"%s\": %.6g", column.name, step.most(column.value));
  double sum = 0;
  for (const Counted& counted : step.ranks) sum += counted.seconds;
  std::printf(", \"mean_seconds\": %.6g}\n", sum / static_cast<double>(step.ranks.size()));
  std::fflush(stdout);
}

void simulate_all(const std::vector<Case>& cases, const Options& options) {
  for (const Case& each : cases) {
    if (each.name.find(options.only) == std::string::npos) continue;
    simulate(each, 4);  // makes the tables that a process makes once
    for (const int ranks : options.ranks) {
      if (ranks > each.most_ranks) continue;
      const auto start = std::chrono::steady_clock::now();
      const auto steps = simulate(each, ranks);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      for (const Step& step : steps) print(each, step);
      std::fprintf(stderr, "%-60s %7d ranks %8.2f s\n", each.name.c_str(), ranks, took.count());
      malloc_trim(0);
    }
  }
}

/// On rank 0: the number of counts in which the processes differ from the simulation.
int differences(const Case& each, const std::vector<Step>& real) {
  const auto simulated = simulate(each, static_cast<int>(real.front().ranks.size()));
  int differing = 0;
  for (std::size_t s = 0; s < real.size(); ++s)
    for (std::size_t rank = 0; rank < real[s].ranks.size(); ++rank)
      for (const Column& column : traffic_columns) {
        const double on_mpi = column.value(real[s].ranks[rank]);
        const double expected = column.value(simulated.at(s).ranks[rank]);
        const bool length = std::strstr(column.name, "bytes") != nullptr ||
                            std::strcmp(column.name, "longest_message") == 0;
        if (on_mpi == expected || (each.chance && length)) continue;
        ++differing;
        std::printf("%s, %s, rank %zu: %s %.10g, simulated %.10g\n", each.name.c_str(),
                    real[s].name.c_str(), rank, column.name, on_mpi, expected);
      }
  return differing;
}

int compare_all(const std::vector<Case>& cases, const Options& options) {
  int rank = 0, size = 0, differing = 0, compared = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (const Case& each : cases) {
    if (each.name.find(options.only) == std::string::npos) continue;
    const auto real = run_on_mpi(each);
    if (rank != 0) continue;
    differing += differences(each, real);
    compared += static_cast<int>(real.size());
  }
  if (rank == 0)
    std::printf("%d steps on %d processes, %d counts differ from the simulation\n", compared, size,
                differing);
  MPI_Bcast(&differing, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return differing == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // Linux allows a process 65530 mappings, fewer than the buffers of all ranks.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    const Options options = read(argc, argv);
    fiber_handle();
    const auto cases = all_cases(options.elements);
    if (options.against_mpi)
      status = compare_all(cases, options);
    else
      simulate_all(cases, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "daptor_scale: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
