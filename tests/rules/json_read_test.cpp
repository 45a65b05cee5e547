// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <istream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "endless.hpp"
#include "everywhere.hpp"
#include "recorded_judge.hpp"

namespace daptor {
namespace {

using test::Endless;
using test::judge;
using test::read_text;

/// The finding of the refusal; its rule is "read" if the text was read.
Finding refusal(const std::string& text) {
  try {
    read_text(text);
  } catch (const Unreadable& error) {
    return error.finding();
  }
  Finding none;
  none.rule = "read";
  return none;
}

Finding refusal(Endless& endless, const ReadLimits& limits = {}) {
  std::istream in(&endless);
  try {
    read_recorded(in, limits);
  } catch (const Unreadable& error) {
    return error.finding();
  }
  Finding none;
  none.rule = "read";
  return none;
}

/// The largest amount of memory that this process has had so far, in MiB.
/// The largest memory since the program began, or since the last forget_peak().
long peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// One rank: a buffer of three doubles and one dimension with these keys.
std::string rank_with(const std::string& dimension) {
  return R"({"ranks": [{"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [3]},
             "dim_data": [{"dist_type": "u", "size": 3, "proc_grid_size": 1, "proc_grid_rank": 0, )" +
         dimension + "}]}]}";
}

const Value& dimension_of(const Recorded& recorded) {
  const auto* map = std::get<Value>(recorded.ranks.at(0)).as<Dictionary>();
  return map->find("dim_data")->as<Sequence>()->items.at(0);
}

const Value& value_of(const Recorded& recorded, const char* key) {
  return *dimension_of(recorded).as<Dictionary>()->find(key);
}

TEST(ReadJson, TheWholeFormat) {
  const Recorded recorded = read_text(R"({
    "format": 1, "name": "two rows", "nranks": 2, "comment": {"of": ["nobody"]},
    "ranks": [
      {"__version__": "0.9.0",
       "buffer": {"dtype": "<f8", "shape": [1, 10], "strides": [80, 8], "readonly": true,
                  "order": "C"},
       "dim_data": [{"dist_type": "b", "size": 2, "proc_grid_size": 2, "proc_grid_rank": 0,
                     "start": 0, "stop": 1}, {"dist_type": "n", "size": 10}]},
      {"__version__": "0.9.0",
       "buffer": {"format": "d", "shape": [1, 10], "strides": null},
       "dim_data": [{"dist_type": "b", "size": 2, "proc_grid_size": 2, "proc_grid_rank": 1,
                     "start": 1, "stop": 2}, {"dist_type": "n", "size": 10}]}]})");
  EXPECT_EQ(recorded.name, "two rows");
  EXPECT_EQ(recorded.nranks, 2);
  EXPECT_FALSE(recorded.partial());
  EXPECT_TRUE(recorded.notes.findings().empty());
  EXPECT_TRUE(judge(recorded).findings().empty()) << judge(recorded);
  const Section first = parse_or_throw(std::get<Value>(recorded.ranks[0]));
  EXPECT_TRUE(first.readonly());
  EXPECT_EQ(first.byte_strides(), (std::vector<Index>{80, 8}));
  const Section second = parse_or_throw(std::get<Value>(recorded.ranks[1]));
  EXPECT_FALSE(second.readonly());
  EXPECT_EQ(second.type(), DataType::of<double>());
}

TEST(ReadJson, FewerRanksThanTheArrayHas) {
  const Recorded recorded = read_text(R"({"nranks": 5, "ranks": [{}, 7]})");
  EXPECT_EQ(recorded.nranks, 5);
  EXPECT_EQ(recorded.ranks.size(), 2U);
  EXPECT_TRUE(recorded.partial());
  EXPECT_EQ(recorded.name, "");
}

TEST(ReadJson, AProducerThatFailed) {
  const Recorded recorded = read_text(
      R"({"ranks": [{"error": "no memory"}, {"error": 5}, {"error": "x", "buffer": 1}]})");
  ASSERT_NE(std::get_if<ProducerError>(&recorded.ranks[0]), nullptr);
  EXPECT_EQ(std::get<ProducerError>(recorded.ranks[0]).text, "no memory");
  EXPECT_EQ(std::get_if<ProducerError>(&recorded.ranks[1]), nullptr);
  EXPECT_EQ(std::get_if<ProducerError>(&recorded.ranks[2]), nullptr);
  EXPECT_EQ(judge(recorded).verdict(), Verdict::producer_failed);
}

TEST(ReadJson, IntegersOfAnyWidth) {
  struct Case {
    std::string text;
    bool fits;
    Index value;
  };
  const std::string googol = "1" + std::string(100, '0');
  const std::string wide(5000, '7');
  for (const Case& c :
       {Case{"9223372036854775807", true, INT64_MAX}, Case{"-9223372036854775808", true, INT64_MIN},
        Case{"2147483648", true, Index{1} << 31}, Case{"-0", true, 0},
        Case{"9223372036854775808", false, 0}, Case{"-9223372036854775809", false, 0},
        Case{"18446744073709551616", false, 0},
        Case{"1606938044258990275541962092341162602522202993782792835301376", false, 0},
        Case{googol, false, 0}, Case{wide, false, 0}, Case{"-" + wide, false, 0}}) {
    SCOPED_TRACE(c.text.substr(0, 80));
    const Recorded recorded = read_text(rank_with("\"x\": [" + c.text + "]"));
    const auto* integer = value_of(recorded, "x").as<Sequence>()->items.at(0).as<Integer>();
    ASSERT_NE(integer, nullptr);
    EXPECT_EQ(integer->fits, c.fits);
    if (c.fits) {
      EXPECT_EQ(integer->value, c.value);
    } else {
      EXPECT_EQ(integer->text.substr(0, 60), c.text.substr(0, 60));
      EXPECT_LE(integer->text.size(), 102U);
    }
  }
}

TEST(ReadJson, NumbersThatAreNoIntegers) {
  const std::string digits(400, '1');
  for (const std::string& text :
       {std::string("1.0"), std::string("1e2"), std::string("-0.5"), std::string("1E-999"),
        std::string("1e999"), std::string("1e+0000000009999"), digits + "." + digits,
        digits + ".5e" + digits}) {
    SCOPED_TRACE(text.substr(0, 80));
    const Recorded recorded = read_text(rank_with("\"x\": " + text));
    const auto* foreign = value_of(recorded, "x").as<Foreign>();
    ASSERT_NE(foreign, nullptr);
    EXPECT_EQ(foreign->type_name, "float");
  }
  EXPECT_EQ(value_of(read_text(rank_with("\"x\": null")), "x").as<Foreign>()->type_name, "null");
}

TEST(ReadJson, DigitsInTextAreText) {
  const std::string digits(5000, '4');
  const Recorded recorded = read_text(rank_with("\"x\": \"" + digits + "\\\"" + digits + "\""));
  EXPECT_EQ(*value_of(recorded, "x").as<std::string>(), digits + '"' + digits);
}

TEST(ReadJson, ArraysCountAsTuplesWhereTuplesAreAskedFor) {
  const Recorded recorded = read_text(rank_with(R"("padding": [0, 0], "indices": [2, 0, 1])"));
  const auto* map = std::get<Value>(recorded.ranks[0]).as<Dictionary>();
  EXPECT_TRUE(map->find("dim_data")->as<Sequence>()->tuple);
  EXPECT_TRUE(value_of(recorded, "padding").as<Sequence>()->tuple);
  EXPECT_FALSE(value_of(recorded, "indices").as<Sequence>()->tuple);
}

TEST(ReadJson, TypedIndicesAreBuffersOfThatType) {
  for (const char* type : {"|i1", "|u1", "<i2", ">i2", "<u4", ">i4", "<i8", ">i8", "<u8"}) {
    SCOPED_TRACE(type);
    const Recorded recorded = read_text(rank_with(std::string(R"("indices": {"dtype": ")") + type +
                                                  R"(", "values": [100, 0, 7]})"));
    const RawBuffer* raw = value_of(recorded, "indices").buffer();
    ASSERT_NE(raw, nullptr);
    EXPECT_EQ(raw->format, DataType::from_typestr(type)->format());
    EXPECT_TRUE(judge(recorded).findings().empty()) << judge(recorded);
    const Section array = parse_or_throw(std::get<Value>(recorded.ranks[0]));
    EXPECT_EQ(array.dimension(0).as<Unstructured>()->indices,
              IndexList(std::vector<Index>{100, 0, 7}));
  }
}

TEST(ReadJson, NegativeIndicesKeepTheirSign) {
  for (const char* type : {"|i1", ">i2", "<i4", ">i8"}) {
    const Recorded recorded = read_text(rank_with(std::string(R"("indices": {"dtype": ")") + type +
                                                  R"(", "values": [-1, 0, -128]})"));
    const Section array = parse_or_throw(std::get<Value>(recorded.ranks[0]));
    EXPECT_EQ(array.dimension(0).as<Unstructured>()->indices,
              IndexList(std::vector<Index>{-1, 0, -128}));
  }
}

TEST(ReadJson, TypedIndicesThatAreNone) {
  for (const char* indices :
       {R"({"dtype": "|i1", "values": [1, 0, 128]})", R"({"dtype": "|u1", "values": [1, 0, -1]})",
        R"({"dtype": "<i4", "values": [1, 0, 2147483648]})",
        R"({"dtype": "<i8", "values": [1, 0, 9223372036854775808]})",
        R"({"dtype": "<f8", "values": [1, 0, 2]})", R"({"dtype": "<i8", "values": [1, true, 2]})",
        R"({"dtype": "<i8", "values": 3})", R"({"dtype": 8, "values": [1, 0, 2]})",
        R"({"values": [1, 0, 2]})", R"({"dtype": "<i8"})", R"("1 0 2")", "null", "true"}) {
    SCOPED_TRACE(indices);
    const Report report = judge(read_text(rank_with(std::string("\"indices\": ") + indices)));
    EXPECT_EQ(report.verdict(), Verdict::malformed);
    EXPECT_TRUE(report.has("U02")) << report;
  }
}

TEST(ReadJson, OfAKeyTwiceTheLastCountsAndANoteIsTaken) {
  const Recorded recorded = read_text(
      R"({"ranks": [{"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [3]},
          "dim_data": [{"dist_type": "n", "size": 4, "size": 5, "size": 3}]}, {}, {}],
          "name": "a", "name": "b"})");
  EXPECT_EQ(recorded.name, "b");
  EXPECT_EQ(dimension_of(recorded).as<Dictionary>()->items.size(), 2U);
  EXPECT_EQ(value_of(recorded, "size").as<Integer>()->value, 3);
  ASSERT_EQ(recorded.notes.findings().size(), 3U);
  const Finding& note = recorded.notes.findings()[0];
  EXPECT_EQ(note.rule, "json.duplicate-key");
  EXPECT_EQ(note.severity, Severity::note);
  EXPECT_EQ(note.key, "size");
  EXPECT_EQ(note.ranks, std::vector<int>{0});
  EXPECT_EQ(recorded.notes.findings()[2].key, "name");
  EXPECT_TRUE(recorded.notes.findings()[2].ranks.empty());
}

TEST(ReadJson, WhatIsNoJsonIsRefusedWithThePlace) {
  struct Case {
    const char* text;
    const char* found;
  };
  for (const Case& c :
       {Case{"", "an empty file"}, Case{" \n\t ", "line 2, column 2"}, Case{"{", "line 1"},
        Case{"hello", "line 1, column 1"}, Case{"{\"ranks\": [1,\n  2,,]}", "line 2, column 5"},
        Case{"{\"ranks\": [{}]} {}", "line 1, column 17"}, Case{"{\"ranks\": [01]}", "line 1"},
        Case{"{\"ranks\": [NaN]}", "line 1"}, Case{"{'ranks': []}", "line 1, column 2"},
        Case{"{\"ranks\": [\"\xff\xfe\"]}", "line 1"}, Case{"\xff\xd8\xff\xe0 jpeg", "line 1"},
        Case{"{\"ranks\": [\"\\ud800\"]}", "line 1"}, Case{"{\"ranks\": [\"a\nb\"]}", "line"}}) {
    SCOPED_TRACE(c.text);
    const Finding finding = refusal(c.text);
    EXPECT_EQ(finding.rule, "json.syntax");
    EXPECT_EQ(finding.found.str().find("nlohmann"), std::string::npos) << finding.found;
    EXPECT_EQ(finding.found.str().find(c.found), 0U) << finding.found;
  }
  EXPECT_EQ(refusal(std::string("{\"ranks\": [{}]\0}", 16)).rule, "json.syntax");
  EXPECT_EQ(refusal(std::string("{\"ranks\": []}\0{}", 16)).rule, "json.syntax") << "the rest";
}

TEST(ReadJson, JsonThatIsNoRecordedArrayIsRefused) {
  for (const char* text :
       {"[]", "7", "null", "\"ranks\"", "{}", R"({"ranks": {}})", R"({"ranks": []})",
        R"({"ranks": null})", R"({"rank": [{}]})", R"({"format": 2, "ranks": [{}]})",
        R"({"format": "1", "ranks": [{}]})", R"({"nranks": 0, "ranks": [{}]})",
        R"({"nranks": -1, "ranks": [{}]})", R"({"nranks": 1, "ranks": [{}, {}]})",
        R"({"nranks": 2147483648, "ranks": [{}]})", R"({"nranks": true, "ranks": [{}]})",
        R"({"nranks": 1.0, "ranks": [{}]})",
        R"({"nranks": 99999999999999999999, "ranks": [{}]})"}) {
    const Finding finding = refusal(text);
    EXPECT_EQ(finding.rule, "json.form") << text << ": " << finding;
    EXPECT_FALSE(finding.expected.empty()) << text;
  }
}

TEST(ReadJson, AnythingUnderARankIsKeptForTheParser) {
  for (
      const char* rank :
      {"null", "true", "0", "\"x\"", "[]", "{}", "[[[[[[]]]]]]",
       R"({"__version__": {}, "buffer": [], "dim_data": {"a": [1]}})",
       R"({"__version__": "0.9.0", "buffer": {"dtype": [], "shape": "x"}, "dim_data": [null, [[]]]})",
       R"({"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [-1, 1e9]}, "dim_data": [{}]})",
       R"({"": 1, "\u0000": 2, "dim_data": [{"dist_type": "\u0000"}]})"}) {
    SCOPED_TRACE(rank);
    const Report report = judge(read_text(std::string("{\"ranks\": [") + rank + "]}"));
    EXPECT_EQ(report.verdict(), Verdict::malformed) << report;
  }
}

TEST(ReadJson, DepthIsLimited) {
  const auto nested = [](int depth) {
    std::string text(static_cast<std::size_t>(depth), '[');
    return "{\"ranks\": [" + text + std::string(text.size(), ']') + "]}";
  };
  EXPECT_EQ(refusal(nested(62)).rule, "read");
  const Finding finding = refusal(nested(63));
  EXPECT_EQ(finding.rule, "json.limit");
  EXPECT_NE(finding.found.str().find("64 arrays and objects"), std::string::npos) << finding.found;
  EXPECT_NE(finding.found.str().find("line 1, column 74"), std::string::npos) << finding.found;
}

TEST(ReadJson, AGigabyteOfBracketsIsRefusedAtOnce) {
  forget_peak();
  const long before = peak_mebibytes();
  for (const char* bracket : {"[", "{\"a\":", "[[],"}) {
    Endless endless("", bracket, std::uint64_t{1} << 30, "");
    EXPECT_EQ(refusal(endless).rule, "json.limit");
    EXPECT_LT(endless.bytes_read(), std::uint64_t{1} << 20);
  }
  EXPECT_LT(peak_mebibytes() - before, 32);
}

TEST(ReadJson, LongTextAndManyValuesAreLimited) {
  forget_peak();
  const long before = peak_mebibytes();
  Endless text("{\"ranks\": [\"", "abcdefgh", std::uint64_t{1} << 27, "\"]}");
  const Finding long_text = refusal(text);
  EXPECT_EQ(long_text.rule, "json.limit");
  EXPECT_NE(long_text.found.str().find("1048576 bytes"), std::string::npos) << long_text.found;

  Endless key("{\"ranks\": [{\"", "abcdefgh", std::uint64_t{1} << 27, "\": 1}]}");
  EXPECT_EQ(refusal(key).rule, "json.limit");

  ReadLimits few;
  few.values = 100'000;
  Endless values("{\"ranks\": [[", "0,", std::uint64_t{1} << 29, "0]]}");
  EXPECT_EQ(refusal(values, few).rule, "json.limit");

  Endless number("{\"ranks\": [", "12345678", std::uint64_t{1} << 20, "]}");
  EXPECT_EQ(refusal(number).rule, "read");

  EXPECT_LT(peak_mebibytes() - before, 64);
}

TEST(ReadJson, TypedIndicesDoNotCountAsValues) {
  ReadLimits few;
  few.values = 500;
  std::string list;
  for (int i = 0; i < 1000; ++i) list += (i == 0 ? "" : ",") + std::to_string(i);
  const std::string rank = "{\"indices\": {\"dtype\": \"<i4\", \"values\": [" + list + "]}}";
  std::string ranks = rank;
  for (int r = 1; r < 20; ++r) ranks += "," + rank;
  EXPECT_EQ(read_text("{\"ranks\": [" + ranks + "]}", few).ranks.size(), 20U);
  few.indices = 10'000;
  EXPECT_THROW(read_text("{\"ranks\": [" + ranks + "]}", few), Unreadable);
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("daptor-json-" + std::to_string(static_cast<long>(getpid())));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string rule_of(const std::string& path) {
    try {
      read_recorded_file(path);
    } catch (const Unreadable& error) {
      EXPECT_NE(std::string(error.what()).find("found"), std::string::npos) << error.what();
      return error.rule();
    }
    return "read";
  }

  std::filesystem::path folder_;
};

TEST_F(Files, AreReadOrRefusedWithASentence) {
  const std::string path = folder_ / "array.json";
  EXPECT_EQ(rule_of(path), "json.file");
  EXPECT_EQ(rule_of(folder_), "json.file");
  EXPECT_EQ(rule_of(path + "/below"), "json.file");
  std::ofstream(path).close();
  EXPECT_EQ(rule_of(path), "json.syntax");
  std::ofstream(path) << R"({"ranks": [{}]})";
  EXPECT_EQ(rule_of(path), "read");
}

TEST_F(Files, AStreamThatFailsWhileItIsReadIsRefused) {
  struct Failing final : std::streambuf {
    int_type underflow() override { throw std::runtime_error("cable pulled"); }
  } failing;
  std::istream in(&failing);
  test::expect_refused<Unreadable>("json.file", [&] { read_recorded(in); });
}

}  // namespace
}  // namespace daptor
