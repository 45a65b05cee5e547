// SPDX-License-Identifier: BSD-3-Clause
// 0.9.x <-> 0.10.x: the meaning of a local index must not change, and what the other version cannot
// express is refused.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "daptor/validate.hpp"
#include "descriptions.hpp"
#include "effort.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using namespace test;

Index number(const Dictionary& map, const char* key, Index absent = 0) {
  const Value* value = map.find(key);
  return value == nullptr ? absent : value->as<Integer>()->value;
}

/// The meaning of a dictionary, read by the words of the specification and not by the parser.
struct Meaning {
  std::vector<Index> globals;  ///< of each local index
  IndexRange owned;            ///< local indices
  Padding boundary;
};

bool operator==(const Meaning& a, const Meaning& b) {
  return a.globals == b.globals && a.owned == b.owned && a.boundary == b.boundary;
}

Meaning meaning_of(const Dictionary& map, Version::Rules rules, Index extent) {
  const Index size = number(map, "size", extent);
  const Index processes = number(map, "proc_grid_size", 1);
  const Index rank = number(map, "proc_grid_rank", 0);
  const Value* flag = map.find("periodic");
  const bool periodic = flag != nullptr && *flag->as<bool>();
  const Index start = number(map, "start", 0);
  const Index stop = number(map, "stop", size);
  Padding padding;
  if (const Value* pair = map.find("padding")) {
    const auto& items = pair->as<Sequence>()->items;
    padding = {items[0].as<Integer>()->value, items[1].as<Integer>()->value};
  }
  const bool empty = rules == Version::Rules::v0_9 ? start == size : start == stop;
  if (empty) return {};
  // In 0.9 the external edges of a periodic dimension are not boundaries; in 0.10 they are.
  const bool wraps = periodic && rules == Version::Rules::v0_9;
  const Index lower = rank > 0 || wraps ? padding.lower : 0;
  const Index upper = rank < processes - 1 || wraps ? padding.upper : 0;
  const Index first = rules == Version::Rules::v0_9 ? start - lower : start;
  const Index count = rules == Version::Rules::v0_9 ? stop - start + lower + upper : stop - start;
  Meaning meaning;
  for (Index i = 0; i < count; ++i)
    meaning.globals.push_back(periodic ? (first + i + size) % size : first + i);
  meaning.owned = {lower, count - upper};
  meaning.boundary = {padding.lower - lower, padding.upper - upper};
  return meaning;
}

Dictionary dictionary_of(const Section& array) {
  const Value value = to_value(array);
  return *value.as<Dictionary>()->find("dim_data")->as<Sequence>()->items[0].as<Dictionary>();
}

Index extent_of(const Dictionary& map, Version::Rules rules) {
  return static_cast<Index>(meaning_of(map, rules, 0).globals.size());
}

/// The array that a dictionary describes; nothing if it breaks a clause, or if the padding of a
/// boundary is wider than the section that contains it.
std::optional<Section> array_of(const Dictionary& map, Version version) {
  const Index extent = extent_of(map, *version.rules());
  const Parsed parsed = parse(description(version.text(), doubles({extent}), {map}));
  return parsed.report.has("P17") ? std::nullopt : parsed.array;
}

/// Every block dictionary of some small size with these padding widths.
template <class F>
void for_each_block(const F& visit) {
  int number = 0;
  for (Index size : {0, 1, 2, 5, 7}) {
    for (Index processes = 1; processes <= 3; ++processes) {
      for (Index rank = 0; rank < processes; ++rank) {
        for (Index start = 0; start <= size; ++start) {
          for (Index stop = start; stop <= size; ++stop) {
            for (const bool periodic : {false, true}) {
              if (!tried(number++, 5)) continue;
              const Dictionary plain =
                  with(blocked(size, processes, rank, start, stop), "periodic", periodic);
              visit(plain);
              for (Index lower = 0; lower <= 2; ++lower)
                for (Index upper = 0; upper <= 2; ++upper)
                  visit(with(plain, "padding", widths(lower, upper)));
            }
          }
        }
      }
    }
  }
}

/// What prevents a conversion according to the checklist; "" if nothing does.
std::string obstacle(const Dictionary& map, Version::Rules to) {
  const Version::Rules from =
      to == Version::Rules::v0_9 ? Version::Rules::v0_10 : Version::Rules::v0_9;
  const Meaning meaning = meaning_of(map, from, 0);
  const bool periodic = *map.find("periodic")->as<bool>();
  if (to == Version::Rules::v0_9) return periodic && meaning.boundary != Padding{} ? "V09" : "";
  const Index rank = number(map, "proc_grid_rank");
  const Index processes = number(map, "proc_grid_size");
  const Index lower = meaning.owned.start;
  const Index upper = static_cast<Index>(meaning.globals.size()) - meaning.owned.stop;
  const bool outer = (rank == 0 && lower > 0) || (rank == processes - 1 && upper > 0);
  const bool beyond =
      number(map, "start") < lower || number(map, "stop") + upper > number(map, "size");
  return outer || (beyond && !meaning.globals.empty()) ? "V18" : "";
}

void expect_same_meaning(Version from, Version to) {
  int converted = 0;
  int refused = 0;
  for_each_block([&](const Dictionary& map) {
    const auto array = array_of(map, from);
    if (!array) return;
    const std::string expected = obstacle(map, *to.rules());
    try {
      const Section other = convert(*array, to);
      ASSERT_EQ(expected, "") << *array;
      ASSERT_EQ(other.version(), to);
      const Meaning before = meaning_of(map, *from.rules(), 0);
      const Meaning after = meaning_of(dictionary_of(other), *to.rules(), 0);
      ASSERT_EQ(before, after) << *array << '\n' << other;
      const Section back = convert(other, from);
      ASSERT_EQ(meaning_of(dictionary_of(back), *from.rules(), 0), before);
      // The text is kept too, if the padding key is there. (Without the key there is no padding in
      // 0.10.x only.)
      if (map.find("padding") != nullptr) {
        ASSERT_EQ(back, *array);
      }
      ++converted;
    } catch (const NotRepresentable& error) {
      ASSERT_EQ(error.rule(), expected) << *array;
      ASSERT_EQ(error.finding().dimension, 0);
      ASSERT_FALSE(error.finding().remedy.empty());
      ++refused;
    }
  });
  EXPECT_GT(converted, thinned() ? 100 : 500);
  EXPECT_GT(refused, thinned() ? 20 : 100);
}

TEST(Convert, EveryLocalIndexKeepsItsMeaningIntoTen) {
  expect_same_meaning(protocol_0_9, protocol_0_10);
}

TEST(Convert, EveryLocalIndexKeepsItsMeaningIntoNine) {
  expect_same_meaning(protocol_0_10, protocol_0_9);
}

TEST(Convert, ToTheSameVersionChangesNothing) {
  for (const Version version : {protocol_0_9, protocol_0_10}) {
    for_each_block([&](const Dictionary& map) {
      const auto array = array_of(map, version);
      if (array) {
        ASSERT_EQ(convert(*array, version), *array);
      }
    });
  }
}

TEST(Convert, TheOldPaddedPairInNewWords) {
  // From the table of the differences: 0..9 and 9..18 become 0..10 and 8..18.
  const Index starts[] = {0, 8};
  const Index stops[] = {10, 18};
  for (const Index rank : {0, 1}) {
    double memory[10] = {};
    const Section old = describe(memory, {block(18, {2, rank}, BlockPadding{{1, 1}, {1, 1}})});
    const Dictionary map = dictionary_of(convert(old, protocol_0_10));
    EXPECT_EQ(number(map, "start"), starts[rank]);
    EXPECT_EQ(number(map, "stop"), stops[rank]);
    EXPECT_EQ(map.find("padding")->text(), "(1, 1)");
  }
}

TEST(Convert, UndistributedDimensions) {
  const auto converted = [](const Dimension& dimension) {
    const Section array = describe(DataType::of<double>(), nullptr, {dimension});
    return convert(array, protocol_0_10);
  };
  const Section plain = converted(undistributed(5));
  EXPECT_TRUE(dictionary_of(plain).items.empty()) << "{}";
  EXPECT_EQ(plain.dimension(0), undistributed(5));
  EXPECT_EQ(convert(plain, protocol_0_9).dimension(0), undistributed(5));

  // With padding, or if it is periodic, it becomes a block over one process, with the same indices.
  const Section padded = converted({5, Undistributed{{1, 2}, {}, true}});
  EXPECT_EQ(padded.dimension(0), Dimension(5, Block{{1, 0}, {0, 5}, {1, 2}, {}, true}));
  const Section ring = converted({5, Undistributed{}, true});
  EXPECT_EQ(ring.dimension(0), Dimension(5, Block{{1, 0}, {0, 5}, {}, {}, false}, true));
  EXPECT_EQ(dictionary_of(convert(ring, protocol_0_9)).find("dist_type")->text(), "\"b\"");
  expect_refused<NotRepresentable>("V18", [&] {
    converted({5, Undistributed{{}, {1, 2}, true}, true});
  });
}

/// An array would have no dictionary in its version.
TEST(Convert, AnArrayHasNoPaddingThatItsVersionCannotExpress) {
  const auto expect_finding = [](const std::string& rule, Version version, Padding communication,
                                 Padding boundary, bool periodic, GridPosition grid) {
    const IndexRange owned{2 * grid.rank, 2 * grid.rank + 2};
    const Block block{grid, owned, boundary, communication, true};
    const Dimension dimension(2 * grid.size, block, periodic);
    const Buffer buffer(DataType::of<double>(), {dimension.local_extent()}, {8}, nullptr);
    expect_refused<Malformed>(rule, [&] { Section(version, buffer, {dimension}); });
    const Section other(version == protocol_0_9 ? protocol_0_10 : protocol_0_9, buffer,
                        {dimension});
    expect_refused<NotRepresentable>(rule, [&] { convert(other, version); });
  };
  expect_finding("V09", protocol_0_9, {}, {1, 0}, true, {2, 0});
  expect_finding("V09", protocol_0_9, {1, 0}, {0, 1}, true, {2, 1});
  expect_finding("V18", protocol_0_10, {1, 0}, {}, true, {2, 0});
  expect_finding("V18", protocol_0_10, {3, 0}, {}, false, {4, 1});
  expect_finding("V18", protocol_0_10, {0, 3}, {}, false, {4, 2});
}

TEST(Convert, EveryProcessHasThePaddingKeyInNine) {
  // In 0.10.x one process may leave the key out while its neighbours are padded; in 0.9.x that
  // breaks P06.
  const auto keys = [](const Dictionary& map, Version version) {
    return dictionary_of(convert(*array_of(map, version), protocol_0_9)).find("padding");
  };
  const Dictionary first = with(blocked(10, 2, 0, 0, 5), "periodic", false);
  ASSERT_NE(keys(first, protocol_0_10), nullptr);
  EXPECT_EQ(keys(first, protocol_0_9), nullptr);
  const Dictionary alone = with(blocked(10, 1, 0, 0, 10), "periodic", false);
  EXPECT_EQ(keys(alone, protocol_0_10), nullptr);
}

TEST(Convert, AlsoAlongADimensionOfOneProcess) {
  // The two processes are divided along the other dimension. One of them left the key out, the
  // other did not.
  for (const bool padded : {false, true}) {
    const Dimension rows(4, Block{{1, 0}, {0, 4}, {}, {}, padded});
    const Section array(protocol_0_10, Buffer(DataType::of<double>(), {4, 3}, {24, 8}, nullptr),
                        {rows, block(6, {2, padded ? 1 : 0})});
    EXPECT_TRUE(convert(array, protocol_0_9).dimension(0).as<Block>()->padded);
  }
}

TEST(Convert, CyclicAndUnstructuredDimensionsStay) {
  std::vector<double> memory(12);
  const std::vector<Dimension> dimensions = {
      cyclic(7, {2, 0}, 2), unstructured(5, {2, 1}, IndexList({4, -7, 900}), true)};
  const Section array = describe(memory.data(), dimensions);
  const Section other = convert(array, protocol_0_10);
  EXPECT_EQ(other.dimensions(), dimensions);
  EXPECT_EQ(other.dimension(1).as<Unstructured>()->indices.data(),
            dimensions[1].as<Unstructured>()->indices.data())
      << "indices are not copied";
  EXPECT_EQ(convert(other, protocol_0_9), array);
}

TEST(Convert, MemoryStaysWhereItIs) {
  auto memory = std::make_shared<std::vector<double>>(12);
  double* const data = memory->data();
  const std::weak_ptr<std::vector<double>> alive = memory;
  {
    std::optional<Section> array =
        describe(data, {undistributed(3), undistributed(4)}, Order::fortran, std::move(memory));
    const Section other = convert(array->as_readonly(), protocol_0_10);
    EXPECT_EQ(other.data(), data);
    EXPECT_TRUE(other.readonly());
    EXPECT_EQ(other.byte_strides(), (std::vector<Index>{8, 24}));
    EXPECT_EQ(other.buffer().state(), array->buffer().state());
    array.reset();
    EXPECT_FALSE(alive.expired());
  }
  EXPECT_TRUE(alive.expired());
}

TEST(Convert, MemoryStaysOnItsDevice) {
  std::vector<double> memory(3);
  const Buffer buffer(DataType::of<double>(), {3}, {8}, memory.data(), false, nullptr,
                      MemorySpace{2, 3});
  const Section array(protocol_0_9, buffer, {block(6, {2, 1})});
  const Section other = convert(array, protocol_0_10);
  EXPECT_EQ(other.version(), protocol_0_10);
  EXPECT_EQ(other.buffer().space(), (MemorySpace{2, 3}));
  EXPECT_EQ(other.data(), memory.data());
}

TEST(Convert, AFlatBufferGetsItsDimensionsInTen) {
  const Parsed flat =
      parse(description("0.9.0", doubles({10}), {blocked(2, 2, 0, 0, 1), none(10)}));
  EXPECT_EQ(convert(*flat.array, protocol_0_9).buffer().local_shape(), (std::vector<Index>{10}));
  const Section other = convert(*flat.array, protocol_0_10);
  EXPECT_EQ(other.buffer().local_shape(), (std::vector<Index>{1, 10}));
  EXPECT_EQ(other.buffer().byte_strides(), (std::vector<Index>{80, 8}));
  EXPECT_TRUE(other.warnings().findings().empty());
}

TEST(Convert, VersionsWithoutRulesAreRefused) {
  const Section array = describe(DataType::of<double>(), nullptr, {undistributed(3)});
  for (const Version version : {Version{1, 0, 0}, Version{0, 8, 0}, Version{0, 11, 0}}) {
    expect_refused<Unsupported>("T07", [&] { convert(array, version); });
  }
  EXPECT_EQ(convert(array, Version{0, 9, 5}).version(), (Version{0, 9, 5}));
}

TEST(ToValue, WritesWhatParseReads) {
  std::vector<float> memory(500);
  const std::vector<std::vector<Dimension>> arrays = {
      {},
      {undistributed(5)},
      {block(10, {3, 1})},
      {block(10, {3, 0}, BlockPadding{{1, 2}, {2, 1}})},
      {block(10, {3, 1}, BlockPadding{{1, 2}, {}, true}), undistributed(2)},
      {block(2, {4, 3}, BlockPadding{{1, 1}, {}})},
      {cyclic(20, {3, 2}, 4, 1)},
      {cyclic(2, {5, 4})},
      {unstructured(9, {2, 0}, IndexList({8, -1}), true), cyclic(3, {2, 0}), block(4, {2, 1}),
       undistributed(1), undistributed(2)},
      {unstructured(9, {2, 0}, IndexList())}};
  for (const auto& dimensions : arrays) {
    for (const Order order : {Order::c, Order::fortran}) {
      const Section array = describe(memory.data(), dimensions, order);
      const Parsed parsed = parse(to_value(array));
      ASSERT_TRUE(parsed.array) << parsed.report;
      EXPECT_EQ(*parsed.array, array);
      EXPECT_TRUE(parse(to_value(array), Profile::strict).array || parsed.report.has("C10"))
          << "what Daptor writes keeps the strict rules";
    }
  }
}

TEST(ToValue, LeavesOutKeysThatSayNothing) {
  const auto keys = [](const Dimension& dimension) {
    std::string text;
    const Dictionary map = dictionary_of(describe(DataType::of<double>(), nullptr, {dimension}));
    for (const auto& item : map.items) text += (text.empty() ? "" : " ") + item.first;
    return text;
  };
  EXPECT_EQ(keys(undistributed(5)), "dist_type size");
  EXPECT_EQ(keys(block(10, {2, 0})), "dist_type size proc_grid_size proc_grid_rank start stop");
  EXPECT_EQ(keys(block(10, {2, 0}, BlockPadding{})),
            "dist_type size proc_grid_size proc_grid_rank start stop padding");
  EXPECT_EQ(keys(cyclic(10, {2, 0})), "dist_type size proc_grid_size proc_grid_rank start");
  EXPECT_EQ(keys(cyclic(10, {2, 0}, 2)),
            "dist_type size proc_grid_size proc_grid_rank start block_size");
  EXPECT_EQ(keys(unstructured(10, {2, 0}, IndexList({1}), true)),
            "dist_type size proc_grid_size proc_grid_rank indices one_to_one");
}

}  // namespace
}  // namespace daptor
