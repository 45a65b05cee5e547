// SPDX-License-Identifier: BSD-3-Clause
// MPI fails in the middle of an exchange: the error is thrown, the memory is released, and no
// message of the exchange is taken for one of another exchange.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

#include "failing_mpi.hpp"

extern "C" int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const int code = PMPI_Waitall(count, requests, statuses);
  return daptor::test::fails(daptor::test::failing.wait) ? MPI_ERR_OTHER : code;
}

namespace {

using namespace daptor;
using namespace daptor::test;

class MpiFault : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto state = std::make_shared<SharedState>(std::make_unique<Counting>(open));
    const BlockPadding ring({1, 1}, {}, true);
    array = std::make_unique<DistArray>(
        Section(protocol_0_9,
                Buffer(DataType::of<double>(), {6}, {sizeof(double)}, memory.data(), false, state),
                {block(4 * ranks, {ranks, rank}, ring)}),
        MPI_COMM_WORLD);
  }
  void fill() {
    memory.fill(-1);
    for (int i = 1; i <= 4; ++i) memory[static_cast<std::size_t>(i)] = 4 * rank + i - 1;
  }
  void expect_usable_anew() {
    fill();
    HaloExchange(*array).update();
    EXPECT_EQ(memory[0], (4 * rank - 1 + 4 * ranks) % (4 * ranks));
    EXPECT_EQ(memory[5], (4 * rank + 4) % (4 * ranks));
  }
  template <class Call>
  static std::string rule_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.rule();
    }
    return "nothing";
  }

  int rank = 0, ranks = 1, open = 0;
  std::array<double, 6> memory{};
  std::unique_ptr<DistArray> array;
};

TEST_F(MpiFault, WhileMessagesAreSent) {
  if (ranks == 1) return;
  for (const bool back : {false, true}) {
    HaloExchange one(*array);
    failing.send = 0;
    EXPECT_EQ(rule_of([&] { back ? one.begin_accumulate(Combine::sum) : one.begin(); }),
              "library.mpi");
    EXPECT_FALSE(one.in_flight());
    EXPECT_EQ(open, 0);
    EXPECT_EQ(rule_of([&] { one.update(); }), "halo.failed");
    EXPECT_EQ(rule_of([&] { one.rebind(*array); }), "halo.failed");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_usable_anew();
}

TEST_F(MpiFault, WhileMessagesAreAwaited) {
  if (ranks == 1) return;
  for (const bool back : {false, true}) {
    HaloExchange one(*array);
    back ? one.begin_accumulate(Combine::sum) : one.begin();
    EXPECT_EQ(open, 1);
    failing.wait = 0;
    EXPECT_EQ(rule_of([&] { one.end(); }), "library.mpi");
    EXPECT_EQ(open, 0);
    EXPECT_EQ(rule_of([&] { one.begin(); }), "halo.failed");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_usable_anew();
}

}  // namespace
