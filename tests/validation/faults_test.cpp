// SPDX-License-Identifier: BSD-3-Clause
// A fault on each rank, at each point at which a validation at level full counts indices or looks
// for ranks that share a position. Also run with the messages of more than 64 ranks, which go
// through ranks between.

#include <gtest/gtest.h>
#include <mpi.h>

#include <functional>
#include <numeric>
#include <sstream>
#include <vector>

#include "daptor/daptor.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using test::Faults;
using test::line;
using test::world_rank;
using test::world_size;

void expect_agreed(const DistArray& array, bool conforms) {
  Faults().expect_agreed([&] { EXPECT_EQ(static_cast<bool>(validate(array)), conforms); });
}

DistArray shared_out(std::vector<Index> list, Index size) {
  return allocate<double>({unstructured(size, line(), IndexList(std::move(list)), true)})
      .on(MPI_COMM_WORLD);
}

TEST(ValidationFaults, WhileRunsOfIndicesAreCounted) {
  constexpr Index each = 1000;
  for (const bool shared : {false, true}) {
    std::vector<Index> list(each);
    std::iota(list.begin(), list.end(), each * world_rank());
    if (shared && world_rank() > 0) list.front() -= 1;
    const bool conforms = !shared || world_size() == 1;
    expect_agreed(shared_out(list, each * world_size()), conforms);
  }
}

TEST(ValidationFaults, WhileScatteredIndicesAreCounted) {
  for (const bool shared : {false, true}) {
    std::vector<Index> list;
    for (Index i = 0; i < 20; ++i) list.push_back(1000003 * (i * world_size() + world_rank()));
    if (shared) list.front() = 0;
    const bool conforms = !shared || world_size() == 1;
    expect_agreed(shared_out(list, 1000003 * 20 * world_size()), conforms);
  }
}

/// The first and the last rank are at the same position.
TEST(ValidationFaults, WhileRanksThatShareAPositionAreFound) {
  if (world_size() < 2) return;
  GridPosition grid = line();
  grid.rank = grid.first() ? 0 : grid.size - 1 - grid.rank;
  expect_agreed(allocate<double>({cyclic(3 * grid.size, grid)}).on(MPI_COMM_WORLD), false);
}

/// The padding of one rank has no words in the array's version: `validate` and every other call say
/// the same of it.
TEST(ValidationFaults, PaddingThatTheVersionCannotExpressIsRefusedEverywhere) {
  for (const int victim : {0, world_size() - 1}) {
    const Index first = 2 * world_rank();
    const bool wrong = world_rank() == victim;
    const Padding boundary{wrong && line().first() ? 1 : 0, wrong && line().last() ? 1 : 0};
    const Block block{line(), {first, first + 2}, boundary, {}, true};
    double memory[2] = {};
    const DistArray array =
        describe(memory, {Dimension(2 * world_size(), block, true)}).on(MPI_COMM_WORLD);
    const Report report = validate(array);
    ASSERT_FALSE(report.findings().empty());
    EXPECT_EQ(report.first_error()->rule, "V09") << report;
    std::ostringstream text;
    text << report;
    test::expect_same_everywhere(text.str());
    for (const std::function<void()>& call : std::vector<std::function<void()>>{
             [&] { require_consistent(array); }, [&] { redistributed(array, layout::natural()); },
             [&] { explain(array); }, [&] { HaloExchange halo(array); }})
      test::expect_refused_everywhere("V09", call, victim);
  }
}

}  // namespace
}  // namespace daptor
