// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "daptor/builders.hpp"
#include "daptor/rules.hpp"
#include "recorded_judge.hpp"
#include "rules/examples.hpp"

namespace daptor {
namespace {

using test::read_text;

std::string text_of(const Recorded& recorded) {
  std::ostringstream out;
  write_recorded(out, recorded);
  return out.str();
}

TEST(WriteJson, ADescriptionOnALineForEachDimension) {
  std::vector<double> row(10);
  std::vector<Section> arrays;
  for (Index rank = 0; rank < 2; ++rank)
    arrays.push_back(describe(row.data(), {block(2, {2, rank}), undistributed(10)}));
  EXPECT_EQ(text_of(record("2 x 10, block x undistributed", arrays)), R"({
  "format": 1,
  "name": "2 x 10, block x undistributed",
  "nranks": 2,
  "ranks": [
    {
      "__version__": "0.9.0",
      "buffer": {"dtype": "<f8", "shape": [1, 10], "strides": [80, 8], "readonly": false},
      "dim_data": [
        {"dist_type": "b", "size": 2, "proc_grid_size": 2, "proc_grid_rank": 0, "start": 0, "stop": 1},
        {"dist_type": "n", "size": 10}
      ]
    },
    {
      "__version__": "0.9.0",
      "buffer": {"dtype": "<f8", "shape": [1, 10], "strides": [80, 8], "readonly": false},
      "dim_data": [
        {"dist_type": "b", "size": 2, "proc_grid_size": 2, "proc_grid_rank": 1, "start": 1, "stop": 2},
        {"dist_type": "n", "size": 10}
      ]
    }
  ]
}
)");
}

/// Every example of the rules, written and read back, gives the same text and the same verdict.
TEST(WriteJson, WhatIsWrittenReadsBackTheSame) {
  for (const protocol::Rule& rule : protocol::rules()) {
    for (const examples::RuleExample& example : examples::of(rule)) {
      SCOPED_TRACE(std::string(rule.id) + "\n" + example.description);
      const Recorded once = read_text(example.description);
      const std::string written = text_of(once);
      const Recorded twice = read_text(written);
      EXPECT_EQ(text_of(twice), written);
      EXPECT_EQ(test::judge(twice).findings(), test::judge(once).findings());
    }
  }
}

TEST(WriteJson, IndexListsAreReadFromMemory) {
  std::vector<double> values(3);
  const auto a =
      describe(values.data(), {unstructured(3, {1, 0}, IndexList(std::vector<Index>{-7, 0, 5}))});
  const std::string written = text_of(record("", {a}));
  EXPECT_NE(written.find(R"("indices": {"dtype": "<i8", "values": [-7, 0, 5]})"), std::string::npos)
      << written;
  EXPECT_EQ(written.find("name"), std::string::npos);
  const Recorded back = read_text(written);
  const Section b = parse_or_throw(std::get<Value>(back.ranks.at(0)));
  EXPECT_EQ(b.dimension(0), a.dimension(0));
}

TEST(WriteJson, WhatIsOwnedIsReadFromMemory) {
  std::vector<double> values(3);
  const OwnedPart parts[] = {2, OwnedPart::run({1, 3}), OwnedPart::at({0, 2})};
  for (const OwnedPart& owned : parts) {
    const auto a = describe(
        values.data(), {unstructured(9, {1, 0}, IndexList(std::vector<Index>{7, 0, 5}), owned)});
    const Recorded back = read_text(text_of(record("", {a})));
    EXPECT_EQ(parse_or_throw(std::get<Value>(back.ranks.at(0))).dimension(0), a.dimension(0));
  }
  RawBuffer mask;
  mask.format = "?";
  mask.itemsize = 1;
  mask.shape = {3};
  bool flags[] = {true, false, true};
  mask.data = flags;
  Dictionary map;
  map.set("owned", mask);
  Recorded recorded;
  recorded.nranks = 1;
  recorded.ranks.emplace_back(Value(map));
  EXPECT_NE(text_of(recorded).find(R"("owned": [true, false, true])"), std::string::npos);
}

TEST(WriteJson, StridedAndSwappedIndices) {
  const auto memory = std::make_shared<std::vector<unsigned char>>(
      std::vector<unsigned char>{0xff, 0xfe, 9, 9, 0x01, 0x02, 9, 9});
  RawBuffer raw;
  raw.format = ">h";
  raw.itemsize = 2;
  raw.shape = {2};
  raw.has_strides = true;
  raw.byte_strides = {4};
  raw.data = memory->data();
  raw.state = plain_memory(memory);
  Dictionary map;
  map.set("indices", raw);
  Recorded recorded;
  recorded.nranks = 1;
  recorded.ranks.emplace_back(Value(map));
  EXPECT_NE(text_of(recorded).find(R"({"dtype": ">i2", "values": [-2, 258]})"), std::string::npos)
      << text_of(recorded);
}

TEST(WriteJson, IndicesThatCannotBeReadAreDescribedOnly) {
  RawBuffer raw;
  raw.format = "l";
  raw.itemsize = 8;
  raw.shape = {5};
  Dictionary map;
  map.set("indices", raw);
  Recorded recorded;
  recorded.nranks = 1;
  for (const auto& shape : {std::vector<std::int64_t>{5}, std::vector<std::int64_t>{2, 2},
                            std::vector<std::int64_t>{-1}}) {
    raw.shape = shape;
    map.set("indices", raw);
    recorded.ranks = {Value(map)};
    EXPECT_NE(text_of(recorded).find("\"shape\""), std::string::npos);
    EXPECT_EQ(text_of(recorded).find("\"values\""), std::string::npos);
  }
}

TEST(WriteJson, HostileTextStaysJson) {
  Dictionary map;
  map.set("a\"b\\c\n\x01", Value("\xff\xfe quoted \" \xe2\x82\xac"));
  map.set("float", Foreign{"float"});
  map.set("none", Foreign{"NoneType"});
  map.set("wide", Integer{0, false, "1" + std::string(60, '0')});
  map.set("cut", Integer{0, false, "123456789012345678901234567890..."});
  map.set("strange", Integer{0, false, "huge"});
  RawBuffer raw;
  raw.format = "T{d:\"x\":}";
  raw.itemsize = 8;
  raw.shape = {1};
  map.set("buffer", raw);
  Recorded recorded;
  recorded.nranks = 3;
  recorded.ranks = {Value(map), ProducerError{"line\nbreak \xff"}, Value(Dictionary{})};
  const Recorded back = read_text(text_of(recorded));
  ASSERT_EQ(back.ranks.size(), 3U);
  const auto* read = std::get<Value>(back.ranks[0]).as<Dictionary>();
  ASSERT_NE(read, nullptr);
  EXPECT_NE(read->find("a\"b\\c\n\x01"), nullptr);
  EXPECT_EQ(read->find("float")->as<Foreign>()->type_name, "float");
  EXPECT_EQ(read->find("none")->as<Foreign>()->type_name, "null");
  EXPECT_EQ(read->find("wide")->as<Integer>()->text, "1" + std::string(60, '0'));
  EXPECT_EQ(read->find("cut")->as<Integer>()->text, "123456789012345678901234567890");
  EXPECT_FALSE(read->find("strange")->as<Integer>()->fits);
  EXPECT_EQ(*read->find("buffer")->as<Dictionary>()->find("format")->as<std::string>(), raw.format);
  EXPECT_NE(std::get_if<ProducerError>(&back.ranks[1]), nullptr);
}

TEST(WriteJson, NoDimensionsAndNoSections) {
  double scalar = 0;
  const std::string written = text_of(record("scalar", {describe(&scalar, {})}));
  EXPECT_NE(written.find("\"dim_data\": []"), std::string::npos) << written;
  EXPECT_TRUE(test::judge(read_text(written)).findings().empty());
}

}  // namespace
}  // namespace daptor
