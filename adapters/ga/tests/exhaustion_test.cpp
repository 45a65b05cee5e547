// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "exhausted_memory.hpp"

#include <daptor/builders.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

using daptor::test::Exhaustion;
using daptor::test::expect_exhaustion_agreed;

/// A Global Array that is made and destroyed while no allocation fails.
class UnfailinglyMade {
 public:
  explicit UnfailinglyMade(const Numbers& shape, const std::function<void(int)>& set) {
    const Exhaustion::Pause pause;
    made_.emplace(shape, set);
  }
  UnfailinglyMade(const UnfailinglyMade&) = delete;
  UnfailinglyMade& operator=(const UnfailinglyMade&) = delete;
  ~UnfailinglyMade() {
    const Exhaustion::Pause pause;
    made_.reset();
  }
  int handle() const { return made_->handle(); }

 private:
  std::optional<Made> made_;
};

/// The first export, and one that was known.
void expect_exports_agreed(const Numbers& shape, const std::function<void(int)>& set = {}) {
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              const UnfailinglyMade made(shape, set);
              export_array(made.handle(), comm);
              export_array(made.handle(), comm);
            }),
            0);
}

TEST(Exhaustion, WhileAnArrayIsExported) {
  expect_exports_agreed({2});  // fewer indices than processes
  Numbers widths{1, 2}, blocks{3, 2}, grid = square_grid(world_size());
  expect_exports_agreed({16, 10}, [&](int handle) { GA_Set_ghosts(handle, widths.data()); });
  expect_exports_agreed({16, 10}, [&](int handle) {
    GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
  });
}

TEST(Exhaustion, WhileAnArrayIsCopied) {
  const DistArray array = allocate<double>(
      {block(5 * world_size(), {world_size(), world_rank()}, BlockPadding({1, 1}, {}, true))});
  const auto copy = [&](const Comm& comm) {
    try {
      copy_to_array(array, comm);
    } catch (const std::exception&) {
      // Ranks that are not MPI's own have no redistributions: it is thrown anyway. What counts is
      // that no rank waits for another.
    }
  };
  const auto points = daptor::test::points_of(
      [&] { copy(Comm(std::make_shared<daptor::test::UnfailingCommunicator>(world()))); });
  EXPECT_EQ(points.count("ga.copy_to_array.sides"), 1U) << "thrown before its last agreement";
  EXPECT_GT(expect_exhaustion_agreed(copy), 0);
}

}  // namespace
}  // namespace daptor::ga::test
