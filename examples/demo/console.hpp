// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <petscsys.h>

#include <stdexcept>
#include <string>
#include <utility>

/// Ends the program with one sentence; thrown on all ranks alike.
class DemoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Prints on rank 0.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (rank_of(PETSC_COMM_WORLD) != 0) return;
  fmt::print(format, std::forward<Arguments>(arguments)...);
  std::fflush(stdout);
}

/// PETSc has printed the error before it returns a code, so the demo only ends.
inline void ok(PetscErrorCode code) {
  if (static_cast<int>(code) != 0) MPI_Abort(PETSC_COMM_WORLD, 1);
}

/// Prints one line for each rank, in order; if there are many ranks, for the first eight.
inline void say_by_rank(const std::string& mine) {
  constexpr int shown = 8;
  const int rank = rank_of(PETSC_COMM_WORLD);
  const int size = size_of(PETSC_COMM_WORLD);
  if (rank < shown)
    ok(PetscSynchronizedPrintf(PETSC_COMM_WORLD, "  rank %d: %s\n", rank, mine.c_str()));
  ok(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
  if (size > shown) say("  (the first {} of {} ranks)\n", shown, size);
}

/// Collective. If rank 0 has a problem to report, throws DemoError on all ranks.
inline void throw_on_all(std::string problem) {
  int length = static_cast<int>(problem.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, PETSC_COMM_WORLD);
  if (length == 0) return;
  problem.resize(static_cast<std::size_t>(length));
  MPI_Bcast(problem.data(), length, MPI_CHAR, 0, PETSC_COMM_WORLD);
  throw DemoError(problem);
}

/// Collective.
template <class T>
T sum_over_ranks(T value) {
  double sum = static_cast<double>(value);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return static_cast<T>(sum);
}
