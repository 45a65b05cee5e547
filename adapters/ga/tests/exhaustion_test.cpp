// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include <functional>
#include <memory>

#include "exhausted_memory.hpp"

#include <daptor/builders.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

using daptor::test::Exhaustion;
using daptor::test::expect_exhaustion_agreed;

/// A Global Array; no allocation fails while it is made.
std::unique_ptr<OwnedGlobalArray> make(const Numbers& shape,
                                       const std::function<void(int)>& set = {}) {
  const Exhaustion::Pause pause;
  return std::make_unique<OwnedGlobalArray>(shape, set);
}

/// The first export, and one that was known.
void expect_exports_agreed(const Numbers& shape, const std::function<void(int)>& set = {}) {
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              const auto made = make(shape, set);
              export_array(made->handle(), comm);
              export_array(made->handle(), comm);
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

TEST(Exhaustion, WhileAnArrayIsImported) {
  const auto made = make({4 * world_size(), 3});
  const DistArray array = export_array(made->handle());
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { import_array(array.on(comm)); }), 0);
}

// GA's own calls know nothing of errors: what the adapter does within them needs no memory.
TEST(Exhaustion, WhileArraysEnd) {
  auto destroyed = make({4 * world_size()});
  auto changed = make({4 * world_size()});
  export_array(changed->handle());
  char property[] = "read_only";
  // Neither the first end of a handle nor a property asks for memory.
  Exhaustion::begin(0);
  destroyed->destroy();
  GA_Set_property(changed->handle(), property);
  GA_Unset_property(changed->handle());
  GA_Deallocate(changed->handle());
  EXPECT_FALSE(Exhaustion::end());
  GA_Allocate(changed->handle());  // which GA_Destroy asks for
}

TEST(Exhaustion, WhileAnArrayIsCopied) {
  const DistArray array =
      allocate<double>({block(5 * world_size(), {world_size(), world_rank()})}).on(world());
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { copy_to_array(array.on(comm)); }), 0);
}

// A copy with ghost cells, which are then exchanged.
TEST(Exhaustion, FaultsWhileGhostCellsAreCopied) {
  const DistArray array = allocate<double>({block(5 * world_size(), {world_size(), world_rank()},
                                                  BlockPadding({1, 1}, {}, true))})
                              .on(world());
  daptor::test::Faults().expect_agreed([&] { copy_to_array(array); });
}

}  // namespace
}  // namespace daptor::ga::test
