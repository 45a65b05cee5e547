// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "judge.hpp"

namespace daptor {
namespace {

using test::described;
using test::rules_of;
using test::verdict;
using Rules_ = std::vector<std::string>;

TEST(Validate, RegularArraysConformAtEveryRankCount) {
  for (int ranks = 1; ranks <= 13; ++ranks) {
    EXPECT_TRUE(verdict(ranks,
                        [&](int r) {
                          return described({block(17, {ranks, r}), undistributed(3)});
                        })
                    .findings()
                    .empty())
        << ranks;
    EXPECT_TRUE(verdict(ranks,
                        [&](int r) {
                          return described({cyclic(17, {ranks, r}, 2)});
                        })
                    .findings()
                    .empty())
        << ranks;
  }
}

TEST(Validate, AWrongBoundIsNamedOnEachRankInTurn) {
  for (int ranks = 2; ranks <= 8; ++ranks)
    for (int fault = 0; fault < ranks; ++fault)
      for (const Index shift : {-1, 1})
        for (const bool stop : {false, true}) {
          // The outer ends of the dimension concern one process alone.
          if (fault == (stop ? ranks - 1 : 0)) continue;
          const Report report = verdict(ranks, [&](int r) {
            IndexRange owned{3 * r, 3 * r + 3};
            if (r == fault) (stop ? owned.stop : owned.start) += shift;
            return described({block(3 * ranks, {ranks, r}, owned)});
          });
          ASSERT_EQ(rules_of(report), Rules_{"B09"});
          // The upper one of two neighbours that do not meet.
          EXPECT_EQ(report.findings()[0].ranks, std::vector<int>{stop ? fault + 1 : fault});
          EXPECT_EQ(report.findings()[0].dimension, 0);
        }
}

TEST(Validate, RanksMayDisagreeAboutEverything) {
  const Report report = verdict(5, [&](int r) -> Submission {
    switch (r) {
      case 0:
        return described({block(10, {5, 0})});
      case 1:
        return described({block(10, {5, 1}), undistributed(4)});
      case 2:
        return Submission::failed("out of luck");
      case 3:
        return Value("no dictionary");
      default:
        return described({cyclic(11, {5, 4}, 2)});
    }
  });
  EXPECT_EQ(report.verdict(), Verdict::producer_failed);
  EXPECT_TRUE(report.has("producer"));
  EXPECT_TRUE(report.has("T02"));
  EXPECT_TRUE(report.has("T14"));
  EXPECT_TRUE(report.has("D05"));
  EXPECT_TRUE(report.has("D10"));
}

TEST(Validate, GridBijection) {
  const auto on_grid = [](const std::vector<Index>& seats) {
    return verdict(static_cast<int>(seats.size()), [&](int r) {
      const Index seat = seats[static_cast<std::size_t>(r)];
      return described({block(8, {2, seat / 3}), block(9, {3, seat % 3})});
    });
  };
  EXPECT_TRUE(on_grid({0, 1, 2, 3, 4, 5}).findings().empty());
  EXPECT_EQ(rules_of(on_grid({1, 0, 2, 3, 4, 5})), Rules_{"D20"});
  for (int culprit = 0; culprit < 6; ++culprit)
    for (int place = 0; place < 6; ++place) {
      if (place == culprit) continue;
      std::vector<Index> seats{0, 1, 2, 3, 4, 5};
      seats[static_cast<std::size_t>(culprit)] = place;
      const Report twice = on_grid(seats);
      ASSERT_EQ(rules_of(twice), Rules_{"D19"});
      EXPECT_EQ(twice.findings()[0].ranks,
                (std::vector<int>{std::min(culprit, place), std::max(culprit, place)}));
    }
  const Report all = on_grid({4, 4, 4, 4, 4, 4});
  ASSERT_EQ(rules_of(all), Rules_{"D19"});
  EXPECT_EQ(all.findings()[0].rank(), -1) << "what is wrong with every rank is said of none";
}

TEST(Validate, ProcessesOfOneGridRankShareTheirPart) {
  // Three lines of blocks, each of them in order; the last one is divided differently.
  for (const int dimension : {0, 1}) {
    const Report report = verdict(9, [&](int r) {
      const Index along = dimension == 0 ? r / 3 : r % 3;
      const Index line = dimension == 0 ? r % 3 : r / 3;
      const Index cuts[] = {0, 3, line == 2 ? 5 : 6, 9};
      const Dimension cut = block(9, {3, along}, IndexRange{cuts[along], cuts[along + 1]});
      const Dimension other = block(8, {3, line});
      return dimension == 0 ? described({cut, other}) : described({other, cut});
    });
    ASSERT_EQ(rules_of(report), Rules_{"D22"});
    EXPECT_EQ(report.findings()[0].dimension, dimension);
    EXPECT_EQ(report.findings()[0].ranks,
              dimension == 0 ? (std::vector<int>{5, 8}) : (std::vector<int>{7, 8}));
  }
}

TEST(Validate, CyclicOriginsAreARotation) {
  const auto dealt_from = [](const std::vector<Index>& origins) {
    return verdict(static_cast<int>(origins.size()), [&](int r) {
      return described({cyclic(20, {static_cast<Index>(origins.size()), r}, 2,
                               origins[static_cast<std::size_t>(r)])});
    });
  };
  EXPECT_FALSE(dealt_from({1, 1, 1}).has("C11"));
  EXPECT_TRUE(dealt_from({1, 1, 2}).has("C11"));
  // One process has the start of another, or of a process that owns nothing although it should.
  for (const int ranks : {2, 3, 5})
    for (int culprit = 0; culprit < ranks; ++culprit)
      for (int position = 0; position <= ranks; ++position) {
        if (position == culprit) continue;
        const Report report = verdict(ranks, [&](int r) {
          const Index start = r != culprit ? 2 * r : position == ranks ? 23 : 2 * position;
          return described({Dimension(23, Cyclic{{ranks, r}, start, 2})});
        });
        ASSERT_TRUE(report.has("C11"));
        EXPECT_EQ(report.first_error()->rank(), culprit);
      }
}

TEST(Validate, SomebodyOwnsTheFirstBlockOfACyclicDimension) {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const auto nothing_of = [&](Index size) {
      return verdict(ranks, [&](int r) {
        return described({Dimension(size, Cyclic{{ranks, r}, size, 2})});
      });
    };
    EXPECT_TRUE(nothing_of(0).findings().empty());
    const Report nobody = nothing_of(5);
    ASSERT_EQ(rules_of(nobody), Rules_{"C11"});
    // What is wrong with every rank is said of none.
    if (ranks > 1) {
      EXPECT_EQ(nobody.findings()[0].rank(), -1);
    }
  }
}

/// Rank 0 has it above, rank 2 below; the text is that of rank 0.
TEST(Validate, PaddingThatIsWiderThanTheNeighbourNamesIt) {
  const Index cuts[] = {0, 5, 6, 10};
  const Report report = verdict(3, [&](int r) {
    return described(
        {block(10, {3, r}, IndexRange{cuts[r], cuts[r + 1]}, BlockPadding{{2, 2}, {}})});
  });
  ASSERT_EQ(rules_of(report), Rules_{"P15"}) << report;
  EXPECT_EQ(report.findings()[0].ranks, (std::vector<int>{0, 2}));
  EXPECT_EQ(report.findings()[0].found, "a width of 2 next to 1 owned indices on rank 1");
}

TEST(Validate, AListThatSeveralProcessesShareIsComparedAtLevelMetadata) {
  // Only one of the two lists is divided; the other is the same on all processes.
  const auto shared_of = [](Index length) {
    return verdict(2,
                   [&](int r) {
                     const std::vector<Index> shared = {7, 5, 6};
                     const auto end = shared.begin() + (r == 0 ? 3 : length);
                     return described({unstructured(2, {2, r}, IndexList(std::vector<Index>{r})),
                                       unstructured(3, {1, 0}, IndexList({shared.begin(), end}))});
                   },
                   {Level::metadata, Profile::recommended});
  };
  EXPECT_TRUE(shared_of(3).findings().empty());
  EXPECT_EQ(rules_of(shared_of(2)), Rules_{"U12"});
}

TEST(Validate, IndexLists) {
  const ValidateOptions full{Level::full, Profile::recommended};
  const auto lists = [&](const std::vector<std::vector<Index>>& held, Index size) {
    return verdict(
        static_cast<int>(held.size()),
        [&](int r) {
          return described({unstructured(size, {static_cast<Index>(held.size()), r},
                                         IndexList(held[static_cast<std::size_t>(r)]), true)});
        },
        full);
  };
  EXPECT_TRUE(lists({{4, 0}, {2, 1}, {3}}, 5).findings().empty());
  EXPECT_EQ(rules_of(lists({{4, 0}, {2, 2}, {3}}, 5)), Rules_{"U04"});
  const Report shared = lists({{4, 0}, {2, 1}, {0, 3}}, 5);
  ASSERT_EQ(rules_of(shared), Rules_{"U09"});
  EXPECT_EQ(shared.findings()[0].ranks, (std::vector<int>{0, 2}));
  EXPECT_EQ(rules_of(lists({{4, 0}, {2, 1}, {}}, 5)), Rules_{"U11"});
  // Negative and large indices count like others.
  EXPECT_TRUE(lists({{-4, 1000000007}, {2, 1}, {3}}, 5).findings().empty());
  EXPECT_EQ(rules_of(lists({{-4, 1}, {2, -4}, {3}}, 4)), Rules_{"U09"});
}

TEST(Validate, OwnedIndicesAndGhosts) {
  struct Held {
    std::vector<Index> owned, ghosts;
  };
  const auto lists = [&](const std::vector<Held>& held, Index size, Level level = Level::full) {
    const auto ranks = static_cast<int>(held.size());
    return verdict(
        ranks,
        [&](int r) {
          const Held& mine = held[static_cast<std::size_t>(r)];
          return described({owned_then_ghosts(size, {ranks, r}, mine.owned, mine.ghosts)});
        },
        {level, Profile::recommended});
  };
  EXPECT_TRUE(lists({{{4, 0}, {2}}, {{2, 1}, {3, 4}}, {{3}, {}}}, 5).findings().empty());
  EXPECT_TRUE(lists({{{0, 1, 2}, {}}, {{}, {1}}, {{}, {}}}, 3).findings().empty());
  EXPECT_TRUE(lists({{{0, 1}, {}}}, 2).findings().empty());
  // Large and negative indices count like others.
  EXPECT_TRUE(lists({{{-4, 1000000007}, {2}}, {{2, 1}, {-4}}}, 4).findings().empty());

  const Report twice = lists({{{4, 0}, {2}}, {{2, 1}, {}}, {{0, 3}, {}}}, 5);
  ASSERT_EQ(rules_of(twice), Rules_{"owned.twice"}) << twice;
  EXPECT_EQ(twice.findings()[0].ranks, (std::vector<int>{0, 2}));
  EXPECT_EQ(twice.findings()[0].dimension, 0);

  const Report nobody = lists({{{4, 0}, {}}, {{2, 1}, {7}}, {{3}, {9}}}, 5);
  ASSERT_EQ(rules_of(nobody), Rules_{"owned.nobody"}) << nobody;
  EXPECT_EQ(nobody.findings()[0].ranks, (std::vector<int>{1, 2}));
  EXPECT_NE(nobody.findings()[0].found.str().find("ghost 7"), std::string::npos);
  EXPECT_EQ(rules_of(lists({{{0, 1}, {5}}}, 2)), Rules_{"owned.nobody"}) << "on one process too";

  EXPECT_EQ(rules_of(lists({{{4, 0}, {4}}, {{2, 1}, {}}, {{3}, {}}}, 5)), Rules_{"U04"});
  EXPECT_EQ(rules_of(lists({{{4, 0}, {}}, {{2, 1}, {}}, {{}, {}}}, 5)), Rules_{"U11"});
  EXPECT_TRUE(lists({{{0}, {7}}, {{0}, {}}}, 5, Level::metadata).findings().empty())
      << "lists are looked at on level full";
}

TEST(Validate, AllSayHowManyIndicesTheyOwnOrNone) {
  for (int culprit = 0; culprit < 3; ++culprit) {
    const Report report = verdict(3, [&](int r) {
      const IndexList list(std::vector<Index>{r});
      return described(
          {r == culprit ? unstructured(3, {3, r}, list) : owned_then_ghosts(3, {3, r}, list, 1)});
    });
    EXPECT_EQ(rules_of(report), Rules_{"owned.keys"}) << report;
  }
}

/// The ghosts of a list belong to no edge: they are not compared with the neighbours' padding.
TEST(Validate, GhostsAreNoPadding) {
  for (const Version version : {protocol_0_9, protocol_0_10}) {
    const Report report = verdict(3, [&](int r) {
      std::vector<Index> ghosts;
      for (Index i = 0; i < 6; ++i)
        if (i / 2 != r && (r != 1 || i != 0)) ghosts.push_back(i);
      const Section a =
          describe(DataType::of<double>(), nullptr, {block_then_ghosts(6, {3, r}, ghosts)});
      return Submission(Section(version, a.buffer(), a.dimensions()));
    });
    EXPECT_TRUE(report.findings().empty()) << report;
  }
}

TEST(Validate, ProcessesOfOneGridRankOwnTheSame) {
  const Report report = verdict(4, [&](int r) {
    const Index first = r % 2;
    const std::vector<Index> list = {first, 1 - first};
    return described(
        {block(2, {2, r / 2}), owned_then_ghosts(2, {2, r % 2}, IndexList(list), r == 3 ? 2 : 1)});
  });
  EXPECT_EQ(rules_of(report), Rules_{"U12"}) << report;
}

}  // namespace
}  // namespace daptor
