// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "daptor/error.hpp"
#include "descriptions.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using namespace test;

/// The verdict of both profiles. The strict profile must find the same as the recommended one, with
/// errors in place of warnings.
std::string judged(const Value& description) {
  const Parsed parsed = parse(description);
  const Parsed strict = parse(description, Profile::strict);
  EXPECT_EQ(parsed.array.has_value(), static_cast<bool>(parsed.report));
  EXPECT_EQ(strict.array.has_value(), static_cast<bool>(strict.report));
  const auto& findings = parsed.report.findings();
  EXPECT_EQ(strict.report.findings().size(), findings.size());
  for (std::size_t i = 0; i < std::min(findings.size(), strict.report.findings().size()); ++i) {
    Finding expected = findings[i];
    if (expected.severity == Severity::warning || expected.rule == "T04")
      expected.severity = Severity::error;
    EXPECT_EQ(strict.report.findings()[i], expected);
    EXPECT_FALSE(expected.found.empty());
    EXPECT_FALSE(expected.expected.empty()) << expected.rule;
    EXPECT_FALSE(expected.remedy.empty()) << expected.rule << " does not say what to do";
  }
  if (parsed.array) {
    EXPECT_EQ(parsed.array->warnings().findings(), findings) << "what was accepted";
  }
  return rules_of(parsed.report);
}

std::string judged(const char* version, Index extent, const Dictionary& dimension) {
  return judged(description(version, doubles({extent}), {dimension}));
}

struct Case {
  Index extent;
  Dictionary dimension;
  const char* found_0_9;
  const char* found_0_10;
};

void expect_findings(const std::vector<Case>& cases) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(judged("0.9.0", cases[i].extent, cases[i].dimension), cases[i].found_0_9)
        << "case " << i << " by the rules of 0.9";
    EXPECT_EQ(judged("0.10.0", cases[i].extent, cases[i].dimension), cases[i].found_0_10)
        << "case " << i << " by the rules of 0.10";
  }
}

const Dictionary half = blocked(10, 2, 0, 0, 5);
const Dictionary second_half = blocked(10, 2, 1, 5, 10);

// --- the top level

TEST(Parse, TopLevel) {
  const Dictionary good = description("0.9.0", doubles({5}), {half});
  EXPECT_EQ(judged(good), "");
  EXPECT_EQ(judged(Value(7)), "!T02");
  EXPECT_EQ(judged(list({good})), "!T02");
  EXPECT_EQ(judged(without(good, "__version__")), "!T03");
  EXPECT_EQ(judged(without(good, "buffer")), "!T03");
  EXPECT_EQ(judged(without(good, "dim_data")), "!T03");
  EXPECT_EQ(judged(Dictionary()), "!T03 !T03 !T03");
  EXPECT_EQ(judged(with(good, "comment", "x")), "~T04");
  EXPECT_EQ(judged(with(good, "__version__", 9)), "!T05");
  EXPECT_EQ(judged(with(good, "__version__", "0.9")), "!T06");
  EXPECT_EQ(judged(with(good, "__version__", "0.9.0.0")), "!T06");
  EXPECT_EQ(judged(with(good, "__version__", "0.9.7")), "");
  EXPECT_EQ(judged(with(good, "__version__", "0.9.0rc1")), "A24");
  EXPECT_EQ(judged(with(good, "__version__", "1.0.0")), "!T07");
  EXPECT_EQ(judged(with(good, "__version__", "0.8.0")), "!T07");
  EXPECT_EQ(judged(with(good, "__version__", "0.11.0a1")), "A24 !T07");
  EXPECT_EQ(judged(with(good, "buffer", "0.2 0.6")), "!T09");
  EXPECT_EQ(judged(with(good, "dim_data", list({half}))), "T11");
  EXPECT_EQ(judged(with(good, "dim_data", half)), "!T11");
  EXPECT_EQ(judged(with(good, "dim_data", tuple({"b"}))), "!T12");
}

TEST(Parse, UnknownVersionsAreUnsupportedAndNotGuessed) {
  const Dictionary good = description("1.0.0", doubles({5}), {half});
  const Parsed parsed = parse(good);
  EXPECT_EQ(parsed.report.verdict(), Verdict::unsupported);
  EXPECT_THROW(parse_or_throw(good), Unsupported);
  EXPECT_EQ(judged(with(good, "dim_data", tuple({with(half, "stop", -5)}))), "!T07")
      << "without rules nothing else can be judged";
  EXPECT_EQ(judged(without(good, "dim_data")), "!T03 !T07");
}

TEST(Parse, ShapeOfTheBuffer) {
  const Dictionary row = blocked(2, 2, 0, 0, 1);
  const auto found = [&](const char* version, std::vector<Index> shape) {
    const Dictionary columns = version == std::string("0.9.0") ? none(10) : Dictionary();
    return judged(description(version, doubles(std::move(shape)), {row, columns}));
  };
  EXPECT_EQ(found("0.9.0", {1, 10}), "");
  EXPECT_EQ(found("0.10.0", {1, 10}), "");
  EXPECT_EQ(found("0.9.0", {10}), "A03") << "as the specification's first example";
  EXPECT_EQ(found("0.10.0", {10}), "!T15") << "nothing that {} could refer to";
  EXPECT_EQ(found("0.9.0", {9}), "!T10");
  EXPECT_EQ(found("0.9.0", {1, 9}), "!N04");
  EXPECT_EQ(found("0.9.0", {2, 10}), "!P13");
  EXPECT_EQ(found("0.9.0", {1, 10, 1}), "!T13");
  EXPECT_EQ(judged(description("0.9.0", doubles({20}), {none(2), none(10)})), "!T15");
  EXPECT_EQ(judged(description("0.10.0", doubles({10}), {row, blocked(10, 1, 0, 0, 10)})), "!T15");
  EXPECT_EQ(judged(description("0.9.0", doubles({}), {})), "");
  EXPECT_EQ(judged(description("0.10.0", doubles({}), {})), "");
  EXPECT_EQ(judged(description("0.9.0", doubles({1}), {})), "A03");
  EXPECT_EQ(judged(description("0.9.0", doubles({0, 7}), {blocked(10, 2, 1, 10, 10), none(8)})),
            "E06");
}

// --- keys of all dimensions

TEST(Parse, KeysOfAllDimensions) {
  expect_findings({
      {5, half, "", ""},
      {5, without(half, "dist_type"), "!D01", "!D01"},
      {5, with(half, "dist_type", 1), "!D02", "!D02"},
      {5, with(half, "dist_type", "x"), "!D04", "!D04"},
      {5, with(half, "dist_type", "bb"), "!D04", "!D04"},
      {5, with(half, "dist_type", ""), "!D04", "!D04"},
      {5, with(half, "dist_type", std::string(1, '\0')), "!D04", "!D04"},
      {5, without(half, "size"), "!D06", "!D06"},
      {5, with(half, "size", "10"), "!D07", "!D07"},
      {5, with(half, "size", true), "!D07", "!D07"},
      {0, with(blocked(10, 2, 0, 0, 0), "size", -1), "!D08", "!D08"},
      {0, blocked(0, 2, 0, 0, 0), "", ""},
      {5, without(half, "proc_grid_size"), "!D12", "!D12"},
      {5, with(half, "proc_grid_size", 0), "!D13", "!D13"},
      {5, with(half, "proc_grid_size", "2"), "!D13", "!D13"},
      {5, without(half, "proc_grid_rank"), "!D16", "!D16"},
      {5, with(half, "proc_grid_rank", Foreign{"float"}), "!D17", "!D17"},
      {5, with(half, "proc_grid_rank", false), "!D17", "!D17"},
      {5, with(half, "proc_grid_rank", 2), "!D18", "!D18"},
      {5, with(half, "proc_grid_rank", -1), "!D18", "!D18"},
      {5, with(half, "periodic", true), "", ""},
      {5, with(half, "periodic", false), "", ""},
      {5, with(half, "periodic", 1), "!D23", "!D23"},
      {5, with(half, "colour", "red"), "~D27", "~D27"},
      {5, with(half, "block_size", 1), "~D27", "~D27"},
  });
}

TEST(Parse, AnUnknownTypeIsUnsupported) {
  const Value unknown = description("0.9.0", doubles({5}), {with(half, "dist_type", "x")});
  EXPECT_EQ(parse(unknown).report.verdict(), Verdict::unsupported);
  expect_refused<Unsupported>("D04", [&] {
    parse_or_throw(description("0.9.0", Foreign{"int"}, {with(half, "dist_type", "x")}));
  });
}

// --- undistributed

TEST(Parse, Undistributed) {
  const Dictionary padded = with(none(10), "padding", widths(1, 2));
  expect_findings({
      {10, none(10), "", "V01"},
      {0, none(0), "", "V01"},
      {9, none(10), "!N04", "V01 !N04"},
      {10, padded, "", "V01"},
      {13, padded, "!N04", "V01 !N04"},
      {13, with(padded, "periodic", true), "", "V01 V09 !N04"},
      {10, with(padded, "periodic", true), "!N04", "V01 V09"},
      {10, with(none(10), "periodic", true), "", "V01"},
      {10, with(none(10), "padding", widths(6, 6)), "P17", "V01 P17"},
      {10, with(none(10), "padding", widths(-1, 0)), "!P03", "V01 !P03"},
      {10, with(none(10), "proc_grid_size", 1), "", "V01"},
      {10, with(none(10), "proc_grid_size", 2), "D26", "V01 D26"},
      {10, with(none(10), "proc_grid_rank", "0"), "D26", "V01 D26"},
      {10, with(none(10), "start", 0), "~D27", "V01 ~D27"},
      {10, Dictionary(), "!D01 !D06", ""},
  });
}

TEST(Parse, AnEmptyDictionaryHasTheExtentOfTheBuffer) {
  const auto parsed = parse(description("0.10.0", doubles({3, 7}), {Dictionary(), Dictionary()}));
  ASSERT_TRUE(parsed.array);
  EXPECT_EQ(parsed.array->dimension(0), Dimension(3, Undistributed{}));
  EXPECT_EQ(parsed.array->dimension(1), Dimension(7, Undistributed{}));
  EXPECT_EQ(judged(description("0.10.0", Foreign{"int"}, {Dictionary()})), "!T09 !T15");
}

// --- block

TEST(Parse, Block) {
  expect_findings({
      {5, without(half, "start"), "!B01", "!B01"},
      {5, with(half, "start", "0"), "!B01", "!B01"},
      {5, with(second_half, "start", -5), "!B02", "!B02"},
      {5, without(half, "stop"), "!B03", "!B03"},
      {5, with(half, "stop", Value()), "!B03", "!B03"},
      {5, blocked(10, 3, 1, 5, 3), "!B04", "!B04"},
      {5, blocked(10, 3, 1, 10, 8), "!E03", "!E03"},
      {0, blocked(10, 3, 1, 4, 4), "B06", ""},
      {0, blocked(10, 3, 2, 10, 10), "", ""},
      {1, blocked(10, 3, 2, 10, 10), "!E02", "!E02"},
      {6, blocked(10, 2, 1, 5, 11), "!B08", "!B08"},
      {4, blocked(10, 2, 0, 1, 5), "!B10", "!B10"},
      {4, blocked(10, 2, 1, 5, 9), "!B11", "!B11"},
      {3, blocked(10, 2, 0, 0, 3), "", ""},
      {4, half, "!P13", "!P13"},
      {6, half, "!P13", "!P13"},
  });
}

TEST(Parse, PaddingOfBlocks) {
  const auto padded = [](const Dictionary& map, Index lower, Index upper) {
    return with(map, "padding", widths(lower, upper));
  };
  const Dictionary middle = blocked(12, 3, 1, 4, 8);
  const auto periodic = [](const Dictionary& map) { return with(map, "periodic", true); };
  expect_findings({
      {4, padded(middle, 0, 0), "", ""},
      {7, padded(middle, 1, 2), "", "!P13"},
      {4, padded(middle, 1, 2), "!P13", ""},
      {4, with(middle, "padding", 1), "!P02", "!P02"},
      {4, with(middle, "padding", tuple({0})), "!P02", "!P02"},
      {4, with(middle, "padding", tuple({0, 0, 0})), "!P02", "!P02"},
      {4, with(middle, "padding", list({0, 0})), "A08", "A08"},
      {4, with(middle, "padding", widths(-1, 0)), "!P03", "!P03"},
      {4, with(middle, "padding", tuple({0, true})), "!P03", "!P03"},
      {4, with(middle, "padding", tuple({0, Integer{0, false, "1e30"}})), "!P03", "!P03"},
      {5, padded(half, 2, 0), "", ""},
      {6, padded(half, 2, 1), "", "!P13"},
      {8, padded(periodic(half), 2, 1), "", "V09 !P13"},
      {5, padded(half, 6, 0), "P17", "P17"},
      {0, padded(blocked(10, 3, 2, 10, 10), 1, 0), "A12", "A12"},
      {1, padded(blocked(10, 3, 2, 10, 10), 1, 0), "A12 !E02", "A12 !E02"},
      {2, padded(blocked(10, 3, 1, 4, 4), 1, 1), "B06", "A12 !E02"},
      {0, padded(blocked(10, 3, 1, 4, 4), 0, 0), "B06", ""},
      {4, padded(middle, INT64_MAX, INT64_MAX), "!P13", "!V05"},
      {4, padded(middle, 3, 2), "!P13", "!V05"},
  });
}

TEST(Parse, PaddingInsideTheRangeOfVersionTen) {
  const Dictionary middle = with(blocked(12, 3, 1, 3, 10), "padding", widths(1, 2));
  const auto parsed = parse(description("0.10.0", doubles({7}), {middle}));
  ASSERT_TRUE(parsed.array);
  EXPECT_EQ(parsed.array->dimension(0), Dimension(12, Block{{3, 1}, {4, 8}, {}, {1, 2}, true}));
  // Padding that leaves no owned elements.
  const Dictionary none_owned = with(blocked(12, 3, 1, 3, 5), "padding", widths(1, 1));
  const auto nothing = parse(description("0.10.0", doubles({2}), {none_owned}));
  ASSERT_TRUE(nothing.array);
  EXPECT_EQ(nothing.array->owned_count(), 0);
  EXPECT_EQ(nothing.array->local_count(), 2);
}

// --- cyclic

TEST(Parse, Cyclic) {
  const Dictionary second = dealt(10, 3, 1, 1);
  expect_findings({
      {3, second, "", ""},
      {3, without(second, "start"), "!C01", "!C01"},
      {3, with(second, "start", Value()), "!C01", "!C01"},
      {3, with(second, "start", -1), "!C02", "!C02"},
      {3, with(second, "start", 11), "!C03", "!C03"},
      {0, dealt(3, 5, 4, 4), "C03", "C03"},
      {0, dealt(3, 5, 4, 3), "", ""},
      {1, dealt(3, 5, 4, 3), "!E02", "!E02"},
      {4, with(dealt(10, 2, 1, 3), "block_size", 3), "", ""},
      {6, with(dealt(10, 2, 0, 0), "block_size", 3), "", ""},
      {3, with(second, "block_size", 1), "", ""},
      {3, with(second, "block_size", 0), "!C05", "!C05"},
      {3, with(second, "block_size", Foreign{"float"}), "!C05", "!C05"},
      {3, with(dealt(10, 2, 1, 4), "block_size", 3), "!C09", "!C09"},
      {4, dealt(10, 3, 1, 0), "C10", "C10"},
      {3, dealt(10, 3, 1, 7), "!C11", "!C11"},
      {4, second, "!C12", "!C12"},
      {3, with(second, "stop", 10), "~C14", "~C14"},
      {3, with(second, "periodic", true), "~C15", "~C15"},
      {3, with(second, "padding", widths(0, 0)), "P18", "P18"},
      {3, with(second, "padding", widths(1, 0)), "!P18", "!P18"},
      {3, with(second, "padding", 0), "!P02", "!P02"},
  });
}

// --- unstructured

TEST(Parse, Unstructured) {
  std::vector<Index> memory = {7, -3, 1000};
  const Dictionary sound = listed(10, 2, 1, buffer_on(memory));
  const Dictionary empty = listed(10, 2, 1, tuple({}));
  expect_findings({
      {3, sound, "", ""},
      {3, without(sound, "indices"), "!U01", "!U01"},
      {3, with(sound, "indices", "7 -3 1000"), "!U02", "!U02"},
      {3, with(sound, "indices", list({7, -3, 1000})), "A10", "A10"},
      {3, with(sound, "indices", list({7, Foreign{"float"}, 1000})), "A10 !U02", "A10 !U02"},
      {3, with(sound, "indices", list({7, true, 1000})), "A10 !U02", "A10 !U02"},
      {3, with(sound, "indices", list({list({7}), list({8}), list({9})})), "A10 !U03", "A10 !U03"},
      {2, sound, "!U06", "!U06"},
      {0, empty, "A10", "A10"},
      {1, empty, "A10 !E04", "A10 !E04"},
      {3, with(sound, "one_to_one", true), "", ""},
      {3, with(sound, "one_to_one", 1), "!U07", "!U07"},
      {3, with(sound, "periodic", true), "~C15", "~C15"},
      {3, with(sound, "padding", widths(0, 1)), "!P18", "!P18"},
      {3, without(sound, "proc_grid_rank"), "!D16", "!D16"},
  });
}

// --- several findings

TEST(Parse, FindsEverythingInAFixedOrder) {
  const Dictionary broken = with(with(without(half, "size"), "stop", "x"), "padding", 1);
  const Dictionary description = with(
      test::description("0.9.0", doubles({5, 4}),
                        {broken, with(none(-4), "zebra", 1), with(blocked(9, 2, 2, 4, 9), "a", 1)}),
      "extra", 1);
  EXPECT_EQ(judged(description), "~T04 !D06 !B03 !P02 ~D27 ~D27 !D08 !D18");
  const Report report = parse(description).report;
  EXPECT_EQ(report.findings()[1].dimension, 0);
  EXPECT_EQ(report.findings()[4].dimension, 1);
  EXPECT_EQ(report.findings()[6].dimension, 1);
  EXPECT_EQ(report.findings()[7].dimension, 2);
  EXPECT_THROW(parse_or_throw(description), Malformed);
}

TEST(Parse, OrderOfKeysDoesNotMatter) {
  Dictionary dimension = with(with(with(half, "b", 1), "a", 1), "padding", widths(-1, 0));
  std::sort(dimension.items.begin(), dimension.items.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  const auto findings = [](const Dictionary& map) {
    return parse(description("0.9.0", doubles({5}), {map})).report.findings();
  };
  const auto expected = findings(dimension);
  ASSERT_EQ(expected.size(), 3U);
  for (int i = 0; i < 200; ++i) {
    std::next_permutation(dimension.items.begin(), dimension.items.end(),
                          [](const auto& x, const auto& y) { return x.first < y.first; });
    EXPECT_EQ(findings(dimension), expected);
  }
}

// --- the specification's examples

TEST(Parse, FirstExample) {
  for (const Index rank : {0, 1}) {
    const Dictionary rows = blocked(2, 2, rank, rank, rank + 1);
    const auto parsed = parse(description("0.9.0", doubles({10}), {rows, none(10)}));
    ASSERT_TRUE(parsed.array);
    EXPECT_EQ(rules_of(parsed.report), "A03");
    EXPECT_EQ(parsed.array->global_shape(), (std::vector<Index>{2, 10}));
    EXPECT_EQ(parsed.array->local_shape(), (std::vector<Index>{1, 10}));
  }
}

TEST(Parse, SecondExample) {
  const auto section = [](Index rank, Index start, Index stop) {
    return *parse(description("0.9.0", doubles({10}),
                              {with(blocked(18, 2, rank, start, stop), "padding", widths(1, 1))}))
                .array;
  };
  const Section first = section(0, 0, 9);
  const Section second = section(1, 9, 18);
  EXPECT_EQ(first.local_shape()[0], 10);
  EXPECT_EQ(second.local_shape()[0], 10);
  EXPECT_EQ(first.owned_shape()[0], 9);
  EXPECT_EQ(second.owned_shape()[0], 9);
  EXPECT_EQ(first.dimension(0), Dimension(18, Block{{2, 0}, {0, 9}, {1, 0}, {0, 1}, true}));
  EXPECT_EQ(second.dimension(0), Dimension(18, Block{{2, 1}, {9, 18}, {0, 1}, {1, 0}, true}));
}

TEST(Parse, ThirdExample) {
  const std::vector<std::vector<Value>> indices = {
      {19, 1, 0, 12, 2, 15, 4}, {6, 13, 3}, {10, 25, 5,  21, 7, 18, 11, 26, 29, 24,
                                             23, 28, 14, 20, 9, 16, 27, 8,  17, 22}};
  std::vector<int> owners(30, 0);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto extent = static_cast<Index>(indices[rank].size());
    const auto parsed =
        parse(description("0.9.0", doubles({extent}),
                          {listed(30, 3, static_cast<Index>(rank), list(indices[rank]))}));
    ASSERT_TRUE(parsed.array);
    EXPECT_EQ(rules_of(parsed.report), "A10");
    for (const Index i : parsed.array->dimension(0).as<Unstructured>()->indices)
      ++owners.at(static_cast<std::size_t>(i));
  }
  EXPECT_EQ(owners, std::vector<int>(30, 1));
}

TEST(Parse, PaddingTableOfVersionTen) {
  const Index lower[] = {4, 1, 2, 3};
  const Index upper[] = {1, 2, 3, 0};
  for (Index rank = 0; rank < 4; ++rank) {
    const Index start = 10 * rank - (rank > 0 ? lower[rank] : 0);
    const Index stop = 10 * (rank + 1) + (rank < 3 ? upper[rank] : 0);
    const auto parsed = parse(description(
        "0.10.0", doubles({stop - start}),
        {with(blocked(40, 4, rank, start, stop), "padding", widths(lower[rank], upper[rank]))}));
    ASSERT_TRUE(parsed.array) << rank;
    EXPECT_EQ(rules_of(parsed.report), "");
    const Dimension& dimension = parsed.array->dimension(0);
    EXPECT_EQ(dimension.as<Block>()->owned, (IndexRange{10 * rank, 10 * rank + 10}));
    EXPECT_EQ(dimension.boundary_padding(), (Padding{rank == 0 ? 4 : 0, 0}));
    EXPECT_EQ(dimension.local_extent(), stop - start);
  }
}

TEST(Parse, FormsWithoutMeaningAreOne) {
  const auto dimension = [](Index extent, const Dictionary& map) {
    return parse(description("0.9.0", doubles({extent}), {map})).array->dimension(0);
  };
  EXPECT_EQ(dimension(0, dealt(3, 5, 4, 4)), dimension(0, dealt(3, 5, 4, 3)));
  const Dictionary empty = blocked(10, 3, 2, 10, 10);
  EXPECT_EQ(dimension(0, with(empty, "padding", widths(1, 0))),
            dimension(0, with(empty, "padding", widths(0, 0))));
}

}  // namespace
}  // namespace daptor
