// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "communicator_operations.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/error.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/simulated.hpp"
#include "effort.hpp"

namespace {

using namespace daptor;

/// What run_simulated throws: rule and text.
std::string failure_of(int ranks, const std::function<void(const Comm&)>& body) {
  try {
    run_simulated(ranks, body);
  } catch (const Error& error) {
    return error.rule() + ": " + error.finding().found.str();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TEST(Simulated, EveryRankRunsOnceAndKnowsItself) {
  for (const int ranks : {1, 2, 7, 100}) {
    std::vector<int> calls(static_cast<std::size_t>(ranks));
    run_simulated(ranks, [&](const Comm& comm) {
      EXPECT_EQ(comm.size(), ranks);
      ++calls.at(static_cast<std::size_t>(comm.rank()));
    });
    for (const int count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(Simulated, Operates) {
  for (const int ranks : {1, 2, 3, 5, test::thinned() ? 13 : 64})
    run_simulated(ranks, test::check_operations);
  run_simulated(100, [](const Comm& comm) {
    test::check_reductions(comm);
    test::check_sendrecvs(comm);
  });
}

TEST(Simulated, AnExceptionFailsTheOthersPendingOperationsAndIsRethrown) {
  for (int thrower = 0; thrower < 5; ++thrower) {
    for (int round = 0; round < 3; ++round) {
      int failed = 0;
      const std::string failure = failure_of(5, [&](const Comm& comm) {
        std::int64_t value = 1;
        for (int i = 0; i < 3; ++i) {
          if (comm.rank() == thrower && i == round) throw std::runtime_error("the cause");
          try {
            comm->allreduce(&value, 1, Reduction::sum);
          } catch (const LibraryFailed& error) {
            EXPECT_EQ(error.rule(), "library.simulated");
            EXPECT_EQ(error.finding().found.str(), "rank " + std::to_string(thrower) +
                                                       " threw and takes no part in the operation");
            EXPECT_EQ(i, round);
            ++failed;
            throw;
          }
        }
      });
      EXPECT_EQ(failure, "the cause");
      EXPECT_EQ(failed, 4);
    }
  }
}

TEST(Simulated, TheLowestRankThatThrewIsRethrown) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::string failure = failure_of(6, [](const Comm& comm) {
      std::int64_t value = 1;
      comm->allreduce(&value, 1, Reduction::sum);
      if (comm.rank() >= 2) throw std::runtime_error(std::to_string(comm.rank()));
      comm->allreduce(&value, 1, Reduction::sum);
    });
    ASSERT_EQ(failure, "2");
  }
}

TEST(Simulated, AnEarlyReturnFailsTheOthersPendingOperations) {
  const auto leaves = [](const std::function<void(const Comm&)>& operation) {
    return failure_of(4, [&](const Comm& comm) {
      if (comm.rank() != 2) operation(comm);
    });
  };
  const std::string expected =
      "library.simulated: rank 2 returned and takes no part in the operation";
  EXPECT_EQ(leaves([](const Comm& comm) { comm->exchange({}); }), expected);
  EXPECT_EQ(leaves([](const Comm& comm) { comm->exclusive_sum(1); }), expected);
  EXPECT_EQ(leaves([](const Comm& comm) {
              int value = 0;
              comm->sendrecv(2, &value, sizeof(value), -1, nullptr, 0);
            }),
            expected);
  EXPECT_EQ(leaves([](const Comm& comm) {
              int value = 0;
              comm->sendrecv(-1, nullptr, 0, 2, &value, sizeof(value));
            }),
            expected);
}

TEST(Simulated, ARankMayCatchAndGoOnWithoutHanging) {
  int failed = 0;
  run_simulated(3, [&](const Comm& comm) {
    if (comm.rank() == 0) return;
    for (int i = 0; i < 4; ++i) {
      std::int64_t value = 0;
      try {
        comm->allreduce(&value, 1, Reduction::sum);
      } catch (const LibraryFailed&) {
        ++failed;
      }
    }
    // What needs the living only still works.
    int other = 0;
    const int rank = comm.rank();
    comm->sendrecv(3 - rank, &rank, sizeof(rank), 3 - rank, &other, sizeof(other));
    EXPECT_EQ(other, 3 - rank);
  });
  EXPECT_EQ(failed, 8);
}

TEST(Simulated, RanksThatWaitForEachOtherAreToldSo) {
  EXPECT_EQ(failure_of(3,
                       [](const Comm& comm) {
                         int value = 0;
                         comm->sendrecv(-1, nullptr, 0, (comm.rank() + 1) % 3, &value,
                                        sizeof(value));
                       }),
            "library.simulated: every rank waits for another rank");
  EXPECT_EQ(failure_of(2,
                       [](const Comm& comm) {
                         int value = 0;
                         if (comm.rank() == 0) {
                           comm->broadcast(&value, sizeof(value), 0);
                         } else {
                           comm->sendrecv(-1, nullptr, 0, 0, &value, sizeof(value));
                         }
                       }),
            "library.simulated: every rank waits for another rank");
}

TEST(Simulated, AnAbandonedReceiveTakesNoLaterMessage) {
  int failed = 0;
  run_simulated(2, [&](const Comm& comm) {
    const int rank = comm.rank();
    int value = -1;
    const auto fails = [&](const std::function<void()>& operation) {
      EXPECT_THROW(operation(), LibraryFailed);
      ++failed;
    };
    fails([&] { comm->sendrecv(-1, nullptr, 0, 1 - rank, &value, sizeof(value)); });
    std::int64_t word = 0;
    if (rank == 0) fails([&] { comm->sendrecv(1, &rank, sizeof(rank), -1, nullptr, 0); });
    if (rank == 1) fails([&] { comm->allreduce(&word, 1, Reduction::sum); });
    EXPECT_EQ(value, -1);
  });
  EXPECT_EQ(failed, 4);
}

TEST(Simulated, DifferentOperationsAreRefusedOnAllRanks) {
  const auto refused = [](const std::function<void(const Comm&)>& operation) {
    int failed = 0;
    run_simulated(4, [&](const Comm& comm) {
      try {
        operation(comm);
      } catch (const LibraryFailed&) {
        ++failed;
      }
      std::int64_t value = 1;  // and the communicator is still of use
      comm->allreduce(&value, 1, Reduction::sum);
      EXPECT_EQ(value, 4);
    });
    return failed;
  };
  std::int64_t values[4][4] = {};
  EXPECT_EQ(refused([&](const Comm& comm) {
              comm->allreduce(values[comm.rank()], comm.rank() == 3 ? 2 : 1, Reduction::sum);
            }),
            4);
  EXPECT_EQ(refused([&](const Comm& comm) {
              comm->allreduce(values[comm.rank()], 1,
                              comm.rank() == 0 ? Reduction::min : Reduction::sum);
            }),
            4);
  EXPECT_EQ(refused([&](const Comm& comm) {
              comm->broadcast(values[comm.rank()], 8, comm.rank() == 2 ? 1 : 0);
            }),
            4);
  EXPECT_EQ(refused([&](const Comm& comm) {
              if (comm.rank() == 1) {
                comm->exchange({});
              } else {
                comm->exclusive_sum(1);
              }
            }),
            4);
  EXPECT_EQ(refused([](const Comm& comm) { comm->exchange({{4, {}}}); }), 4);
  EXPECT_EQ(refused([&](const Comm& comm) { comm->broadcast(values[comm.rank()], 8, 4); }), 4);
  EXPECT_EQ(refused([&](const Comm& comm) { comm->sendrecv(4, values, 8, -1, nullptr, 0); }), 4);
  // The receiver's count is not the sender's: both ends are told.
  EXPECT_EQ(refused([&](const Comm& comm) {
              const int rank = comm.rank();
              if (rank == 0) comm->sendrecv(1, values[0], 16, -1, nullptr, 0);
              if (rank == 1) comm->sendrecv(-1, nullptr, 0, 0, values[1], 8);
            }),
            2);
}

TEST(Simulated, RunsInsideRuns) {
  run_simulated(3, [](const Comm& outer) {
    std::int64_t total = 0;
    run_simulated(4, [&](const Comm& inner) {
      std::int64_t value = outer.rank();
      inner->allreduce(&value, 1, Reduction::sum);
      if (inner.rank() == 0) total = value;
    });
    EXPECT_EQ(total, 4 * outer.rank());
    outer->allreduce(&total, 1, Reduction::sum);
    EXPECT_EQ(total, 12);
  });
}

TEST(Simulated, SumsWrapAroundAsInMpi) {
  run_simulated(2, [](const Comm& comm) {
    std::int64_t value = std::numeric_limits<std::int64_t>::max();
    comm->allreduce(&value, 1, Reduction::sum);
    EXPECT_EQ(value, -2);
  });
}

TEST(Simulated, ACommunicatorThatIsLeftIsRefused) {
  std::optional<Comm> left;
  run_simulated(3, [&](const Comm& comm) { left.emplace(comm); });
  EXPECT_EQ(left->size(), 3);
  std::int64_t value = 0;
  EXPECT_THROW((*left)->allreduce(&value, 1, Reduction::sum), LibraryFailed);
  EXPECT_THROW((*left)->sendrecv(-1, nullptr, 0, 0, &value, sizeof value), LibraryFailed);
}

TEST(Simulated, WhatNeedsMpiRefusesTheseRanks) {
  run_simulated(2, [](const Comm& comm) {
    std::vector<double> memory(5);
    const Section array =
        describe(memory.data(), {block(8, {2, comm.rank()}, {4 * comm.rank(), 4 * comm.rank() + 4},
                                       {{comm.rank(), 1 - comm.rank()}, {}})});
    const auto refused = [](auto&& call) {
      try {
        call();
      } catch (const InvalidArgument& error) {
        return error.finding().key;
      }
      return std::string("accepted");
    };
    EXPECT_EQ(refused([&] { HaloExchange(array.on(comm)); }), "comm");
    EXPECT_EQ(refused([&] { update_padding(array.on(comm)); }), "comm");
    EXPECT_EQ(refused([&] { Redistribution(array.on(comm), array.on(comm)); }), "comm");
    EXPECT_EQ(refused([&] { redistribute(array.on(comm), array.on(comm)); }), "comm");
    EXPECT_EQ(refused([&] { comm->mpi(); }), "comm");
    EXPECT_EQ(refused([&] { comm->original(); }), "comm");
    // All ranks are still together.
    require_consistent(array.on(comm));
    EXPECT_EQ(block_dimensions({8}, comm).front().grid().rank, comm.rank());
  });
}

/// Ranks within a rank: each belongs to its own world again after the others have run.
TEST(Simulated, Nested) {
  EXPECT_EQ(detail::simulated_rank(), -1);
  int wrong = 0;
  run_simulated(3, [&](const Comm& outer) {
    const auto within = [&] {
      run_simulated(1 + outer.rank(), [&](const Comm& inner) {
        if (inner.rank() == 0) outer->broadcast(nullptr, 0, 0);
        wrong += detail::simulated_rank() != inner.rank();
        Call(inner, "inner").check();
        wrong += detail::simulated_rank() != inner.rank();
      });
    };
    within();
    wrong += detail::simulated_rank() != outer.rank();
    // Not a message of the outer ranks.
    Call(outer, "outer").check([] {
      run_simulated(2, [](const Comm& inner) { Call(inner, "inner").check(); });
    });
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(detail::simulated_rank(), -1);
}

TEST(Simulated, NeedsARank) {
  EXPECT_THROW(run_simulated(0, [](const Comm&) {}), InvalidArgument);
}

}  // namespace
