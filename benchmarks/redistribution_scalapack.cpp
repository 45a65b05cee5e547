// SPDX-License-Identifier: BSD-3-Clause
// Performs the same redistribution with ScaLAPACK, on the same memory.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "native.hpp"
#include "redistribution_peers.hpp"

extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridmap(int* context, int* ranks, int leading, int rows, int columns);
void Cblacs_gridexit(int context);
void pdgemr2d_(const int* rows, const int* columns, const double* from, const int* from_row,
               const int* from_column, const int* from_descriptor, double* to, const int* to_row,
               const int* to_column, const int* to_descriptor, const int* context);
}

namespace bench {
namespace {

/// Number of consecutive indices that each process has, if ScaLAPACK can hold the dimension: it
/// needs the same number on each process.
std::optional<int> block_of(const Along& along) {
  switch (along.kind) {
    case Along::Kind::blocks:
      if (along.block * along.processes < along.size) return {};
      return static_cast<int>(along.block);
    case Along::Kind::cyclic:
      return static_cast<int>(along.block);
    case Along::Kind::even:
      if (along.size % along.processes != 0) return {};
      return static_cast<int>(along.size / along.processes);
    case Along::Kind::listed:
      break;
  }
  return {};
}

/// A matrix as it lies in memory: an array in C order is the transposed matrix.
struct Matrix {
  Matrix(const HeldArray& section, MPI_Comm comm) {
    const Placement& placement = section.placement;
    const auto order = placement.memory_order();
    const Along& rows = placement.along[order[1]];
    const Along& columns = placement.along[order[0]];
    std::vector<int> ranks;
    for (int column = 0; column < columns.processes; ++column)
      for (int row = 0; row < rows.processes; ++row)
        ranks.push_back(static_cast<int>(order[0] == 0 ? column * rows.processes + row
                                                       : row * columns.processes + column));
    context = Csys2blacs_handle(comm);
    Cblacs_gridmap(&context, ranks.data(), static_cast<int>(rows.processes),
                   static_cast<int>(rows.processes), static_cast<int>(columns.processes));
    const auto leading = static_cast<int>(placement.owned(section.rank)[order[1]].size());
    descriptor = {1,
                  context,
                  static_cast<int>(rows.size),
                  static_cast<int>(columns.size),
                  *block_of(rows),
                  *block_of(columns),
                  0,
                  0,
                  std::max(1, leading)};
  }
  ~Matrix() { Cblacs_gridexit(context); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  int context = 0;
  std::array<int, 9> descriptor{};
};

bool can_describe(const Placement& placement) {
  return placement.along.size() == 2 && std::all_of(placement.along.begin(), placement.along.end(),
                                                    [](const Along& one) { return block_of(one); });
}

}  // namespace

/// pdgemr2d copies and does not transpose, so only arrays of one memory order are compared.
std::vector<Peer> scalapack_peer(HeldArray& from, HeldArray& to, MPI_Comm comm) {
  if (!can_describe(from.placement) || !can_describe(to.placement) ||
      from.placement.order != to.placement.order)
    return {};
  const auto source = std::make_shared<const Matrix>(from, comm);
  const auto target = std::make_shared<const Matrix>(to, comm);
  const auto set_up = [&from, &to, comm, source, target] {
    return std::function<void()>([&from, &to, source, target] {
      const int one = 1;
      pdgemr2d_(&source->descriptor[2], &source->descriptor[3], from.memory.data(), &one, &one,
                source->descriptor.data(), to.memory.data(), &one, &one, target->descriptor.data(),
                &source->context);
    });
  };
  return {{"pdgemr2d", 2, set_up}};
}

}  // namespace bench
