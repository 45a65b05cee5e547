// SPDX-License-Identifier: BSD-3-Clause
#include "redistribution_case.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <random>

namespace bench {
namespace {

using Kind = Along::Kind;
using Indices = std::vector<std::int64_t>;

Along whole(std::int64_t size) {
  return {Kind::even, size, 1, 0};
}

Along even(std::int64_t size, std::int64_t processes) {
  return {Kind::even, size, processes, 0};
}

daptor::IndexRange range_of(const Along& along, std::int64_t grid_rank) {
  if (along.kind == Kind::blocks)
    return {std::min(along.size, grid_rank * along.block),
            grid_rank + 1 == along.processes ? along.size
                                             : std::min(along.size, (grid_rank + 1) * along.block)};
  const std::int64_t each = along.size / along.processes;
  const std::int64_t more = along.size % along.processes;
  const std::int64_t start = grid_rank * each + std::min(grid_rank, more);
  return {start, start + each + (grid_rank < more ? 1 : 0)};
}

/// One process's part of a permutation that all processes know.
Indices shuffled(const Along& along, std::int64_t grid_rank) {
  Indices all(static_cast<std::size_t>(along.size));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  std::shuffle(all.begin(), all.end(), std::mt19937_64(1));
  const daptor::IndexRange range =
      range_of({Kind::even, along.size, along.processes, 0}, grid_rank);
  return {all.begin() + range.start, all.begin() + range.stop};
}

/// Calls `visit` with each sum of one term per dimension; the last dimension of `terms` varies
/// fastest.
template <class F>
void for_each_sum(const std::vector<Indices>& terms, std::size_t d, std::int64_t sum, F& visit) {
  if (d == terms.size()) return visit(sum);
  if (d + 1 < terms.size()) {
    for (const std::int64_t term : terms[d]) for_each_sum(terms, d + 1, sum + term, visit);
    return;
  }
  for (const std::int64_t term : terms[d]) visit(sum + term);
}

/// Calls `visit` with each element's global number in C order, in the order of memory.
template <class F>
void for_each_number(const Placement& placement, int rank, F&& visit) {
  std::vector<Indices> terms = placement.owned(rank);
  std::int64_t stride = 1;
  for (std::size_t d = terms.size(); d-- > 0; stride *= placement.along[d].size)
    for (std::int64_t& term : terms[d]) term *= stride;
  std::vector<Indices> in_memory;
  for (const std::size_t d : placement.memory_order()) in_memory.push_back(terms[d]);
  for_each_sum(in_memory, 0, 0, visit);
}

std::size_t count(const Placement& placement, int rank) {
  std::size_t product = 1;
  for (const Indices& indices : placement.owned(rank)) product *= indices.size();
  return product;
}

std::vector<RedistributionCase> planes(int ranks, std::int64_t n) {
  const auto c = daptor::Order::c;
  const auto fortran = daptor::Order::fortran;
  int grid[2] = {0, 0};
  MPI_Dims_create(ranks, 2, grid);
  const Placement rows{{even(n, ranks), whole(n)}, c};
  const Placement columns{{whole(n), even(n, ranks)}, c};
  const Placement column_major{{whole(n), even(n, ranks)}, fortran};
  const Placement uneven{{{Kind::blocks, n, ranks, n * 5 / (4 * ranks)}, whole(n)}, c};
  const Placement tiles{{{Kind::cyclic, n, grid[0], 64}, {Kind::cyclic, n, grid[1], 64}}, fortran};
  const std::string size = std::to_string(n) + "^2";
  return {{size + " rows to columns", rows, columns, 3},
          {size + " uneven rows to even", uneven, rows, 3},
          {size + " rows to columns, transposed", rows, column_major, 3},
          {size + " columns to 64 x 64 tiles", column_major, tiles, 4.3},
          {size + " rows to 64 x 64 tiles, transposed", rows, tiles, 4.3}};
}

std::vector<RedistributionCase> boxes(int ranks, std::int64_t n) {
  int two[2] = {0, 0};
  int three[3] = {0, 0, 0};
  MPI_Dims_create(ranks, 2, two);
  MPI_Dims_create(ranks, 3, three);
  const Placement slab{{even(n, ranks), whole(n), whole(n)}, daptor::Order::c};
  const Placement pencil{{whole(n), even(n, two[0]), even(n, two[1])}, daptor::Order::c};
  const Placement brick{{even(n, three[2]), even(n, three[1]), even(n, three[0])},
                        daptor::Order::c};
  const std::string size = std::to_string(n) + "^3";
  return {{size + " slabs to pencils", slab, pencil, 3},
          {size + " pencils to bricks", pencil, brick, 3}};
}

}  // namespace

Indices Along::owned(std::int64_t grid_rank) const {
  if (kind == Kind::listed) return shuffled(*this, grid_rank);
  Indices all;
  if (kind == Kind::cyclic) {
    for (std::int64_t start = grid_rank * block; start < size; start += processes * block)
      for (std::int64_t i = start; i < std::min(start + block, size); ++i) all.push_back(i);
    return all;
  }
  const daptor::IndexRange range = range_of(*this, grid_rank);
  all.resize(static_cast<std::size_t>(range.stop - range.start));
  std::iota(all.begin(), all.end(), range.start);
  return all;
}

daptor::Dimension Along::dimension(std::int64_t grid_rank) const {
  const daptor::GridPosition at{processes, grid_rank};
  if (kind == Kind::cyclic) return daptor::cyclic(size, at, block);
  if (kind == Kind::listed)
    return daptor::unstructured(size, at, daptor::IndexList(owned(grid_rank)), true);
  if (processes == 1) return daptor::undistributed(size);
  return daptor::block(size, at, range_of(*this, grid_rank));
}

Indices Placement::grid() const {
  Indices all;
  for (const Along& one : along) all.push_back(one.processes);
  return all;
}

std::vector<Indices> Placement::owned(int owner) const {
  const Indices at = daptor::grid_coordinates(grid(), owner);
  std::vector<Indices> all;
  for (std::size_t d = 0; d < along.size(); ++d) all.push_back(along[d].owned(at[d]));
  return all;
}

std::vector<daptor::Dimension> Placement::dimensions(int owner) const {
  const Indices at = daptor::grid_coordinates(grid(), owner);
  std::vector<daptor::Dimension> all;
  for (std::size_t d = 0; d < along.size(); ++d) all.push_back(along[d].dimension(at[d]));
  return all;
}

std::vector<std::size_t> Placement::memory_order() const {
  std::vector<std::size_t> dimensions(along.size());
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  if (order == daptor::Order::fortran) std::reverse(dimensions.begin(), dimensions.end());
  return dimensions;
}

std::vector<RedistributionCase> redistribution_cases(int ranks, bool quick) {
  std::vector<RedistributionCase> all = planes(ranks, quick ? 1000 : 8000);
  for (RedistributionCase& one : boxes(ranks, quick ? 60 : 300)) all.push_back(std::move(one));
  return all;
}

std::vector<RedistributionCase> small_redistribution_cases(int ranks) {
  return planes(ranks, 96);
}

RedistributionCase permutation_case(int ranks, bool quick) {
  const std::int64_t n = quick ? 10000 : 1000000;
  return {std::to_string(n) + " in random order to blocks",
          {{{Kind::listed, n, ranks, 0}}, daptor::Order::c},
          {{even(n, ranks)}, daptor::Order::c},
          0};
}

Elements::Elements(std::size_t count, MemoryOf memory) : count_(count) {
  if (memory == MemoryOf::vector) {
    vector_.resize(count);
    begin_ = vector_.data();
  } else {
    section_ = daptor::allocate(daptor::DataType::of<double>(),
                                {daptor::undistributed(static_cast<daptor::Index>(count))});
    begin_ = static_cast<double*>(section_->mutable_data());
  }
}

HeldArray::HeldArray(const Placement& of, const daptor::Comm& comm, MemoryOf who)
    : placement(of),
      rank(comm.rank()),
      memory(count(of, rank), who),
      array(daptor::describe(memory.data(), of.dimensions(rank), of.order).on(comm)) {}

void HeldArray::number() {
  double* next = memory.data();
  for_each_number(placement, rank,
                  [&](std::int64_t number) { *next++ = static_cast<double>(number); });
}

void HeldArray::clear() {
  std::fill(memory.begin(), memory.end(), std::numeric_limits<double>::quiet_NaN());
}

void HeldArray::check(MPI_Comm comm, const std::string& who) const {
  const double* next = memory.data();
  std::int64_t wrong = 0;
  for_each_number(placement, rank, [&](std::int64_t number) {
    if (*next++ != static_cast<double>(number)) ++wrong;
  });
  if (wrong == 0) return;
  std::fprintf(stderr, "%s: %lld elements are wrong on rank %d\n", who.c_str(),
               static_cast<long long>(wrong), rank);
  MPI_Abort(comm, 1);
}

std::vector<Position> positions(const Placement& from, const Placement& to, int rank, int ranks) {
  // Every process walks through the sections of all processes, to index them by global number.
  std::int64_t size = 1;
  for (const Along& one : from.along) size *= one.size;
  std::vector<Position> by_number(static_cast<std::size_t>(size));
  for (int owner = 0; owner < ranks; ++owner) {
    int offset = 0;
    for_each_number(from, owner, [&](std::int64_t number) {
      by_number[static_cast<std::size_t>(number)] = {owner, offset++};
    });
  }
  std::vector<Position> all;
  all.reserve(count(to, rank));
  for_each_number(to, rank, [&](std::int64_t number) {
    all.push_back(by_number[static_cast<std::size_t>(number)]);
  });
  return all;
}

}  // namespace bench
