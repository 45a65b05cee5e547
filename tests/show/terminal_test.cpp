// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "arrays.hpp"

namespace daptor {
namespace {

using test::terminal;

show::Options section(int rank) {
  show::Options options;
  options.rank = rank;
  return options;
}

show::TerminalOptions columns(int width) {
  show::TerminalOptions form;
  form.width = width;
  return form;
}

show::TerminalOptions ascii() {
  show::TerminalOptions form;
  form.unicode = false;
  return form;
}

Recorded block_cyclic() {
  return test::recorded_on({2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{cyclic(5, {2, at[0]}, 2), cyclic(7, {2, at[1]}, 3)};
  });
}

Recorded overlapping() {
  const std::vector<std::vector<Index>> indices = {{0, 1, 2, 3}, {3, 4, 7}, {-2}};
  return test::recorded_on({3}, [&](const std::vector<Index>& at) {
    return std::vector<Dimension>{
        unstructured(7, {3, at[0]}, IndexList(indices[static_cast<std::size_t>(at[0])]))};
  });
}

Recorded large_padded() {
  return test::recorded_on({2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(1000, {2, at[0]}, test::padding({1, 1}, {100, 100})),
                                  block(4000, {2, at[1]})};
  });
}

Recorded dealt(Index size, Index block_size) {
  return test::recorded_on({4}, [=](const std::vector<Index>& at) {
    return std::vector<Dimension>{cyclic(size, {4, at[0]}, block_size)};
  });
}

TEST(Terminal, BlocksWithARemainder) {
  EXPECT_EQ(terminal(test::blocks()), R"(5 × 8 float64 on 6 ranks (2 × 3): block × block

         dimension 1
  dim 0   0  1  2   3  4  5   6  7
        ┌─────────┬─────────┬──────┐
      0 │ 0  0  0 │ 1  1  1 │ 2  2 │
      1 │ 0  0  0 │ 1  1  1 │ 2  2 │
      2 │ 0  0  0 │ 1  1  1 │ 2  2 │
        ├─────────┼─────────┼──────┤
      3 │ 3  3  3 │ 4  4  4 │ 5  5 │
      4 │ 3  3  3 │ 4  4  4 │ 5  5 │
        └─────────┴─────────┴──────┘

  rank   section   owned
     0   3 × 3         9
     1   3 × 3         9
     2   3 × 2         6
     3   2 × 3         6
     4   2 × 3         6
     5   2 × 2         4
)");
}

TEST(Terminal, InAscii) {
  EXPECT_EQ(terminal(test::blocks(), {}, ascii()),
            R"(5 x 8 float64 on 6 ranks (2 x 3): block x block

         dimension 1
  dim 0   0  1  2   3  4  5   6  7
        +---------+---------+------+
      0 | 0  0  0 | 1  1  1 | 2  2 |
      1 | 0  0  0 | 1  1  1 | 2  2 |
      2 | 0  0  0 | 1  1  1 | 2  2 |
        +---------+---------+------+
      3 | 3  3  3 | 4  4  4 | 5  5 |
      4 | 3  3  3 | 4  4  4 | 5  5 |
        +---------+---------+------+

  rank   section   owned
     0   3 x 3         9
     1   3 x 3         9
     2   3 x 2         6
     3   2 x 3         6
     4   2 x 3         6
     5   2 x 2         4
)");
}

TEST(Terminal, BlockCyclic) {
  EXPECT_EQ(terminal(block_cyclic()),
            R"(5 × 7 float64 on 4 ranks (2 × 2): cyclic in blocks of 2 × cyclic in blocks of 3

         dimension 1
  dim 0   0  1  2   3  4  5   6
        ┌─────────┬─────────┬───┐
      0 │ 0  0  0 │ 1  1  1 │ 0 │
      1 │ 0  0  0 │ 1  1  1 │ 0 │
        ├─────────┼─────────┼───┤
      2 │ 2  2  2 │ 3  3  3 │ 2 │
      3 │ 2  2  2 │ 3  3  3 │ 2 │
        ├─────────┼─────────┼───┤
      4 │ 0  0  0 │ 1  1  1 │ 0 │
        └─────────┴─────────┴───┘

  rank   section   owned
     0   3 × 4        12
     1   3 × 3         9
     2   2 × 4         8
     3   2 × 3         6
)");
}

TEST(Terminal, Unstructured) {
  EXPECT_EQ(terminal(test::lists()), R"(30 float64 on 3 ranks: unstructured

    dimension 0
     0 1 2 3 4  5 6 7 8 9 10 11 12   14 15 16 17 18 19 20 21 22 23  25  27  29
   ┌──────────┬──────────┬──┬──┬────┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──────────────┐
   │ 0 0 0 0 0│ 1 1 1 1 1│ 2│ 1│ 0 0│ 1│ 0│ 2│ 0│ 1│ 0│ 1│ 2│ 1│ 2 2 2 2 2 2 2│
   └──────────┴──────────┴──┴──┴────┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──────────────┘

  rank   section   owned
     0   10           10
     1   10           10
     2   10           10
)");
}

TEST(Terminal, CellsOfSeveralRanksAndOfNobody) {
  EXPECT_EQ(terminal(overlapping()), R"(7 float64 on 3 ranks: unstructured

    dimension 0
    -2   -1    0   1   2    3    4    5   6    7
   ┌────┬────┬────────────┬────┬────┬────────┬────┐
   │ 2  │ ·  │ 0   0   0  │ 0+ │ 1  │ ·   ·  │ 1  │
   └────┴────┴────────────┴────┴────┴────────┴────┘
  + owned by more ranks   · owned by nobody

  rank   section   owned
     0   4             4
     1   3             3
     2   1             1
)");
}

TEST(Terminal, PaddedAndPeriodic) {
  EXPECT_EQ(terminal(test::padded_periodic()),
            R"(6 × 7 float64 on 4 ranks (2 × 2): block × periodic block

         dimension 1
  dim 0   0   1   2   3    4   5   6
        ┌────────────────┬────────────┐
      0 │ 0b  0b  0b  0b │ 1b  1b  1b │
      1 │ 0   0   0   0  │ 1   1   1  │
      2 │ 0   0   0   0  │ 1   1   1  │
        ├────────────────┼────────────┤
      3 │ 2   2   2   2  │ 3   3   3  │
      4 │ 2   2   2   2  │ 3   3   3  │
      5 │ 2b  2b  2b  2b │ 3b  3b  3b │
        └────────────────┴────────────┘
  b boundary padding

  rank   section   owned   boundary padding   communication padding
     0   4 × 6        12   (1, 0) × (0, 0)    (0, 1) × (1, 1)
     1   4 × 5         9   (1, 0) × (0, 0)    (0, 1) × (1, 1)
     2   4 × 6        12   (0, 1) × (0, 0)    (1, 0) × (1, 1)
     3   4 × 5         9   (0, 1) × (0, 0)    (1, 0) × (1, 1)
)");
}

TEST(Terminal, TheSectionOfARank) {
  EXPECT_EQ(terminal(test::padded_periodic(), section(1)),
            R"(6 × 7 float64 on 4 ranks (2 × 2): block × periodic block
section of rank 1, all padding included; indices are global

         dimension 1
  dim 0   3    4   5   6    0
        ┌────┬────────────┬────┐
      0 │ 0c │ 1b  1b  1b │ 0c │
      1 │ 0c │ 1   1   1  │ 0c │
      2 │ 0c │ 1   1   1  │ 0c │
        ├────┼────────────┼────┤
      3 │ 2c │ 3c  3c  3c │ 2c │
        └────┴────────────┴────┘
  b boundary padding   c communication padding, with its owner

  rank   section   owned   boundary padding   communication padding
     1   4 × 5         9   (1, 0) × (0, 0)    (0, 1) × (1, 1)
)");
}

TEST(Terminal, ASectionWhoseIndicesJump) {
  EXPECT_EQ(terminal(test::lists(), section(0)), R"(30 float64 on 3 ranks: unstructured
section of rank 0, all padding included; indices are global

    dimension 0
    19   1   0  12   2  15   4  17   3  13
   ┌───────────────────────────────────────┐
   │ 0 ┊ 0 ┊ 0 ┊ 0 ┊ 0 ┊ 0 ┊ 0 ┊ 0 ┊ 0 ┊ 0 │
   └───────────────────────────────────────┘

  rank   section   owned
     0   10           10
)");
}

TEST(Terminal, ASliceOfThreeDimensions) {
  EXPECT_EQ(terminal(test::cube()),
            R"(4 × 3 × 5 float64 on 4 ranks (2 × 1 × 2): block × undistributed × block
slice at dimension 1 = 1

         dimension 2
  dim 0   0  1  2   3  4
        ┌─────────┬──────┐
      0 │ 0  0  0 │ 1  1 │
      1 │ 0  0  0 │ 1  1 │
        ├─────────┼──────┤
      2 │ 2  2  2 │ 3  3 │
      3 │ 2  2  2 │ 3  3 │
        └─────────┴──────┘

  rank   section     owned
     0   2 × 3 × 3      18
     1   2 × 3 × 2      12
     2   2 × 3 × 3      18
     3   2 × 3 × 2      12
)");
}

TEST(Terminal, OneValue) {
  EXPECT_EQ(terminal(test::scalar()), R"(one float64 on 1 rank

   ┌───┐
   │ 0 │
   └───┘

  rank   section   owned
     0   1 value       1
)");
}

TEST(Terminal, NoElementsAndEmptyRanks) {
  const auto blocks = [](Index size) {
    return test::recorded_on({3}, [=](const std::vector<Index>& at) {
      return std::vector<Dimension>{block(size, {3, at[0]})};
    });
  };
  EXPECT_EQ(terminal(blocks(0)), R"(0 float64 on 3 ranks: block
no elements

  rank   section   owned
     0   0             0   empty
     1   0             0   empty
     2   0             0   empty
)");
  EXPECT_EQ(terminal(blocks(2)), R"(2 float64 on 3 ranks: block

    dimension 0
     0   1
   ┌───┬───┐
   │ 0 │ 1 │
   └───┴───┘

  rank   section   owned
     0   1             1
     1   1             1
     2   0             0   empty
)");
}

TEST(Terminal, ALargeArrayToScale) {
  EXPECT_EQ(terminal(large_padded(), {}, columns(60)),
            R"(1000 × 4000 float64 on 4 ranks (2 × 2): block × block

         dimension 1
  dim 0  0                        2000                3999
        ┌────────────────────────┬────────────────────────┐
      0 │░░░░░░░░░░░░░░░░░░░░░░░░│░░░░░░░░░░░░░░░░░░░░░░░░│
    100 │                        │                        │
        │           0            │           1            │
        │                        │                        │
        ├────────────────────────┼────────────────────────┤
    500 │                        │                        │
        │           2            │           3            │
        │                        │                        │
    999 │░░░░░░░░░░░░░░░░░░░░░░░░│░░░░░░░░░░░░░░░░░░░░░░░░│
        └────────────────────────┴────────────────────────┘
  dimension 0: a line is about 125 indices
  dimension 1: a column is about 83 indices
  ░ boundary padding

  rank   section        owned   boundary padding    communication padding
     0   501 × 2000   1000000   (100, 0) × (0, 0)   (0, 1) × (0, 0)
     1   501 × 2000   1000000   (100, 0) × (0, 0)   (0, 1) × (0, 0)
     2   501 × 2000   1000000   (0, 100) × (0, 0)   (1, 0) × (0, 0)
     3   501 × 2000   1000000   (0, 100) × (0, 0)   (1, 0) × (0, 0)
)");
}

TEST(Terminal, TooManyBlocksAreFolded) {
  EXPECT_EQ(terminal(dealt(Index{1} << 40, 64)),
            R"(1099511627776 float64 on 4 ranks: cyclic in blocks of 64

    dimension 0
    0     64    128   192   256   320   384   448             1099511627775
   ┌─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┐
   │  0  │  1  │  2  │  3  │  0  │  1  │  2  │  3  │  ⋯  │  1  │  2  │  3  │
   └─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┘
  dimension 0: not to scale; indices 512 to 1099511627583 are left out

  rank   section               owned
     0   274877906944   274877906944
     1   274877906944   274877906944
     2   274877906944   274877906944
     3   274877906944   274877906944
)");
}

TEST(Terminal, TooManyRanksAreFolded) {
  const Recorded many = test::recorded_on({1000}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(1'000'000, {1000, at[0]})};
  });
  EXPECT_EQ(terminal(many), R"(1000000 float64 on 1000 ranks: block

    dimension 0
    0       1000    2000    3000    4000    5000            998000   999999
   ┌───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┐
   │   0   │   1   │   2   │   3   │   4   │   5   │   ⋯   │  998  │  999  │
   └───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┘
  dimension 0: not to scale; indices 6000 to 997999 are left out

  rank   section   owned
     0   1000       1000
     1   1000       1000
     2   1000       1000
     3   1000       1000
     4   1000       1000
     5   1000       1000
     6   1000       1000
     7   1000       1000
     8   1000       1000
     9   1000       1000
    10   1000       1000
    11   1000       1000
  and 988 more ranks
)");
}

TEST(Terminal, RanksThatAreNotRecorded) {
  Recorded partial = test::blocks();
  partial.ranks.resize(2);
  EXPECT_EQ(terminal(partial), R"(5 × 8 float64 on 6 ranks (2 × 3): block × block
not all ranks were recorded

         dimension 1
  dim 0   0  1  2   3  4  5   6  7
        ┌─────────┬─────────┬──────┐
      0 │ 0  0  0 │ 1  1  1 │ ?  ? │
      1 │ 0  0  0 │ 1  1  1 │ ?  ? │
      2 │ 0  0  0 │ 1  1  1 │ ?  ? │
        ├─────────┴─────────┘      │
      3 │ ?  ?  ?   ?  ?  ?   ?  ? │
      4 │ ?  ?  ?   ?  ?  ?   ?  ? │
        └──────────────────────────┘
  ? not recorded

  rank   section        owned
     0   3 × 3              9
     1   3 × 3              9
     2   not recorded
     3   not recorded
     4   not recorded
     5   not recorded
)");
}

TEST(Terminal, ColorsAreOfRanksAndEndWhereTheyShould) {
  show::TerminalOptions form;
  form.color = true;
  const std::string picture = terminal(test::padded_periodic(), section(0), form);
  // Owned elements are dark on the rank's colour; communication padding has its owner's colour on
  // dark.
  EXPECT_NE(picture.find("\x1b[38;5;16;48;5;110m 0   0   0   0  \x1b[0m"), std::string::npos)
      << picture;
  EXPECT_NE(picture.find("\x1b[38;5;222;48;5;236m 1c \x1b[0m"), std::string::npos) << picture;
  std::istringstream lines(picture);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t last = line.rfind('\x1b');
    if (last == std::string::npos) continue;
    EXPECT_EQ(line.compare(last, 4, "\x1b[0m"), 0) << line;
  }
}

TEST(Terminal, NamesDoNotReachTheTerminalAsTheyAre) {
  Recorded named = test::scalar();
  named.name = "a\x1b[31mred\nb";
  EXPECT_EQ(terminal(named).find("a\\x1b[31mred\\x0ab\n"), 0U);
}

}  // namespace
}  // namespace daptor
