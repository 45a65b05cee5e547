// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include "exhausted_memory.hpp"

#include "line.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseExhaustion : public ::testing::Test {
 protected:
  static constexpr Index size = 50;
  Line<double> source{even(size), {2, false}}, target{even(size), {2, false}};
  Line<std::int32_t> mask{even(size)};
  Line<double> few{Division::all_at(world_size() - 1, size).here(), {2, false}};

  void SetUp() override {
    std::vector<int> bits(size, 0);
    for (std::size_t i = 0; i < bits.size(); i += 3) bits[i] = 1;
    mask.set(bits);
    source.fill(1);
    target.fill(2);
    few.fill(3);
  }
};

TEST_F(SparseExhaustion, Enumerate) {
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { enumerate(target, 0, 1, comm); }), 0);
}

/// The search for runs of a list is over before any rank writes.
TEST_F(SparseExhaustion, EnumerateWritesNothingBeforeAllRanksHaveTheirMemory) {
  Line<double> list{dealt(size)};
  list.fill(4);
  const auto before = list.bytes();
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              try {
                enumerate(list, 0, 1, comm);
              } catch (const std::exception&) {
                const Exhaustion::Pause pause;
                EXPECT_EQ(list.bytes(), before);
                list.fill(4);
                throw;
              }
              const Exhaustion::Pause pause;
              list.fill(4);
            }),
            0);
}

TEST_F(SparseExhaustion, Scans) {
  EXPECT_GT(
      expect_exhaustion_agreed([&](const Comm& comm) { scan_copy(source, target, mask, comm); }),
      0);
  EXPECT_GT(
      expect_exhaustion_agreed([&](const Comm& comm) { scan_add(source, target, mask, comm); }), 0);
}

TEST_F(SparseExhaustion, PackAndUnpack) {
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { pack(source, mask, few, comm); }), 0);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { unpack(few, mask, target, comm); }),
            0);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { packed(source, mask, comm); }), 0);
}

}  // namespace
