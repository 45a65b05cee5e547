// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/call.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "counting_communicator.hpp"
#include "daptor/error.hpp"
#include "daptor/simulated.hpp"
#include "everywhere.hpp"
#include "world_comm.hpp"

namespace daptor {
namespace {

using test::CountingCommunicator;
using test::expect_same_everywhere;
using test::world;

Finding finding(const char* rule, const std::string& found = "this") {
  Finding one = error_finding(rule, 2, "key", found, "that", "Mend it.");
  one.copy = {"f", {{"read_from_any", "true"}}, "f(a, true)"};
  return one;
}

/// What each rank throws if the ranks for which `at_fault` holds throw by calling `fail`.
std::unique_ptr<Error> thrown(const std::function<bool(int)>& at_fault,
                              const std::function<void(int)>& fail) {
  std::unique_ptr<Error> caught;
  try {
    Call(world(), "agree").check([&] {
      if (at_fault(world().rank())) fail(world().rank());
    });
  } catch (const Malformed& error) {
    caught = std::make_unique<Malformed>(error);
  } catch (const Unsupported& error) {
    caught = std::make_unique<Unsupported>(error);
  } catch (const NotRepresentable& error) {
    caught = std::make_unique<NotRepresentable>(error);
  } catch (const ProducerFailed& error) {
    caught = std::make_unique<ProducerFailed>(error);
  } catch (const LibraryFailed& error) {
    caught = std::make_unique<LibraryFailed>(error);
  } catch (const Finalized& error) {
    caught = std::make_unique<Finalized>(error);
  } catch (const Stale& error) {
    caught = std::make_unique<Stale>(error);
  } catch (const InvalidArgument& error) {
    caught = std::make_unique<InvalidArgument>(error);
  }
  EXPECT_NE(caught, nullptr) << "every rank throws, and only Daptor's errors";
  if (caught) {
    expect_same_everywhere(caught->what());
    expect_same_everywhere(std::to_string(static_cast<int>(caught->kind())));
    std::string report;
    for (const Finding& one : caught->report().findings()) report += to_string(one) + '\n';
    expect_same_everywhere(report);
  }
  return caught;
}

std::unique_ptr<Error> thrown_on(int rank, const std::function<void(int)>& fail) {
  return thrown([rank](int mine) { return mine == rank; }, fail);
}

TEST(Agree, ReturnsWhereNobodyIsAtFault) {
  Call(world(), "agree").check();
  int runs = 0;
  Call(world(), "agree").check([&] { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(Call(world(), "agree").check([] { return world().rank() + 1; }), world().rank() + 1);
  const auto moved = Call(world(), "agree").check([] { return std::make_unique<int>(7); });
  EXPECT_EQ(*moved, 7) << "results need not be copied";
}

TEST(Agree, EveryClassFromEveryRank) {
  for (int rank = 0; rank < world().size(); ++rank) {
    for (int kind = 1; kind <= 8; ++kind) {
      const auto error = thrown_on(rank, [&](int) {
        throw_error(static_cast<ErrorKind>(kind), Report({finding("B04"), finding("B02")}));
      });
      ASSERT_NE(error, nullptr);
      EXPECT_EQ(static_cast<int>(error->kind()), kind);
      EXPECT_EQ(error->rule(), "B04");
      EXPECT_EQ(error->rank(), rank) << "named, though the finding did not";
      ASSERT_EQ(error->report().findings().size(), 2U);
      const Finding& second = error->report().findings()[1];
      EXPECT_EQ(second.rule, "B02");
      EXPECT_EQ(second.ranks, std::vector<int>{rank});
      EXPECT_EQ(second.rank_count, 1);
      EXPECT_EQ(second.dimension, 2);
      EXPECT_EQ(second.key, "key");
      EXPECT_EQ(second.expected, "that");
      EXPECT_EQ(second.remedy, "Mend it.");
      EXPECT_EQ(second.copy, finding("B02").copy);
    }
  }
}

TEST(Agree, ForeignExceptionsBecomeLibraryFailed) {
  for (int rank = 0; rank < world().size(); ++rank) {
    const auto runtime = thrown_on(rank, [](int) { throw std::runtime_error("text of its own"); });
    EXPECT_EQ(runtime->kind(), ErrorKind::library_failed);
    EXPECT_EQ(runtime->rule(), "library.c++");
    EXPECT_EQ(runtime->finding().found, "text of its own");
    EXPECT_EQ(runtime->rank(), rank);
    const auto memory = thrown_on(rank, [](int) { throw std::bad_alloc(); });
    EXPECT_EQ(memory->finding().found, std::bad_alloc().what());
    const auto odd = thrown_on(rank, [](int) { throw 42; });
    EXPECT_EQ(odd->finding().found, "an exception of unknown type");
  }
}

TEST(Agree, TheLowestRankDecides) {
  const int size = world().size();
  for (int lowest = 0; lowest < size; ++lowest) {
    const auto error = thrown([&](int rank) { return rank >= lowest && (rank - lowest) % 2 == 0; },
                              [](int rank) {
                                if (rank % 2 == 0) throw Malformed(finding("B04"));
                                throw Stale("another pointer", "Export it again.");
                              });
    EXPECT_EQ(error->rank(), lowest);
    EXPECT_EQ(error->kind(), lowest % 2 == 0 ? ErrorKind::malformed : ErrorKind::stale);
  }
  const auto all = thrown([](int) { return true; },
                          [](int rank) { throw Malformed(finding("B04", std::to_string(rank))); });
  EXPECT_EQ(all->finding().found, "0");
}

TEST(Agree, FindingsThatNameRanksKeepThem) {
  Finding named = finding("D10");
  named.ranks = {4, 7};
  named.rank_count = 2;
  const auto error = thrown_on(world().size() - 1, [&](int) { throw Malformed(named); });
  EXPECT_EQ(error->finding(), named);

  Finding crowd = finding("D10");
  for (int rank = 0; rank < 1000; ++rank) crowd.ranks.push_back(rank);
  crowd.rank_count = 1000;
  const auto cut = thrown_on(0, [&](int) { throw Malformed(crowd); });
  EXPECT_EQ(cut->finding().ranks, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(cut->finding().rank_count, 1000);
}

TEST(Agree, WarningsStayWarnings) {
  Finding warning = finding("A03");
  warning.severity = Severity::warning;
  const auto error = thrown_on(0, [&](int) { throw Malformed(Report({warning, finding("B04")})); });
  EXPECT_EQ(error->rule(), "B04");
  ASSERT_EQ(error->report().findings().size(), 2U);
  EXPECT_EQ(error->report().findings()[1].severity, Severity::warning);
}

TEST(Agree, LongTextsAreCutBetweenCharacters) {
  std::string accents;
  for (int i = 0; i < 100000; ++i) accents += "\xc3\xa9";
  for (const std::string& shift : {std::string(), std::string("x")}) {
    const auto error = thrown_on(0, [&](int) { throw Malformed(finding("B04", shift + accents)); });
    const std::string& found = error->finding().found.str();
    EXPECT_GT(found.size(), 1000U);
    EXPECT_LT(found.size(), 4000U);
    EXPECT_EQ(found.substr(found.size() - 5), "\xc3\xa9...");
    EXPECT_EQ(error->finding().remedy.str(), "Mend it.") << "what comes after it still fits";
  }
  const auto runtime =
      thrown_on(0, [&](int) { throw std::runtime_error(std::string(1 << 20, 'x')); });
  EXPECT_LT(runtime->finding().found.str().size(), 4000U);
}

TEST(Agree, AllTextsOfAFindingMayBeLong) {
  const std::string text(50000, 'x');
  const auto error = thrown_on(world().size() - 1, [&](int) {
    throw Malformed(Report({error_finding(text, 1, text, text, text, text), finding("B04")}));
  });
  EXPECT_EQ(error->finding().dimension, 1);
  EXPECT_FALSE(error->finding().remedy.str().empty()) << "the first finding always fits";
}

TEST(Agree, AsManyFindingsAsFit) {
  std::vector<Finding> findings;
  for (int i = 0; i < 10000; ++i) findings.push_back(finding("B04", std::to_string(i)));
  const auto error = thrown_on(0, [&](int) { throw Malformed(Report(findings)); });
  const auto& received = error->report().findings();
  ASSERT_GT(received.size(), 50U);
  ASSERT_LT(received.size(), 10000U);
  for (std::size_t i = 0; i < received.size(); ++i)
    EXPECT_EQ(received[i].found, std::to_string(i)) << "the first ones, in order";
}

TEST(Agree, AnErrorWithoutAFindingHasOne) {
  const auto error = thrown_on(world().size() - 1, [](int) { throw Malformed(Report()); });
  EXPECT_EQ(error->rule(), "unknown");
  EXPECT_EQ(error->rank(), world().size() - 1);
}

TEST(Agree, CostsOneReductionAndOneBroadcastMore) {
  const CountingCommunicator quiet(world());
  Call(quiet, "agree").check();
  EXPECT_EQ(quiet.traffic.calls(), 1);
  EXPECT_EQ(quiet.traffic.collective_bytes, 256U);
  const CountingCommunicator loud(world());
  EXPECT_THROW(Call(loud, "agree").check([] { throw Malformed(finding("B04")); }), Malformed);
  EXPECT_EQ(loud.traffic.calls(), 2);
  EXPECT_LE(loud.traffic.collective_bytes, 256U + 2048U) << "a short error";
}

/// The part of an error that does not fit into the head follows in a second broadcast.
TEST(Agree, ALongErrorIsSentInTwoParts) {
  const CountingCommunicator loud(world());
  const Finding long_one = error_finding("B04", -1, "", std::string(1000, 'a'),
                                         std::string(1000, 'b'), std::string(1000, 'c'));
  try {
    Call(loud, "agree").check([&] { throw Malformed(long_one); });
    FAIL() << "no error";
  } catch (const Malformed& error) {
    EXPECT_EQ(error.finding().remedy, std::string(1000, 'c'));
  }
  EXPECT_EQ(loud.traffic.broadcasts, 2);
  EXPECT_LE(loud.traffic.collective_bytes, 256U + 4096U);
}

TEST(Agree, ManyInARow) {
  for (int round = 0; round < 200; ++round) {
    const int at_fault = round % (world().size() + 1);
    try {
      Call(world(), "agree").check([&] {
        if (world().rank() == at_fault) throw Malformed(finding("B04", std::to_string(round)));
      });
      EXPECT_EQ(at_fault, world().size());
    } catch (const Malformed& error) {
      EXPECT_EQ(error.finding().found.str(), std::to_string(round));
    }
  }
}

/// A fault on any rank of any communicator of several ranks: all ranks learn of it instead of
/// waiting for each other.
void expect_local_work_only(const Comm& comm, const Comm& other) {
  const std::vector<std::function<void()>> operations = {
      [&] {
        std::int64_t value = 0;
        other->allreduce(&value, 1, Reduction::sum);
      },
      [&] { other->exclusive_sum(1); },
      [&] {
        int value = 0;
        other->broadcast(&value, sizeof value, 0);
      },
      [&] { other->sendrecv(-1, nullptr, 0, -1, nullptr, 0); },
      [&] { other->exchange({}); },
      [&] { Call(other, "agree").check(); },
  };
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (const auto& operation : operations) {
      const auto body = [&] {
        if (comm.rank() == rank) operation();
      };
      if (comm.size() == 1) {
        EXPECT_NO_THROW(Call(comm, "agree").check(body)) << "nobody to wait for";
        continue;
      }
      EXPECT_THROW(Call(comm, "agree").check(body), LibraryFailed);
      Call call(comm, "facts");
      call.all([&] {
        body();
        return true;
      });
      EXPECT_THROW(call.check(), LibraryFailed);
    }
  }
  Call(comm, "agree").check();
}

TEST(Agree, ABodyThatCommunicatesIsAnError) {
  ASSERT_NE(std::getenv("DAPTOR_CHECK_AGREED"), nullptr) << "set it, as ctest does";
  MPI_Comm another = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &another);
  {
    const Comm other(another);
    expect_local_work_only(world(), world());
    expect_local_work_only(world(), other);
  }
  MPI_Comm_free(&another);
  run_simulated(3, [](const Comm& comm) { expect_local_work_only(comm, comm); });
}

/// A call among some of the ranks, whose outcome the others learn.
TEST(Agree, RelaysACallAmongSomeRanks) {
  MPI_Comm even = MPI_COMM_NULL;
  const bool in = world().rank() % 2 == 0;
  MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, 0, &even);
  const auto sum = [&](bool fails) {
    return Call(world(), "relay").relay([&]() -> std::int64_t {
      if (!in) return 0;
      const Comm comm(even);
      std::int64_t ranks = 1;
      comm->allreduce(&ranks, 1, Reduction::sum);
      if (fails) throw Malformed(finding("B04"));
      return ranks;
    });
  };
  EXPECT_EQ(sum(false), in ? (world().size() + 1) / 2 : 0);
  EXPECT_THROW(sum(true), Malformed);
  if (in) MPI_Comm_free(&even);
}

TEST(Agree, OnSimulatedRanks) {
  constexpr int ranks = 40;
  for (const int at_fault : {0, 17, 39}) {
    std::vector<std::string> texts(ranks);
    run_simulated(ranks, [&](const Comm& comm) {
      try {
        Call(comm, "agree").check([&] {
          if (comm.rank() >= at_fault) throw Malformed(finding("B04", std::to_string(comm.rank())));
        });
      } catch (const Malformed& error) {
        texts[static_cast<std::size_t>(comm.rank())] = error.what();
      }
    });
    const Finding expected = [&] {
      Finding named = finding("B04", std::to_string(at_fault));
      named.ranks = {at_fault};
      named.rank_count = 1;
      return named;
    }();
    for (const std::string& text : texts) EXPECT_EQ(text, to_string(expected));
  }
}

}  // namespace
}  // namespace daptor
