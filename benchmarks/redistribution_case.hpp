// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::int64_t block = 0;  ///< for block and cyclic dimensions: number of consecutive indices

  /// Global indices of one process along this dimension, in local order.
  std::vector<std::int64_t> owned(std::int64_t grid_rank) const;
  daptor::Dimension dimension(std::int64_t grid_rank) const;
};

/// How an array of doubles is placed on the processes.
struct Placement {
  std::vector<Along> along;
  daptor::Order order = daptor::Order::c;

  std::vector<std::int64_t> grid() const;
  /// Global indices of a process along each dimension, in local order.
  std::vector<std::vector<std::int64_t>> owned(int owner) const;
  std::vector<daptor::Dimension> dimensions(int owner) const;
  /// The dimensions in the order of memory, the slowest first.
  std::vector<std::size_t> memory_order() const;
};

struct RedistributionCase {
  std::string text;
  Placement from, to;
  double goal = 3;  ///< for one use with its set-up, in copies of the local part
};
/// The cases that are measured on `ranks` processes.
std::vector<RedistributionCase> redistribution_cases(int ranks, bool quick);
/// Matrices so small that agreements and messages take most of the time.
std::vector<RedistributionCase> small_redistribution_cases(int ranks);
RedistributionCase permutation_case(int ranks, bool quick);

/// Who has allocated memory.
enum class MemoryOf { vector, daptor };

/// One rank's elements of an array.
class Elements {
 public:
  Elements(std::size_t count, MemoryOf memory);
  double* data() { return begin_; }
  const double* data() const { return begin_; }
  std::size_t size() const { return count_; }
  double* begin() { return begin_; }
  double* end() { return begin_ + count_; }

 private:
  std::vector<double> vector_;
  std::optional<daptor::Section> section_;
  double* begin_;
  std::size_t count_;
};

/// An array with one rank's section of it in memory.
struct HeldArray {
  HeldArray(const Placement& of, const daptor::Comm& comm, MemoryOf memory = MemoryOf::vector);
  /// Sets each element to its global number in C order.
  void number();
  void clear();
  /// Collective. Ends the program if an element is not its global number.
  void check(MPI_Comm comm, const std::string& who) const;

  Placement placement;
  int rank;
  Elements memory;
  daptor::DistArray array;
};

/// The place of an element.
struct Position {
  int rank;
  int offset;  ///< in elements, in that rank's memory
};
/// For each element of `to` on this rank, in the order of memory: its place in `from`.
std::vector<Position> positions(const Placement& from, const Placement& to, int rank, int ranks);

}  // namespace bench
