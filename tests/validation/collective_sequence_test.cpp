// SPDX-License-Identifier: BSD-3-Clause
// The MPI calls of a validation: on every path all ranks make the same collective calls, and few of
// them if nothing is wrong.

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "../conformance/sequence.hpp"
#include "../core/layouts.hpp"
#include "daptor/daptor.hpp"
#include "daptor/validate.hpp"
#include "world.hpp"

namespace daptor::test {
namespace {

Section section(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), nullptr, std::move(dimensions));
}

constexpr const char* repeated_index = "an index twice";  // found at level full only

struct Case {
  std::string name;
  Submission submission;
  bool row_major = true;
  bool of_arrays = true;  ///< each rank has a Section
};

std::vector<Case> conforming() {
  const Index p = world_size();
  std::vector<Index> uneven;
  std::vector<Index> backwards;
  for (Index r = 0; r < p; ++r) {
    uneven.push_back((r * 5 + 3) % 7);
    backwards.push_back(p - 1 - r);
  }
  const Index width = p > 1 ? 1 : 0;
  const BlockPadding padded({width, width}, {2, 1});
  const BlockPadding periodic({2, 2}, {}, true);
  std::vector<std::pair<std::string, Layout>> layouts = {
      {"even block", {{even_axis(23, p), undistributed_axis(3)}, {}}},
      {"uneven blocks", {{block_axis(uneven)}, {}}},
      {"no elements", {{even_axis(0, p)}, {}}},
      {"padded", {{even_axis(5 * p, p, padded)}, {}}},
      {"periodic", {{even_axis(4 * p, p, periodic), undistributed_axis(2)}, {}}},
      {"cyclic", {{cyclic_axis(29, p, 2)}, {}}},
      {"cyclic with an origin", {{cyclic_axis(29, p, 2, p - 1)}, {}}},
      {"unstructured", {{shuffled_axis(31, p, 5)}, {}}},
      {"ranks backwards", {{even_axis(23, p)}, backwards}},
      {"ranks backwards, uneven and padded", {{even_axis(5 * p + 1, p, padded)}, backwards}},
  };
  if (p % 2 == 0) {
    layouts.push_back({"grid", {{even_axis(8, 2), even_axis(9, p / 2)}, {}}});
    layouts.push_back({"padded grid, ranks backwards",
                       {{even_axis(8, 2, padded),
                         block_axis(std::vector<Index>(static_cast<std::size_t>(p / 2), 5))},
                        backwards}});
  }
  std::vector<Case> cases;
  for (const auto& [name, layout] : layouts)
    cases.push_back({name, section(layout.dimensions(world_rank())), layout.seats.empty()});
  return cases;
}

/// Cases that are wrong on one rank alone, if there are several ranks.
std::vector<Case> malformed(bool here) {
  const bool last = world_rank() == world_size() - 1;
  const Index size = 4 * world_size();
  const IndexRange owned{4 * world_rank(), 4 * world_rank() + 4};
  const Dimension good = block(size, line(), owned);
  const Section array = section({good});
  const auto otherwise = [&](std::vector<Dimension> dimensions) -> Submission {
    return here ? section(std::move(dimensions)) : array;
  };
  Dictionary junk;
  junk.set("__version__", Value("0.9.0"));
  junk.set("dim_data", Value("none"));
  const std::vector<Index> own{4 * Index{world_rank()}};
  const std::vector<Index> others{world_rank() == 0 ? 4 : 0};
  const IndexRange longer{owned.start, owned.stop + (last ? 4 : 0)};
  const bool alone = world_size() == 1;
  const IndexRange shorter{owned.start + (last && !alone ? 1 : 0), owned.stop - (last ? 0 : 1)};
  return {
      {"a producer that threw", here ? Submission::failed("broken on purpose") : array, true,
       false},
      {"nothing", here ? Submission(Value()) : array, true, false},
      {"junk", here ? Submission(Value(junk)) : array, true, false},
      {"another number of dimensions", otherwise({good, undistributed(2)})},
      {"no dimension", otherwise({})},
      {"another distribution", otherwise({cyclic(size, line())})},
      {"another version", here ? Submission(convert(array, protocol_0_10)) : array},
      {"another element type",
       here ? Submission(describe(DataType::of<float>(), nullptr, {good})) : array},
      {"another size", otherwise({block(size + 4, line(), longer)})},
      {"another grid", otherwise({block(2 * size, {2 * world_size(), world_rank()}, owned)})},
      {"another place on the grid",
       otherwise({block(size + 4, {world_size() + 1, last ? 0 : world_size()},
                        last ? IndexRange{0, 4} : IndexRange{size, size + 4})})},
      {"a gap", otherwise({block(size, line(), shorter)})},
      {"padding that the others lack",
       otherwise({block(size, line(), owned, BlockPadding({0, 0}, {1, 1}))})},
      {"another periodicity",
       otherwise({block(size, line(), owned, BlockPadding({7, 7}, {}, true))})},
      {"another origin", section({cyclic(size, line(), 1, here ? 0 : world_size() - 1)})},
      {"many dimensions, and more",
       section(std::vector<Dimension>(here ? 70 : 67, undistributed(1)))},
      {repeated_index, section({unstructured(size, line(), IndexList(here ? others : own), true)})},
  };
}

/// Two messages per dimension; if the ranks are not row-major two more, to find the neighbours.
void expect_few_messages(const Stretch& stretch, const Case& one) {
  EXPECT_LE(stretch.messages(), 2 * one.submission.array()->ndim() + (one.row_major ? 0 : 2))
      << one.name << ": " << conformance::to_string(stretch.calls);
}

/// A validation that throws what it finds.
auto validating(const Submission& submission, Level level) {
  return [&submission, level] {
    Report report = validate(submission, MPI_COMM_WORLD, {level, Profile::recommended});
    if (!report) throw Malformed(report);
  };
}

/// The first and the last rank are at the same place of the grid, the others in reverse order.
Submission one_seat_twice() {
  GridPosition grid = line();
  grid.rank = grid.first() ? 0 : grid.size - 1 - grid.rank;
  return section({cyclic(3 * grid.size, grid)});
}

/// Indices far apart and negative ones, which are counted in another way.
Submission far_indices() {
  const Index rank = world_rank();
  return section(
      {unstructured(2 * world_size(), line(),
                    IndexList(std::vector<Index>{1000000007 * (1 + rank), -rank}), true)});
}

TEST(CollectiveSequence, OfConformingArraysWithAFaultOnEachRank) {
  const Comm comm(MPI_COMM_WORLD);
  comm->exclusive_sum(0);  // makes the duplicate, which is kept on the communicator
  for (const Case& one : conforming()) {
    const auto proof = [&] { require_consistent(one.submission.array()->on(comm)); };
    const Stretch stretch = watch(proof);
    EXPECT_EQ(stretch.error, "") << one.name;
    EXPECT_LE(stretch.collectives().size(), 4U)
        << one.name << ": " << conformance::to_string(stretch.calls);
    expect_few_messages(stretch, one);
    expect_sound_after_faults(proof, "require_consistent, " + one.name);
    // Level full passes all the points that level metadata passes.
    expect_same_sequence(watch(validating(one.submission, Level::metadata)), one.name);
    expect_sound_after_faults(validating(one.submission, Level::full), one.name);
  }
  const Submission far = far_indices();
  expect_sound_after_faults(validating(far, Level::full), "far indices");
}

TEST(CollectiveSequence, OfMalformedArraysAtEachRank) {
  for (int at_fault = 0; at_fault < world_size(); ++at_fault) {
    for (const Case& one : malformed(world_rank() == at_fault)) {
      const std::string name = one.name + " on rank " + std::to_string(at_fault);
      for (const Level level : {Level::metadata, Level::full}) {
        Report report;
        const ValidateOptions options{level, Profile::recommended};
        expect_same_sequence(
            watch([&] { report = validate(one.submission, MPI_COMM_WORLD, options); }), name);
        const bool visible = level == Level::full || one.name != repeated_index;
        if (world_size() > 1 && visible) {
          EXPECT_FALSE(report) << name;
        }
      }
    }
  }
}

TEST(CollectiveSequence, OfMalformedArraysWithAFaultOnEachRank) {
  std::vector<Case> cases = malformed(world_rank() == world_size() / 2);
  cases.push_back({"one seat twice", one_seat_twice(), false});
  const Comm comm(MPI_COMM_WORLD);
  for (const Case& one : cases) {
    expect_sound_after_faults(validating(one.submission, Level::full), one.name);
    if (one.of_arrays)
      expect_sound_after_faults([&] { require_consistent(one.submission.array()->on(comm)); },
                                "require_consistent, " + one.name);
  }
}

TEST(CollectiveSequence, AConformingArrayTakesFewCalls) {
  Comm(MPI_COMM_WORLD)->exclusive_sum(0);  // makes the duplicate, if no test has
  for (const Case& one : conforming()) {
    Report report;
    const Stretch stretch = watch([&] {
      report = validate(one.submission, MPI_COMM_WORLD, {Level::metadata, {}});
    });
    EXPECT_TRUE(report) << one.name << report;
    if (!report.findings().empty()) continue;  // reporting a finding takes more calls
    EXPECT_LE(stretch.collectives().size(), 4U)
        << one.name << ": " << conformance::to_string(stretch.calls);
    expect_few_messages(stretch, one);
    EXPECT_EQ(stretch.count({"MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall", "MPI_Alltoallv",
                             "MPI_Gather", "MPI_Gatherv"}),
              0)
        << one.name;
    for (const conformance::MpiCall& call : stretch.calls)
      EXPECT_NE(call.kind, conformance::MpiKind::communicator) << one.name << ": " << call;
  }
}

/// All collective calls of a GlobalIndexMap.
auto mapping(const Section& array) {
  return [array] {
    const GlobalIndexMap map(array.on(MPI_COMM_WORLD));
    static_cast<void>(map.contiguous_offset());
    if (array.ndim() > 0 && array.dimension(0).dist_type() == 'u')
      static_cast<void>(map.owners_of_unstructured(0, {Index{world_rank()}, 3, -1}));
    static_cast<void>(map.ranks_at({map.coordinates()}));
  };
}

TEST(CollectiveSequence, OfGlobalIndexMaps) {
  for (const Case& one : conforming())
    expect_same_sequence_with_faults(mapping(*one.submission.array()), "map of " + one.name);
  for (int at_fault = 0; at_fault < world_size(); ++at_fault)
    for (const Case& one : malformed(world_rank() == at_fault))
      if (one.of_arrays)
        expect_same_sequence(watch(mapping(*one.submission.array())), "map of " + one.name);
}

TEST(CollectiveSequence, OfANewCommunicator) {
  for (int at_fault = 0; at_fault < world_size(); ++at_fault) {
    for (const char* point : {"core.communicator.cache", "nowhere"}) {
      MPI_Comm comm;
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      const Fault fault(point, at_fault);
      const Stretch making = watch([&] { static_cast<void>(Comm(comm)); });
      EXPECT_TRUE(making.calls.empty()) << conformance::to_string(making.calls);
      expect_same_sequence(watch([&] { Comm(comm)->exclusive_sum(1); }), point);
      MPI_Comm_free(&comm);
    }
  }
}

}  // namespace
}  // namespace daptor::test
