// SPDX-License-Identifier: BSD-3-Clause
// daptor_bench [--quick] [--results FILE] [group...]: measures, prints Markdown tables, and appends
// what the report shows to a file.

#include <algorithm>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <petscsys.h>
#include <Tpetra_Core.hpp>

#include "groups.hpp"
#include "support/pairs.hpp"

namespace {

struct Group {
  const char* name;
  void (*run)(MPI_Comm, bool quick);
};

constexpr Group groups[] = {
    {"wrap", bench::wrap},
    {"halo", bench::halo},
    {"halo_peers", bench::halo_peers},
    {"redistribution", bench::redistribution},
    {"redistribution_peers", bench::redistribution_peers},
#ifdef DAPTOR_FFTW_MPI
    {"fft", bench::fft},
#endif
#ifdef DAPTOR_PLUGIN
    {"time_to_solution", bench::time_to_solution},
#endif
};

int run(const std::vector<std::string>& names, bool quick) {
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const std::string& name : names) {
    const bool known = std::any_of(std::begin(groups), std::end(groups),
                                   [&](const Group& group) { return name == group.name; });
    if (known) continue;
    if (rank == 0) std::cerr << "daptor_bench: no group " << name << '\n';
    return 2;
  }
  if (rank == 0)
    std::cout << ranks << " ranks; medians with lower and upper quartile of alternated pairs\n";
  for (const Group& group : groups) {
    if (names.empty() || std::find(names.begin(), names.end(), group.name) != names.end())
      group.run(MPI_COMM_WORLD, quick);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names;
  bool quick = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      quick = true;
    } else if (std::strcmp(argv[i], "--results") == 0 && i + 1 < argc) {
      bench::keep_in(argv[++i]);
    } else {
      names.emplace_back(argv[i]);
    }
  }
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  if (PetscInitializeNoArguments() != 0) return 2;
  const int status = run(names, quick);
  return PetscFinalize() != 0 ? 2 : status;
}
