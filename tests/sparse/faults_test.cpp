// SPDX-License-Identifier: BSD-3-Clause
// A rank that fails in the middle of an operation, and ranks in different operations.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "everywhere.hpp"
#include "line.hpp"
#include "mixed_calls.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseFaults : public ::testing::Test, protected MaskedOperands {
 protected:
  static constexpr Index size = 31;

  SparseFaults() : MaskedOperands(size, Division::all_at(0, size).here(), {2, false}) {}

  static void expect(const std::set<std::string>& points, const std::function<void()>& call) {
    Faults().expect_agreed_at(points, call);
  }
  /// Faults at these points leave all arrays as they are.
  void expect_faults_write_nothing(const std::vector<std::string>& points,
                                   const std::function<void()>& call) {
    const auto before = bytes();
    for (const std::string& point : points) {
      expect_faults_agreed(point, call);
      EXPECT_EQ(bytes(), before) << point;
    }
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

TEST_F(SparseFaults, NothingIsWrittenBeforeTheLastPoint) {
  std::vector<std::string> packing{"core.pack.check", "core.pack.mask"};
  const auto with = [](std::vector<std::string> points, const std::vector<std::string>& more) {
    points.insert(points.end(), more.begin(), more.end());
    return points;
  };
  std::vector<std::string> blocks = with(packing, {"core.sparse.traffic"});
  if (world_size() > 1)
    blocks = with(blocks, {"core.sparse.owners", "core.sparse.tell", "core.sparse.told"});
  expect_faults_write_nothing(blocks, [&] { pack(source, mask, few, MPI_COMM_WORLD); });
  expect_faults_write_nothing(blocks, [&] { unpack(few, mask, target, MPI_COMM_WORLD); });
  expect_faults_write_nothing(with(packing, {"core.sparse.deliver"}),
                              [&] { pack(source, mask, list, MPI_COMM_WORLD); });
  expect_faults_write_nothing(with(packing, {"core.sparse.fetch"}),
                              [&] { unpack(list, mask, target, MPI_COMM_WORLD); });
  for (const DistArray* each : {&target.array(), &list.array()})
    expect_faults_write_nothing({"core.enumerate.check"},
                                [&] { enumerate(*each, 0, 1, MPI_COMM_WORLD); });
  expect_faults_write_nothing({"core.scan.check"},
                              [&] { scan_copy(source, target, mask, MPI_COMM_WORLD); });
  expect_faults_write_nothing({"core.scan.check"},
                              [&] { scan_add(source, target, mask, MPI_COMM_WORLD); });
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
