// SPDX-License-Identifier: BSD-3-Clause
// A rank that fails in the middle of an operation, and ranks in different operations.

#include <set>
#include <string>

#include "everywhere.hpp"
#include "line.hpp"
#include "mixed_calls.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseFaults : public ::testing::Test {
 protected:
  static constexpr Index size = 31;
  Line<double> source{even(size), {2, false}}, target{even(size), {2, false}};
  Line<double> few{Division::all_at(0, size).here()}, list{dealt(size)};
  Line<std::int32_t> mask{even(size)};

  void SetUp() override {
    std::vector<int> bits(size, 0);
    for (std::size_t i = 0; i < bits.size(); i += 4) bits[i] = 1;
    mask.set(bits);
    source.fill(1);
    target.fill(2);
    few.fill(3);
    list.fill(4);
  }
  static void expect(const std::set<std::string>& expected, const std::function<void()>& call) {
    const auto passed = Faults().expect_agreed(call);
    for (const std::string& point : expected) EXPECT_EQ(passed.count(point), 1u) << point;
  }
};

TEST_F(SparseFaults, EachPointOfEachOperation) {
  expect({"core.enumerate.check", "core.enumerate.close"},
         [&] { enumerate(target, 0, 1, MPI_COMM_WORLD); });
  expect({"core.scan.check", "core.scan.close"},
         [&] { scan_add(source, target, mask, MPI_COMM_WORLD); });
  expect({"core.pack.check", "core.pack.mask", "core.sparse.traffic", "core.pack.close"},
         [&] { pack(source, mask, few, MPI_COMM_WORLD); });
  expect({"core.pack.check", "core.pack.mask", "core.sparse.traffic", "core.pack.close"},
         [&] { unpack(few, mask, target, MPI_COMM_WORLD); });
  expect({"core.sparse.deliver"}, [&] { pack(source, mask, list, MPI_COMM_WORLD); });
  expect({"core.sparse.fetch"}, [&] { unpack(list, mask, target, MPI_COMM_WORLD); });
  expect({"core.packed.allocate"}, [&] { packed(source, mask, MPI_COMM_WORLD); });
}

/// Before the last point nothing has been written.
TEST_F(SparseFaults, NothingIsWrittenBeforeTheLastPoint) {
  const auto before = target.bytes();
  const auto fronts = few.bytes();
  for (const char* point : {"core.pack.check", "core.pack.mask", "core.sparse.traffic"})
    expect_faults_agreed(point, [&] { pack(source, mask, few, MPI_COMM_WORLD); });
  for (const char* point : {"core.pack.check", "core.pack.mask", "core.sparse.traffic"})
    expect_faults_agreed(point, [&] { unpack(few, mask, target, MPI_COMM_WORLD); });
  expect_faults_agreed("core.scan.check", [&] { scan_copy(source, target, mask, MPI_COMM_WORLD); });
  EXPECT_EQ(target.bytes(), before);
  EXPECT_EQ(few.bytes(), fronts);
}

TEST_F(SparseFaults, RanksInDifferentOperations) {
  if (world_size() > 4) return;
  expect_no_mixing({{"enumerate", [&] { enumerate(target, 0, 1, MPI_COMM_WORLD); }},
                    {"scan_copy", [&] { scan_copy(source, target, mask, MPI_COMM_WORLD); }},
                    {"scan_add", [&] { scan_add(source, target, mask, MPI_COMM_WORLD); }},
                    {"scan", [&] { scan(source, target, mask, ScanBy::max, MPI_COMM_WORLD); }},
                    {"pack", [&] { pack(source, mask, few, MPI_COMM_WORLD); }},
                    {"unpack", [&] { unpack(few, mask, target, MPI_COMM_WORLD); }},
                    {"packed", [&] { packed(source, mask, MPI_COMM_WORLD); }}});
}

}  // namespace
