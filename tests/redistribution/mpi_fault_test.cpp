// SPDX-License-Identifier: BSD-3-Clause
// MPI fails in the middle of a redistribution: the error is thrown, the memory is released, and no
// message of it is taken for one of another.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <daptor/daptor.hpp>

#include "everywhere.hpp"
#include "failing_mpi.hpp"

// The first test for received messages, on every rank; later ones may wait for a rank that has
// failed.
extern "C" int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status) {
  const int code = PMPI_Testany(count, requests, index, flag, status);
  return daptor::test::fails(daptor::test::failing.wait) ? MPI_ERR_OTHER : code;
}

extern "C" int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const int code = PMPI_Waitany(count, requests, index, status);
  return daptor::test::fails(daptor::test::failing.wait) ? MPI_ERR_OTHER : code;
}

namespace {

using namespace daptor;
using namespace daptor::test;

class RedistributionFault : public ::testing::Test {
 protected:
  DistArray array(std::vector<double>& memory, const Dimension& dimension) {
    memory.assign(static_cast<std::size_t>(dimension.local_extent()), world_rank());
    const auto state = std::make_shared<SharedState>(std::make_unique<Counting>(open));
    const Section section(protocol_0_9,
                          Buffer(DataType::of<double>(), {dimension.local_extent()},
                                 {sizeof(double)}, memory.data(), false, state),
                          {dimension});
    return section.on(MPI_COMM_WORLD);
  }
  void expect_usable_anew() {
    MPI_Barrier(MPI_COMM_WORLD);
    redistribute(source, target);
    const LocalIndexMap map(target);
    for (Index i = 0; i < target.local_count(); ++i) {
      const Index owner = map.global_of({i})[0] / size;
      EXPECT_EQ(to[static_cast<std::size_t>(i)], static_cast<double>(owner));
    }
    EXPECT_EQ(open, 0);
  }

  static constexpr Index size = 100 * 1000;  // more than the smallest buffers hold
  const GridPosition here{world_size(), world_rank()};
  int open = 0;
  std::vector<double> from, to;
  const DistArray source = array(from, block(size* world_size(), here));
  const DistArray target = array(to, cyclic(size* world_size(), here, 3));
  RedistributionOptions options = [] {
    RedistributionOptions small;
    small.buffer_bytes = 1;
    return small;
  }();
};

TEST_F(RedistributionFault, WhileTheFirstChunksAreSent) {
  if (world_size() == 1) return;
  for (const bool back : {false, true}) {
    Redistribution one(source, target, options);
    one.run_back();
    failing.send = 0;
    expect_refused("library.mpi", [&] { back ? one.begin_back() : one.begin(); });
    EXPECT_FALSE(one.in_flight());
    EXPECT_EQ(open, 0);
    expect_refused("redistribute.failed", [&] { one.run(); });
    expect_refused("redistribute.failed", [&] { one.run_back(); });
    expect_refused("redistribute.failed", [&] { one.rebind(source, target); });
    from.assign(from.size(), world_rank());
  }
  expect_usable_anew();
}

TEST_F(RedistributionFault, WhileChunksAreAwaited) {
  if (world_size() == 1) return;
  Redistribution one(source, target, options);
  one.begin();
  EXPECT_EQ(open, 2);
  failing.wait = 0;
  expect_refused("library.mpi", [&] { one.end(); });
  EXPECT_EQ(open, 0);
  expect_refused("redistribute.failed", [&] { one.begin(); });
  expect_usable_anew();
}

}  // namespace
