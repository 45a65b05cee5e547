// SPDX-License-Identifier: BSD-3-Clause
// Counts what operations cost on 2 to 1024 simulated ranks, and compares the growth with what is
// promised.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "daptor/daptor.hpp"
#include "effort.hpp"
#include "promises.hpp"

namespace daptor::test {
namespace {

std::string text_of(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

std::vector<std::string> broken(const Case& each, const std::vector<Promise>& promises,
                                const std::vector<int>& ranks) {
  std::vector<std::vector<Step>> counted;
  counted.reserve(ranks.size());
  for (const int count : ranks) counted.push_back(simulate(each, count));
  return broken_promises(promises, ranks, counted);
}

#ifdef DAPTOR_ADDRESS_SANITIZED
const std::vector<int> many_ranks = {128, 256};
#else
const std::vector<int> many_ranks =
    all_rounds() ? std::vector<int>{128, 256, 512, 1024} : std::vector<int>{128, 256};
#endif

TEST(ScaleCounts, GrowNoFasterThanPromised) {
  for (const Case& each : all_cases(1000)) {
    const auto lines = broken(each, promises_for(each.name), many_ranks);
    EXPECT_TRUE(lines.empty()) << each.name << "\n" << text_of(lines);
  }
}

/// Up to 64 ranks send directly, so that their counts do not grow as those of more ranks, but
/// collective calls and depth stay below them, except that up to eight ranks at fault are named one
/// after the other. The cases throw if an operation is wrong.
TEST(ScaleCounts, OfFewRanksStayBelowThoseOfMany) {
  const auto collectives = [](const Counted& rank) { return rank.traffic.collectives(); };
  const auto depth = [](const Counted& rank) { return rank.depth; };
  for (const Case& each : all_cases(1000)) {
    const std::vector<Step> many = simulate(each, 128);
    for (const int ranks : {2, 4, 8, 16, 32, 64}) {
      const std::vector<Step> few = simulate(each, ranks);
      ASSERT_EQ(few.size(), many.size());
      for (std::size_t i = 0; i < few.size(); ++i) {
        SCOPED_TRACE(each.name + ", " + few[i].name + " on " + std::to_string(ranks) + " ranks");
        EXPECT_LE(few[i].most(collectives), many[i].most(collectives) + (ranks <= 8 ? ranks : 0));
        EXPECT_LE(few[i].most(depth), many[i].most(depth));
      }
    }
  }
}

/// A planted operation that keeps a table of all ranks.
TEST(ScaleCounts, ATableOfAllRanksIsFound) {
  const Case planted{"planted", [](Measuring& m) {
                       std::vector<int> table;
                       m.step("table", [&] { table.resize(static_cast<std::size_t>(m.ranks())); });
                     }};
  const auto lines = broken(planted, {{"table"}}, {128, 256});
  ASSERT_EQ(lines.size(), 2U) << text_of(lines);
  EXPECT_NE(lines[0].find("allocated"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("kept"), std::string::npos) << lines[1];
}

/// A planted operation in which one rank answers all others.
TEST(ScaleCounts, ARankThatAnswersAllOthersIsFound) {
  const Case planted{"planted", [](Measuring& m) {
                       m.step("answer", [&] {
                         const Comm comm = m.comm();
                         comm->exchange({{0, std::vector<std::byte>(8)}});
                       });
                     }};
  const auto lines = broken(planted, {{"answer"}}, {128, 256});
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(text_of(lines).find("received"), std::string::npos) << text_of(lines);
}

/// A planted operation that passes a value along all ranks in turn.
TEST(ScaleCounts, AChainOfMessagesIsFound) {
  const Case planted{"planted", [](Measuring& m) {
                       m.step("chain", [&] {
                         const Comm comm = m.comm();
                         int value = 0;
                         if (m.rank() > 0) comm->sendrecv(-1, nullptr, 0, m.rank() - 1, &value, 4);
                         if (m.rank() + 1 < m.ranks())
                           comm->sendrecv(m.rank() + 1, &value, 4, -1, nullptr, 0);
                       });
                     }};
  const auto lines = broken(planted, {{"chain"}}, {128, 256});
  ASSERT_EQ(lines.size(), 1U) << text_of(lines);
  EXPECT_NE(lines[0].find("depth"), std::string::npos) << lines[0];
}

}  // namespace
}  // namespace daptor::test
