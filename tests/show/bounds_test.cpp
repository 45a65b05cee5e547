// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <optional>

#include <gtest/gtest.h>

#include "large_arrays.hpp"

namespace daptor {
namespace {

struct Cost {
  double seconds = 0;
  std::size_t bytes = 0;
};

template <class Draw>
Cost cost_of(Draw&& draw) {
  std::ostringstream out;
  const auto start = std::chrono::steady_clock::now();
  draw(out);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  return {spent.count(), out.str().size()};
}

/// A generous limit for a loaded machine; work in proportion to the number of elements would take
/// hours.
constexpr double most_seconds = 60;

void expect_bounded(const Recorded& recorded) {
  for (const bool section : {false, true}) {
    show::Options options;
    if (section) options.rank = recorded.nranks / 2;
    std::optional<show::Picture> picture;
    const Cost text = cost_of([&](std::ostream& out) {
      picture = make_picture(recorded, options);
      write_terminal(*picture, out);
    });
    EXPECT_LT(text.bytes, 30'000U);
    EXPECT_LT(text.seconds, most_seconds);
    const Cost image = cost_of([&](std::ostream& out) { write_svg(*picture, out); });
    EXPECT_LT(image.bytes, 400'000U);
    EXPECT_LT(image.seconds, most_seconds);
  }
}

TEST(Bounds, HoldForManyRanks) {
  expect_bounded(test::many_ranks());
}

TEST(Bounds, HoldForManyRanksOnAPlane) {
  expect_bounded(test::many_ranks_2d());
}

TEST(Bounds, HoldForManyCyclicBlocks) {
  expect_bounded(test::many_dealt());
}

TEST(Bounds, HoldForALongCyclicDimension) {
  expect_bounded(test::long_dealt());
}

TEST(Bounds, HoldForTheLongestDimension) {
  expect_bounded(test::longest());
}

TEST(Bounds, HoldForManyListedIndices) {
  expect_bounded(test::many_listed());
}

TEST(Bounds, HoldForALongDimension) {
  expect_bounded(test::wide());
}

TEST(Bounds, OfADetailedPictureHoldToo) {
  const Recorded checkered = test::recorded_on({2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{cyclic(46, {2, at[0]}), cyclic(54, {2, at[1]})};
  });
  expect_bounded(checkered);
}

/// No line is wider than requested, whatever is drawn.
TEST(Bounds, LinesKeepToTheWidth) {
  const auto columns = [](const std::string& line) {
    return std::count_if(line.begin(), line.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  };
  for (const Recorded& recorded :
       {test::blocks(), test::padded_periodic(), test::lists(), test::cube(), test::scalar(),
        test::many_dealt(), test::long_dealt(), test::longest(), test::many_listed(),
        test::wide()}) {
    for (const int width : {60, 80, 120}) {
      show::TerminalOptions form;
      form.width = width;
      std::istringstream lines(test::terminal(recorded, {}, form));
      for (std::string line; std::getline(lines, line);) {
        const bool drawn =
            line.find("│") != std::string::npos || line.find("─") != std::string::npos;
        if (!drawn) continue;
        EXPECT_LE(columns(line), width) << line;
      }
    }
  }
}

}  // namespace
}  // namespace daptor
