// SPDX-License-Identifier: BSD-3-Clause
// What a failed call leaves behind: nothing, and the program's own arrays as they were.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <daptor/builders.hpp>

#include "arrays.hpp"

namespace {

/// The communicators that MPI_Comm_split has made in this program and that have not been freed.
std::set<MPI_Comm>& split_communicators() {
  static std::set<MPI_Comm> communicators;
  return communicators;
}

}  // namespace

// MPI's profiling interface: the program's own definitions of these functions are called.
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const int code = PMPI_Comm_split(comm, color, key, made);
  if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) split_communicators().insert(*made);
  return code;
}
int MPI_Comm_free(MPI_Comm* comm) {
  split_communicators().erase(*comm);
  return PMPI_Comm_free(comm);
}

namespace daptor::ga::test {
namespace {

using daptor::test::Faults;

DistArray some_blocks() {
  return allocate<double>({block(23, {world_size(), world_rank()})}).on(world());
}

/// Makes arrays until one has the handle 0: GA counts from -1000 on.
std::vector<std::unique_ptr<OwnedGlobalArray>> arrays_up_to_number_0() {
  std::vector<std::unique_ptr<OwnedGlobalArray>> arrays;
  do {
    arrays.push_back(std::make_unique<OwnedGlobalArray>(Numbers{1}, nullptr, C_INT, false));
  } while (arrays.back()->handle() < 0);
  return arrays;
}

TEST(Failures, AnExportThatOneRankCouldNotKeepIsMadeAnew) {
  for (const auto& restricted :
       {std::function<void(int)>(), restricted_to(every_second_process())}) {
    std::optional<OwnedGlobalArray> made;
    Faults().expect_agreed(
        [&] {
          made.reset();
          made.emplace(Numbers{4 * world_size(), 10}, restricted);
          export_array(made->handle());
        },
        [&] { expect_exported(*made); });
  }
}

TEST(Failures, TheCommunicatorOfAFailedExportIsFreed) {
  const std::size_t before = split_communicators().size();
  {
    std::optional<OwnedGlobalArray> made;
    std::size_t with_array = 0;
    Faults().expect_agreed(
        [&] {
          made.reset();
          made.emplace(Numbers{8, 10}, restricted_to(every_second_process()));
          with_array = split_communicators().size();
          export_array(made->handle());
        },
        [&] { EXPECT_EQ(split_communicators().size(), with_array); });
    EXPECT_EQ(split_communicators().size() - with_array,
              world_size() > 1 && in_every_second_process() ? 1U : 0U);
  }
  EXPECT_EQ(split_communicators().size(), before);
}

/// One test, because a thousand arrays take seconds.
TEST(Failures, ACopyThatFailsLeavesTheProgramsArrayNumber0AndALaterCopyMayBeIt) {
  const auto arrays = arrays_up_to_number_0();
  ASSERT_EQ(arrays.back()->handle(), 0);
  const DistArray array = some_blocks();
  Faults().expect_agreed([&] { copy_to_array(array); }, [] { EXPECT_NE(GA_Valid_handle(0), 0); });
  GA_Set_memory_limit(0);
  expect_refused_everywhere<LibraryFailed>("library.ga", [&] { copy_to_array(array); });
  GA_Set_memory_limit(static_cast<std::size_t>(-1));  // none
  EXPECT_NE(GA_Valid_handle(0), 0);

  arrays.back()->destroy();
  {
    const Array copy = copy_to_array(some_blocks());
    EXPECT_EQ(copy.handle(), 0);
    EXPECT_NE(GA_Valid_handle(0), 0);
  }
  EXPECT_EQ(GA_Valid_handle(0), 0);
}

}  // namespace
}  // namespace daptor::ga::test
