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
  Line<double> list{dealt(size)};

  SparseExhaustion()
      : MaskedOperands(size, Division::all_at(world_size() - 1, size).here(), {2, false}) {
    list.fill(4);
  }

  /// A call that throws has written nothing, on any rank.
  void expect_unwritten(const std::function<void(const Comm&)>& call) {
    const auto before = bytes();
    const auto before_in_list = list.bytes();
    const auto refill_all = [&] {
      refill();
      list.fill(4);
    };
    EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
                try {
                  call(comm);
                } catch (const std::exception&) {
                  const Exhaustion::Pause pause;
                  EXPECT_EQ(bytes(), before);
                  EXPECT_EQ(list.bytes(), before_in_list);
                  refill_all();
                  throw;
                }
                const Exhaustion::Pause pause;
                refill_all();
              }),
              0);
  }
};

TEST_F(SparseExhaustion, Enumerate) {
  expect_unwritten([&](const Comm& comm) { enumerate(target, 0, 1, comm); });
  // The search for runs of a list is over before any rank writes.
  expect_unwritten([&](const Comm& comm) { enumerate(list, 0, 1, comm); });
}

TEST_F(SparseExhaustion, Scans) {
  expect_unwritten([&](const Comm& comm) { scan_copy(source, target, mask, comm); });
  expect_unwritten([&](const Comm& comm) { scan_add(source, target, mask, comm); });
}

TEST_F(SparseExhaustion, PackAndUnpack) {
  expect_unwritten([&](const Comm& comm) { pack(source, mask, few, comm); });
  expect_unwritten([&](const Comm& comm) { unpack(few, mask, target, comm); });
  expect_unwritten([&](const Comm& comm) { packed(source, mask, comm); });
}

/// By a redistribution.
TEST_F(SparseExhaustion, PackAndUnpackOfLists) {
  expect_unwritten([&](const Comm& comm) { pack(source, mask, list, comm); });
  expect_unwritten([&](const Comm& comm) { unpack(list, mask, target, comm); });
}

}  // namespace
