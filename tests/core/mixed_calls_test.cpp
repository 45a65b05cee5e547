// SPDX-License-Identifier: BSD-3-Clause
// Ranks make different collective calls at the same time: every rank throws an error that says
// which ranks are in which call.

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../support/mixed_calls.hpp"
#include "daptor/daptor.hpp"
#include "daptor/simulated.hpp"

namespace daptor::test {
namespace {

DistArray rows(const Comm& comm, std::vector<double>& memory) {
  const Index size = 3 * comm.size();
  memory.assign(static_cast<std::size_t>(3 * size), 1.0);
  return describe(memory.data(), {block(size, {comm.size(), comm.rank()}), undistributed(size)})
      .on(comm);
}

DistArray without_memory(const Comm& comm) {
  return describe(DataType::of<double>(), nullptr,
                  {block(3 * comm.size(), {comm.size(), comm.rank()})})
      .on(comm);
}

/// The calls that work on any communicator.
std::vector<NamedCall> calls_on(const Comm& comm, const DistArray& array) {
  const DistArray other =
      describe(DataType::of<double>(), nullptr,
               {cyclic(array.dimension(0).global_size(), {comm->size(), comm->rank()})})
          .on(comm);
  const DistArray line = without_memory(comm);
  return {
      {"validate", [=] { EXPECT_TRUE(validate(array)); }},
      {"require_consistent", [=] { require_consistent(array); }},
      {"import_tile", [=] { Call(array, "import_tile").check(); }},
      {"prove_one_to_one", [=] { prove_one_to_one(array); }},
      {"without_padding", [=] { without_padding(array); }},
      {"GlobalIndexMap", [=] { GlobalIndexMap map(array); }},
      {"bytes_to_redistribute", [=] { bytes_to_redistribute(line, other); }},
      {"agree", [=] { Call(comm, "agree").check(); }},
      {"assemble",
       [=] {
         Call call(comm, "assemble");
         call.check();
         require_consistent(array);
         validate(array);
       }},
  };
}

TEST(MixedCalls, OfTheCore) {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<double> memory, target_memory(9 * static_cast<std::size_t>(comm->size()));
  const DistArray array = rows(comm, memory);
  const Index size = 3 * comm->size();
  const DistArray columns =
      describe(target_memory.data(),
               {undistributed(size), block(size, {comm->size(), comm->rank()})})
          .on(comm);
  auto there = std::make_shared<Redistribution>(array, columns);
  std::vector<NamedCall> calls = calls_on(comm, array);
  const auto map = std::make_shared<GlobalIndexMap>(array);
  const DistArray list = describe(DataType::of<double>(), nullptr,
                                  {unstructured(size, {comm->size(), comm->rank()},
                                                IndexList({Index{comm->rank()}}), true)})
                             .on(comm);
  const auto listed = std::make_shared<GlobalIndexMap>(list);
  calls.push_back({"HaloExchange", [=] { HaloExchange halo(array); }});
  calls.push_back({"update_padding", [=] { update_padding(array); }});
  calls.push_back({"Redistribution", [=] { Redistribution(array, columns); }});
  calls.push_back({"redistribute", [=] { redistribute(array, columns); }});
  calls.push_back({"redistributed", [=] { redistributed(array, layout::natural()); }});
  calls.push_back({"GlobalIndexMap::ranks_at", [=] { map->ranks_at({}); }});
  calls.push_back(
      {"GlobalIndexMap::owners_of_unstructured", [=] { listed->owners_of_unstructured(0, {0}); }});
  calls.push_back({"GlobalIndexMap::one_to_one", [=] { listed->one_to_one(0); }});
  expect_no_mixing(calls);
}

TEST(MixedCalls, TheFirstWayBack) {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<double> memory, target_memory(9 * static_cast<std::size_t>(comm->size()));
  const DistArray array = rows(comm, memory);
  const Index size = 3 * comm->size();
  const DistArray columns =
      describe(target_memory.data(),
               {undistributed(size), block(size, {comm->size(), comm->rank()})})
          .on(comm);
  for (int rank = 0; comm->size() > 1 && rank < comm->size(); ++rank) {
    Redistribution there(array, columns);
    const NamedCall back{"Redistribution::run_back", [&] { there.run_back(); }};
    const NamedCall check{"validate", [&] { validate(array); }};
    expect_mixed(comm->rank() == rank ? back : check, rank, back, check, comm->rank());
    EXPECT_NO_THROW(there.run_back());
  }
}

TEST(MixedCalls, OfSparseMatrices) {
  const Comm comm(MPI_COMM_WORLD);
  const GridPosition line{comm.size(), comm.rank()};
  const bool last = comm.rank() + 1 == comm.size();
  const Index first = comm.rank(), rows_here = 1, all = comm.size();
  std::vector<double> values{1};
  std::vector<Index> columns{first}, offsets{first, first + 1};
  const CsrArrays matrix{
      describe(values.data(), {block(all, line, IndexRange{first, first + rows_here})}).on(comm),
      describe(columns.data(), {block(all, line, IndexRange{first, first + rows_here})}).on(comm),
      describe(offsets.data(),
               {block(all + 1, line, IndexRange{first, first + 1 + (last ? 1 : 0)})})
          .on(comm),
      all,
      all,
      0};
  std::vector<double> memory;
  const DistArray array = rows(comm, memory);
  expect_no_mixing({{"validate(CsrArrays)", [&] { EXPECT_TRUE(validate(matrix)); }},
                    {"require_consistent(CsrArrays)", [&] { require_consistent(matrix); }},
                    {"validate", [&] { validate(array); }}});
}

TEST(MixedCalls, OfSimulatedRanks) {
  if (world_size() > 1) return;  // the same on each
  for (const int ranks : {2, 3, 4, 5, 8, 13}) {
    for (int odd = 0; odd < ranks; ++odd) {
      std::set<std::string> texts;
      std::size_t pairs = 0;
      run_simulated(ranks, [&](const Comm& comm) {
        const DistArray array = without_memory(comm);
        const auto calls = calls_on(comm, array);
        for (std::size_t i = 0; i < calls.size(); ++i) {
          const NamedCall& other = calls[(i + 1) % calls.size()];
          const NamedCall& mine = comm.rank() == odd ? calls[i] : other;
          const std::string text = expect_mixed(mine, odd, calls[i], other, comm.rank());
          texts.insert(text);
          pairs = calls.size();
        }
        for (const NamedCall& each : calls) EXPECT_NO_THROW(each.call());
      });
      EXPECT_EQ(texts.size(), pairs) << "one text on all ranks for each pair";
    }
  }
}

/// The error that all of `ranks` simulated ranks throw if each makes the call of that name.
std::string heard(int ranks, const std::function<std::string(int)>& name) {
  std::set<std::string> texts;
  run_simulated(ranks, [&](const Comm& comm) {
    const std::string own = name(comm.rank());
    Call call(comm, own.c_str());
    try {
      call.check();
    } catch (const InvalidArgument& error) {
      texts.insert(error.finding().found.str());
    }
  });
  EXPECT_EQ(texts.size(), 1U);
  return texts.empty() ? std::string() : *texts.begin();
}

TEST(MixedCalls, SaysWhoIsWhere) {
  EXPECT_EQ(heard(2, [](int rank) { return rank == 0 ? "a" : "b"; }),
            "rank 0 is in a, rank 1 in b");
  EXPECT_EQ(heard(4, [](int rank) { return rank == 0 ? "validate" : "petsc::import_vec"; }),
            "rank 0 is in validate, ranks 1..3 in petsc::import_vec");
  EXPECT_EQ(heard(4, [](int rank) { return rank == 3 ? "a" : "b"; }),
            "ranks 0..2 are in b, rank 3 in a");
  EXPECT_EQ(heard(6, [](int rank) { return rank % 3 == 0 ? "a" : "b"; }),
            "ranks 0 and 3 are in a, ranks 1, 2, 4 and 5 in b");
  EXPECT_EQ(heard(14, [](int rank) { return rank % 2 == 0 ? "a" : "b"; }),
            "ranks 0, 2, 4, 6 and 3 more are in a, ranks 1, 3, 5, 7 and 3 more in b");
  EXPECT_EQ(heard(3, [](int rank) { return std::string(1, static_cast<char>('a' + rank)); }),
            "rank 0 is in a, rank 1 in b, rank 2 in c");
  EXPECT_EQ(heard(8, [](int rank) { return std::string(1, static_cast<char>('a' + rank)); }),
            "rank 0 is in a, rank 1 in b, rank 2 in c, rank 3 in d, rank 4 in e, rank 5 in f, "
            "others in other calls");
}

TEST(MixedCalls, ComeBeforeWhatIsWrongOnARank) {
  run_simulated(3, [](const Comm& comm) {
    Call call(comm, comm.rank() == 1 ? "a" : "b");
    expect_refused<InvalidArgument>("collective.mixed", [&] {
      call.check([&] {
        if (comm.rank() == 1) throw InvalidArgument("key", "something odd", "something else");
      });
    });
  });
}

TEST(MixedCalls, TheOutermostCallCounts) {
  const std::string text = heard(2, [](int rank) { return rank == 0 ? "outer" : "other"; });
  EXPECT_EQ(text, "rank 0 is in outer, rank 1 in other");
  run_simulated(2, [](const Comm& comm) {
    Call outer(comm, comm.rank() == 0 ? "outer" : "other");
    Call inner(comm, "inner");
    try {
      inner.check();
      ADD_FAILURE() << "nothing thrown";
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.finding().found.str(), "rank 0 is in outer, rank 1 in other");
    }
  });
}

TEST(MixedCalls, ALongNameIsCut) {
  const std::string name(300, 'x');
  const std::string text = heard(2, [&](int rank) { return name + std::to_string(rank); });
  EXPECT_EQ(text, "rank 0 is in " + std::string(79, 'x') + ", rank 1 in " + std::string(79, 'x'));
}

TEST(Redistribute, ATransformThatOneRankCannotHave) {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<double> memory, target(9 * static_cast<std::size_t>(comm.size()), 7.0);
  const DistArray array = rows(comm, memory);
  const Index size = 3 * comm.size();
  const DistArray columns =
      describe(target.data(), {undistributed(size), block(size, {comm.size(), comm.rank()})})
          .on(comm);
  for (int odd = 0; odd < comm.size(); ++odd) {
    Transform transform;
    if (comm.rank() == odd) transform.scale = {0, 1};
    expect_refused_everywhere("redistribute.transform",
                              [&] { redistribute(array, columns, {}, transform); });
    transform.scale = 1;
    if (comm.rank() == odd) transform.keep = 2;
    if (comm.size() > 1)
      expect_different(
          "keep", [&] { redistribute(array, columns, {}, transform); },
          odd == 0 ? "0, and 2 on rank 0" : "2, and 0 on rank 0");
    for (const double value : target) EXPECT_EQ(value, 7.0) << "a failed call changes nothing";
  }
  redistribute({array}, {columns}, comm, {}, {2.0});
  for (const double value : target) EXPECT_EQ(value, 2.0);
}

}  // namespace
}  // namespace daptor::test
