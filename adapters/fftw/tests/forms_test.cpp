// SPDX-License-Identifier: BSD-3-Clause
// How processes are spread over dimensions, without communication.

#include "forms.hpp"

#include <gtest/gtest.h>

namespace daptor::fft::detail {
namespace {

TEST(Forms, ProcessesAreSpreadSoThatSectionsAreSmall) {
  EXPECT_EQ(best_form({false, false, true}, {8, 6, 5}, 4).grid, (std::vector<Index>{4, 1, 1}));
  EXPECT_EQ(best_form({true, false, false}, {8, 6, 6}, 36).grid, (std::vector<Index>{1, 6, 6}));
  EXPECT_EQ(best_form({false, false}, {7, 3}, 7).grid, (std::vector<Index>{7, 1}));
  EXPECT_EQ(best_form({false, true}, {0, 3}, 1).grid, (std::vector<Index>{1, 1}));
}

/// Only divisors are tried: each number up to that of the processes would take hours here.
TEST(Forms, TheSearchGrowsWithTheDivisorsOfTheProcesses) {
  const Index side = Index{1} << 20;
  EXPECT_EQ(best_form({false, false, true}, {side, side, side}, side * side).grid,
            (std::vector<Index>{side, side, 1}));
}

}  // namespace
}  // namespace daptor::fft::detail
