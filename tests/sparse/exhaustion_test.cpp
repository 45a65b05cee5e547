// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks, and nothing has
// been written.

#include "exhausted_memory.hpp"

#include <functional>
#include <vector>

#include "line.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseExhaustion : public ::testing::Test, protected MaskedOperands {
 protected:
  static constexpr Index size = 50;

  SparseExhaustion()
      : MaskedOperands(size, Division::all_at(world_size() - 1, size).here(), {2, false}) {}

  /// Memory that runs out at any allocation of the call: it throws and has written nothing, on all
  /// ranks.
  void expect_exhaustion_writes_nothing(const std::function<void(const Comm&)>& call) {
    const auto before = bytes();
    EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
                try {
                  call(comm);
                } catch (const std::exception&) {
                  const Exhaustion::Pause pause;
                  EXPECT_EQ(bytes(), before);
                  refill();
                  throw;
                }
                const Exhaustion::Pause pause;
                refill();
              }),
              0);
  }
};

TEST_F(SparseExhaustion, Enumerate) {
  expect_exhaustion_writes_nothing([&](const Comm& comm) { enumerate(target.on(comm), 0, 1); });
  // The search for runs of a list is over before any rank writes.
  expect_exhaustion_writes_nothing([&](const Comm& comm) { enumerate(list.on(comm), 0, 1); });
}

TEST_F(SparseExhaustion, Scans) {
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { scan_copy(source.on(comm), target.on(comm), mask.on(comm)); });
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { scan_add(source.on(comm), target.on(comm), mask.on(comm)); });
}

TEST_F(SparseExhaustion, PackAndUnpack) {
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { pack(source.on(comm), mask.on(comm), few.on(comm)); });
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { unpack(few.on(comm), mask.on(comm), target.on(comm)); });
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { packed(source.on(comm), mask.on(comm)); });
}

/// By a redistribution.
TEST_F(SparseExhaustion, PackAndUnpackOfLists) {
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { pack(source.on(comm), mask.on(comm), list.on(comm)); });
  expect_exhaustion_writes_nothing(
      [&](const Comm& comm) { unpack(list.on(comm), mask.on(comm), target.on(comm)); });
}

}  // namespace
