// SPDX-License-Identifier: BSD-3-Clause
// Collective calls of another library that may fail on all ranks (`Call::library` with Patience).

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using test::expect_refused_everywhere;

int last_rank() {
  return test::world_size() - 1;
}

/// A failed test must end the job, and not wait.
constexpr Patience patience{std::chrono::seconds(20)};

/// A call that makes no more than one thing, which cannot be copied.
template <class F>
std::unique_ptr<int> make_tile(F&& body) {
  const Comm comm(MPI_COMM_WORLD);
  Call call(comm, "make_tile");
  call.check();
  return call.library("tiles", "tile_make", patience, [&] {
    MPI_Barrier(MPI_COMM_WORLD);
    body(comm.rank());
    return std::make_unique<int>(comm.rank());
  });
}

TEST(Library, ACallThatWorksReturnsWhatItHasMade) {
  EXPECT_EQ(*make_tile([](int) {}), test::world_rank());
}

TEST(Library, AFailureOnAllRanksIsTheErrorOfTheLowest) {
  const std::string error = expect_refused_everywhere<LibraryFailed>(
      "library.tiles",
      [] {
        make_tile([](int rank) { throw std::runtime_error("no room on " + std::to_string(rank)); });
      },
      0);
  EXPECT_NE(error.find("tile_make"), std::string::npos) << error;
  EXPECT_NE(error.find("no room on 0"), std::string::npos) << error;
  // What is no std::exception, and Daptor's own error, which stays what it is.
  expect_refused_everywhere<LibraryFailed>("library.tiles",
                                           [] { make_tile([](int) { throw 7; }); });
  const std::string refusal = expect_refused_everywhere<InvalidArgument>(
      "argument", [] { make_tile([](int) { throw InvalidArgument("size", "0", "at least 1"); }); });
  EXPECT_NE(refusal.find("'size'"), std::string::npos) << refusal;
}

TEST(Library, AFailureOnOneRankIsTheErrorOfAllIfTheOthersReturn) {
  // The others come at once, or after a while, in which the failed rank waits for them.
  for (const auto delay : {std::chrono::milliseconds(0), std::chrono::milliseconds(50)}) {
    const std::string error = expect_refused_everywhere<LibraryFailed>(
        "library.tiles",
        [&] {
          make_tile([&](int rank) {
            if (rank == last_rank()) throw std::runtime_error("no room");
            std::this_thread::sleep_for(delay);
          });
        },
        last_rank());
    EXPECT_NE(error.find("no room"), std::string::npos) << error;
  }
  EXPECT_EQ(*make_tile([](int) {}), test::world_rank()) << "after the errors";
}

TEST(Library, ACallWithoutResultSettlesWhatWasSaid) {
  const Comm comm(MPI_COMM_WORLD);
  Call call(comm, "paint");
  call.check();
  Agreed<std::int64_t> least;
  call.library("tiles", "tile_paint", patience, [&] { least = call.least(comm.rank() + 3); });
  EXPECT_EQ(least, 3);
}

}  // namespace
}  // namespace daptor
