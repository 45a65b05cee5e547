// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mpi.h>
#include <daptor/daptor.hpp>

namespace bench {

/// How one dimension is divided, known on every process without communication.
struct Along {
  enum class Kind { even, blocks, cyclic, listed };
  Kind kind = Kind::even;
  std::int64_t size = 0;
  std::int64_t processes = 1;
  std::int64_t block = 0;  ///< blocks, cyclic: indices in a row

  /// Global indices of one process along it, in local order.
  std::vector<std::int64_t> owned(std::int64_t grid_rank) const;
  daptor::Dimension dimension(std::int64_t grid_rank) const;
};

/// How an array of doubles lies on the processes.
struct Placement {
  std::vector<Along> along;
  daptor::Order order = daptor::Order::c;

  std::vector<std::int64_t> grid() const;
  /// Global indices of a process along each dimension, in local order.
  std::vector<std::vector<std::int64_t>> owned(int rank) const;
  std::vector<daptor::Dimension> dimensions(int rank) const;
  /// Dimensions as memory has them, the slowest first.
  std::vector<std::size_t> memory_order() const;
};

struct RedistributionCase {
  std::string text;
  Placement from, to;
  double goal = 3;  ///< one use with its set-up, in copies of the local part
};
/// Those that are measured on so many processes.
std::vector<RedistributionCase> redistribution_cases(int ranks, bool quick);
RedistributionCase permutation_case(int ranks, bool quick);

/// One rank's section in memory.
struct Section {
  Section(const Placement& of, int rank);
  /// Each element becomes its global number in C order.
  void number();
  void clear();
  /// Collective. Ends the program where elements are not their numbers.
  void check(MPI_Comm comm, const std::string& who) const;

  Placement placement;
  int rank;
  std::vector<double> memory;
  daptor::DistArray array;
};

/// Where an element is.
struct Position {
  int rank;
  int offset;  ///< in elements, in the memory of that rank
};
/// For each element of `to` on this rank, in the order of memory, where `from` has it.
std::vector<Position> positions(const Placement& from, const Placement& to, int rank, int ranks);

}  // namespace bench
