// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "daptor/error.hpp"
#include "random_arrays.hpp"

namespace daptor {
namespace {

/// Changes one field of one dimension of one rank to any value.
class Spoiler {
 public:
  explicit Spoiler(unsigned seed) : arrays_(seed) {}

  Recorded next() {
    Recorded recorded = arrays_.next();
    for (Index changes = between(1, 2); changes > 0; --changes) spoil(recorded);
    if (between(0, 3) == 0 && recorded.ranks.size() > 1) recorded.ranks.pop_back();
    return recorded;
  }

  Index between(Index low, Index high) { return arrays_.between(low, high); }

 private:
  void spoil(Recorded& recorded) {
    RecordedRank& rank = recorded.ranks[static_cast<std::size_t>(
        between(0, static_cast<Index>(recorded.ranks.size()) - 1))];
    Dictionary description = *std::get<Value>(rank).as<Dictionary>();
    Sequence dimensions = *description.find("dim_data")->as<Sequence>();
    if (dimensions.items.empty()) return;
    Value& dimension = dimensions.items[static_cast<std::size_t>(
        between(0, static_cast<Index>(dimensions.items.size()) - 1))];
    Dictionary changed = *dimension.as<Dictionary>();
    constexpr const char* keys[] = {"size",           "start",     "stop",       "padding",
                                    "proc_grid_size", "dist_type", "block_size", "proc_grid_rank"};
    changed.set(keys[between(0, 7)], anything());
    dimension = changed;
    description.set("dim_data", dimensions);
    rank = Value(description);
  }

  Value anything() {
    constexpr Index numbers[] = {
        0, 1, 2, 3, 5, 9, 100, Index{1} << 40, INT64_MAX - 1, INT64_MAX, -1, INT64_MIN};
    constexpr const char* types[] = {"n", "b", "c", "u", "x"};
    switch (between(0, 3)) {
      case 0:
        return types[between(0, 4)];
      case 1:
        return Sequence{{numbers[between(0, 11)], numbers[between(0, 11)]}, true};
      default:
        return numbers[between(0, 11)];
    }
  }

  test::RandomArrays arrays_;
};

/// These descriptions are not validated. They are drawn as far as possible, or refused.
TEST(Hostile, DescriptionsAreDrawnOrRefused) {
  Spoiler spoiler(6);
  int drawn = 0;
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    const Recorded recorded = spoiler.next();
    show::Options options;
    if (spoiler.between(0, 1) == 1) options.rank = static_cast<int>(recorded.ranks.size()) - 1;
    try {
      const std::string text = test::terminal(recorded, options);
      const std::string image = test::svg(recorded, options);
      EXPECT_LT(text.size(), 30'000U);
      EXPECT_LT(image.size(), 400'000U);
      ++drawn;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(drawn, 200);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace daptor
