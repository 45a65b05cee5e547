// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of careless or malicious producers give findings, and never a crash.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "descriptions.hpp"
#include "effort.hpp"
#include "given_texts.hpp"

namespace daptor {
namespace {

using namespace test;

std::string judge(const Value& description) {
  const Parsed parsed = parse(description);
  EXPECT_EQ(parsed.array.has_value(), static_cast<bool>(parsed.report));
  return rules_of(parsed.report);
}

std::string judge_buffer(const RawBuffer& raw) {
  return judge(description("0.9.0", raw, {none(5)}));
}

std::string judge_indices(Value indices, Index extent) {
  return judge(description("0.9.0", doubles({extent}), {listed(10, 2, 1, std::move(indices))}));
}

Value nested(int depth) {
  Value value(1);
  for (int level = 0; level < depth; ++level) value = tuple({value, level});
  return value;
}

const std::vector<Value>& hostile_values() {
  static const std::vector<Value> values = {
      Value(),
      true,
      false,
      0,
      -1,
      1,
      INT64_MAX,
      INT64_MIN,
      UINT64_MAX,
      Integer{0, false, "340282366920938463463374607431768211456"},
      Integer{0, false, std::string(5000, '9')},
      Foreign{"float"},
      Foreign{""},
      "",
      "b",
      std::string(100000, 'x'),
      std::string("b\0", 2),
      "\xff\xfe",
      tuple({}),
      list({1, 2}),
      tuple({INT64_MAX, INT64_MAX}),
      tuple({INT64_MIN, -1}),
      tuple({Foreign{"float"}, "1"}),
      nested(500),
      Dictionary(),
      Dictionary{{{"dist_type", "b"}, {"", 1}}},
      doubles({5}),
      RawBuffer()};
  return values;
}

// --- any value at any key

TEST(HostileParse, KeysAreNamedAsTheyAre) {
  for (const std::string& text : given_texts(false)) {
    const Parsed parsed =
        parse(description("0.9.0", doubles({5}), {with(none(5), text, Value(1))}));
    const auto& findings = parsed.report.findings();
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.key == text;
    })) << text;
  }
  for (const std::string& text : given_texts()) {
    const Parsed parsed =
        parse(description("0.9.0", doubles({5}), {with(none(5), text, Value(1))}));
    for (const Finding& finding : parsed.report.findings())
      for (const char c : finding.key) EXPECT_FALSE((c >= 0 && c < 0x20) || c == 0x7f) << finding;
  }
}

TEST(HostileParse, AnyValueAtAnyKeyIsAFinding) {
  std::vector<Index> memory = {1, 2, 3, 4, 5};
  const std::vector<Dictionary> sound = {
      with(with(none(5), "padding", widths(0, 0)), "periodic", true),
      with(with(blocked(10, 2, 0, 0, 5), "padding", widths(1, 0)), "periodic", false),
      with(dealt(10, 2, 0, 0), "block_size", 1),
      with(listed(10, 2, 0, buffer_on(memory)), "one_to_one", true)};
  int judged = 0, number = 0;
  for (const char* version : {"0.9.0", "0.10.0"}) {
    for (const Dictionary& dimension : sound) {
      for (const auto& [key, original] : dimension.items) {
        for (const Value& value : hostile_values()) {
          for (const Profile profile : {Profile::recommended, Profile::strict}) {
            if (!tried(++number, 3)) continue;
            const Parsed parsed =
                parse(description(version, doubles({5}), {with(dimension, key, value)}), profile);
            ASSERT_EQ(parsed.array.has_value(), static_cast<bool>(parsed.report)) << key;
            for (const Finding& finding : parsed.report.findings())
              ASSERT_LE(to_string(finding).size(), 600U) << "messages stay short";
            ++judged;
          }
        }
      }
    }
  }
  EXPECT_GT(judged, thinned() ? 600 : 2000);
}

TEST(HostileParse, AnyValueAtTheTopIsAFinding) {
  const Dictionary sound = description("0.9.0", doubles({5}), {none(5)});
  for (const Value& value : hostile_values()) {
    EXPECT_FALSE(parse(value).array);
    for (const char* key : {"__version__", "buffer", "dim_data"}) {
      const Parsed parsed = parse(with(sound, key, value));
      const bool same_buffer = std::strcmp(key, "buffer") == 0 && value.buffer() != nullptr &&
                               value.buffer()->format == "d";
      EXPECT_EQ(parsed.array.has_value(), same_buffer) << key << ' ' << value.text();
    }
    EXPECT_FALSE(parse(with(sound, "dim_data", tuple({value}))).array);
  }
}

TEST(HostileParse, RandomDictionariesAreJudged) {
  std::mt19937 random(20140317);
  const std::vector<Value>& values = hostile_values();
  const std::vector<std::string> keys = {
      "dist_type", "size",     "proc_grid_size", "proc_grid_rank", "start",      "stop",
      "padding",   "periodic", "block_size",     "indices",        "one_to_one", "other"};
  const std::vector<Value> types = {"n", "b", "c", "u"};
  const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
  for (int round = 0; round < rounds(20000); ++round) {
    std::vector<Value> dimensions;
    std::vector<Index> shape;
    for (unsigned d = random() % 4; d > 0; --d) {
      Dictionary map;
      for (const std::string& key : keys)
        if (random() % 8 != 0) map.items.emplace_back(key, static_cast<Index>(random() % 4));
      if (random() % 4 != 0) map.set("dist_type", pick(types));
      if (random() % 2 != 0) map.set("periodic", random() % 2 == 0);
      if (random() % 2 != 0) map.set("padding", widths(random() % 3, random() % 3));
      if (random() % 3 == 0) map.items.emplace_back(pick(keys), pick(values));
      dimensions.push_back(std::move(map));
      shape.push_back(static_cast<Index>(random() % 4));
    }
    const char* version = random() % 2 == 0 ? "0.9.0" : "0.10.0";
    const Parsed parsed = parse(description(version, doubles(shape), dimensions));
    ASSERT_EQ(parsed.array.has_value(), static_cast<bool>(parsed.report));
    if (!parsed.array) continue;
    Index count = 1;
    for (int d = 0; d < parsed.array->ndim(); ++d)
      count *= parsed.array->dimension(d).local_extent();
    ASSERT_EQ(parsed.array->local_count(), count);
    ASSERT_LE(parsed.array->owned_count(), count);
  }
}

// --- numbers

TEST(HostileParse, NumbersBeyondSixtyFourBitsAreFindings) {
  const Dictionary half = blocked(10, 2, 0, 0, 5);
  const std::pair<const char*, const char*> rules[] = {{"size", "!D07"},
                                                       {"proc_grid_size", "!D13"},
                                                       {"proc_grid_rank", "!D17"},
                                                       {"start", "!B01"},
                                                       {"stop", "!B03"}};
  for (const auto& [key, rule] : rules) {
    for (const Value& value :
         {Value(UINT64_MAX), Value(Integer{0, false, std::string(1000, '1')})}) {
      const Parsed parsed = parse(description("0.9.0", doubles({5}), {with(half, key, value)}));
      EXPECT_EQ(rules_of(parsed.report), rule);
      EXPECT_EQ(parsed.report.findings()[0].found, value.text());
    }
  }
}

TEST(HostileParse, HugeArraysAreDescribedWithoutMemory) {
  const Index sizes[] = {(Index{1} << 31) - 1, Index{1} << 31, Index{1} << 32, INT64_MAX / 8};
  for (const Index size : sizes)
    EXPECT_EQ(judge(description("0.9.0", doubles({size}), {none(size)})), "");
  EXPECT_EQ(
      judge(description("0.9.0", doubles({0}), {blocked(INT64_MAX, 2, 1, INT64_MAX, INT64_MAX)})),
      "");
  EXPECT_EQ(judge(description("0.9.0", doubles({INT64_MAX}), {none(INT64_MAX)})), "!T10");
}

TEST(HostileParse, ProductsThatWrapAreFindings) {
  const Index half = Index{1} << 32;
  EXPECT_EQ(judge(description("0.9.0", doubles({half, half}), {none(half), none(half)})), "!T10")
      << "the buffer's bytes";
  EXPECT_EQ(judge(description("0.9.0", doubles({0}), {none(half), none(half)})), "!T10")
      << "the section's elements: 2^64 is not 0";
  const Dictionary wide = blocked(0, half, 0, 0, 0);
  EXPECT_EQ(judge(description("0.9.0", doubles({0, 0}), {wide, wide})), "!D14");
}

// --- buffers

TEST(HostileParse, BuffersThatLieAboutThemselves) {
  const RawBuffer sound = doubles({5});
  EXPECT_EQ(judge_buffer(sound), "");
  RawBuffer raw = sound;
  for (const char* format : {"", "Zi", "Ze", "<n", "3", "d3", "<", "T{d:x:", "T{d}}", "T{}y", "y",
                             "d:x", ":x:", "(2,3)", "(a)d", "&", "T", "-d", "\xff"}) {
    raw.format = format;
    EXPECT_EQ(judge_buffer(raw), "!T09") << format;
  }
  for (const char* format : {"x", "c", "10s", "4w", "dd", "O", "&d", "(2,3)d", "^T{d:x:=i:n:}",
                             "T{T{d:x:}:a: T{f:y:}:b:}", "X{i->d}"}) {
    raw.format = format;
    EXPECT_EQ(judge_buffer(raw), "!A26") << format;
  }
  raw = sound;
  for (const Index itemsize : {Index{0}, Index{-8}, Index{4}, Index{16}, INT64_MAX}) {
    raw.itemsize = itemsize;
    EXPECT_EQ(judge_buffer(raw), "!T09") << itemsize;
  }
  raw = sound;
  raw.shape = {-5};
  EXPECT_EQ(judge_buffer(raw), "!T09");
  raw.shape = {INT64_MAX};
  EXPECT_EQ(judge_buffer(raw), "!T10");
  raw = sound;
  raw.has_strides = true;
  EXPECT_EQ(judge_buffer(raw), "!T09") << "no stride for one dimension";
  raw.byte_strides = {8, 8};
  EXPECT_EQ(judge_buffer(raw), "!T09");
  raw.byte_strides = {INT64_MAX};
  EXPECT_EQ(judge_buffer(raw), "!T09");
}

TEST(HostileParse, StridesOfAnyKindConform) {
  for (const Index stride : {Index{8}, Index{0}, Index{-8}, Index{4}, Index{-3}, Index{1} << 40}) {
    RawBuffer raw = doubles({5});
    raw.has_strides = true;
    raw.byte_strides = {stride};
    EXPECT_EQ(judge_buffer(raw), "") << stride;
  }
}

TEST(HostileParse, DescribedBuffers) {
  const Dictionary sound{{{"dtype", "<f8"}, {"shape", tuple({5})}}};
  const auto found = [](const Dictionary& map) {
    return judge(description("0.9.0", map, {none(5)}));
  };
  EXPECT_EQ(found(sound), "");
  EXPECT_EQ(found(Dictionary{{{"format", "d"}, {"shape", list({5})}}}), "");
  EXPECT_EQ(found(with(sound, "strides", tuple({16}))), "");
  EXPECT_EQ(found(with(sound, "strides", Foreign{"null"})), "");
  EXPECT_EQ(found(with(sound, "strides", Foreign{"NoneType"})), "");
  EXPECT_EQ(found(with(sound, "strides", Foreign{"float"})), "!T09");
  EXPECT_EQ(found(with(sound, "strides", tuple({"16"}))), "!T09");
  EXPECT_EQ(found(with(sound, "readonly", true)), "");
  EXPECT_EQ(found(with(sound, "readonly", 1)), "!T09");
  EXPECT_EQ(found(with(sound, "dtype", "float64")), "!T09");
  EXPECT_EQ(found(with(sound, "dtype", 8)), "!T09");
  for (const char* type : {"<f3", "<f0", "<U4", "|S5", "|V12", "|O8", "<M8[s]", "<m8[25us]"})
    EXPECT_EQ(found(with(sound, "dtype", type)), std::string(type) == "<f0" ? "!T09" : "!A26")
        << type;
  for (const char* type : {"", "<", "U4", "<x8", "|f8", "<U", "<Ux", "<M8[s", "<M8s]"})
    EXPECT_EQ(found(with(sound, "dtype", type)), "!T09") << type;
  EXPECT_EQ(found(without(sound, "dtype")), "!T09");
  EXPECT_EQ(found(without(sound, "shape")), "!T09");
  EXPECT_EQ(found(with(sound, "shape", 5)), "!T09");
  EXPECT_EQ(found(with(sound, "shape", tuple({Integer{0, false, "1"}}))), "!T09");
  EXPECT_EQ(found(with(sound, "shape", tuple({true}))), "!T09");
  const auto parsed = parse(description("0.9.0", with(sound, "readonly", true), {none(5)}));
  EXPECT_TRUE(parsed.array->readonly());
  EXPECT_FALSE(parsed.array->buffer().has_memory());
}

// --- lists of indices

template <class T>
std::vector<Index> indices_from(std::vector<T> memory, bool swapped = false) {
  RawBuffer raw = buffer_on(memory);
  if (swapped) {
    const DataType native = DataType::of<T>();
    const ByteOrder other =
        native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
    raw.format = DataType(native.kind(), native.itemsize(), other).format();
    for (T& value : memory) {
      auto* bytes = reinterpret_cast<char*>(&value);
      std::reverse(bytes, bytes + sizeof(T));
    }
  }
  const auto parsed = parse(description("0.9.0", doubles(raw.shape), {listed(10, 2, 1, raw)}));
  EXPECT_EQ(rules_of(parsed.report), "");
  if (!parsed.array) return {};
  const IndexList& list = parsed.array->dimension(0).as<Unstructured>()->indices;
  return {list.begin(), list.end()};
}

template <class T>
void expect_every_integer_is_read() {
  const std::vector<T> values = {
      0, 1, 5, static_cast<T>(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  std::vector<T> fitting;
  std::vector<Index> expected;
  for (const T value : values) {
    if (static_cast<std::make_unsigned_t<T>>(value) > INT64_MAX && std::is_unsigned_v<T>) continue;
    fitting.push_back(value);
    expected.push_back(static_cast<Index>(value));
  }
  EXPECT_EQ(indices_from(fitting), expected);
  EXPECT_EQ(indices_from(fitting, sizeof(T) > 1), expected);
}

TEST(HostileParse, IndicesOfEveryIntegerType) {
  expect_every_integer_is_read<std::int8_t>();
  expect_every_integer_is_read<std::uint8_t>();
  expect_every_integer_is_read<std::int16_t>();
  expect_every_integer_is_read<std::uint16_t>();
  expect_every_integer_is_read<std::int32_t>();
  expect_every_integer_is_read<std::uint32_t>();
  expect_every_integer_is_read<std::int64_t>();
  expect_every_integer_is_read<std::uint64_t>();
  std::vector<std::uint64_t> beyond = {1, std::uint64_t{1} << 63};
  EXPECT_EQ(judge_indices(buffer_on(beyond), 2), "!U02");
}

TEST(HostileParse, NativeIndicesAreNotCopied) {
  std::vector<Index> memory = {4, 2, 9};
  const auto parsed =
      parse(description("0.9.0", doubles({3}), {listed(10, 2, 1, buffer_on(memory))}));
  EXPECT_EQ(parsed.array->dimension(0).as<Unstructured>()->indices.data(), memory.data());

  auto owned = std::make_shared<std::vector<Index>>(memory);
  const std::weak_ptr<std::vector<Index>> alive = owned;
  RawBuffer raw = buffer_on(*owned);
  raw.state = plain_memory(std::move(owned));
  {
    const Section array = parse_or_throw(
        description("0.9.0", doubles({3}), {listed(10, 2, 1, std::exchange(raw, {}))}));
    EXPECT_FALSE(alive.expired()) << "the array keeps the list";
    EXPECT_EQ(array.dimension(0).as<Unstructured>()->indices[2], 9);
  }
  EXPECT_TRUE(alive.expired());
}

TEST(HostileParse, IndicesWithStrides) {
  std::vector<Index> memory = {10, 11, 12, 13, 14, 15};
  const auto read = [&](Index start, Index stride, Index count) {
    RawBuffer raw = buffer_on(memory);
    raw.data = memory.data() + start;
    raw.shape = {count};
    raw.byte_strides = {8 * stride};
    raw.has_strides = true;
    const auto parsed = parse(description("0.9.0", doubles({count}), {listed(10, 2, 1, raw)}));
    EXPECT_EQ(rules_of(parsed.report), "");
    const IndexList list = parsed.array->dimension(0).as<Unstructured>()->indices;
    return std::vector<Index>(list.begin(), list.end());
  };
  EXPECT_EQ(read(0, 2, 3), (std::vector<Index>{10, 12, 14}));
  EXPECT_EQ(read(5, -1, 6), (std::vector<Index>{15, 14, 13, 12, 11, 10}));
  EXPECT_EQ(read(3, 0, 1), (std::vector<Index>{13}));
  EXPECT_EQ(read(0, 7, 0), std::vector<Index>());
}

TEST(HostileParse, IndicesAtAnyAddress) {
  char bytes[3 * sizeof(Index) + 1] = {};
  const Index values[] = {7, -8, 9};
  std::memcpy(bytes + 1, values, sizeof(values));
  RawBuffer raw;
  raw.format = DataType::of<Index>().format();
  raw.itemsize = 8;
  raw.shape = {3};
  raw.data = bytes + 1;
  const auto parsed = parse(description("0.9.0", doubles({3}), {listed(10, 2, 1, raw)}));
  ASSERT_TRUE(parsed.array);
  const IndexList& list = parsed.array->dimension(0).as<Unstructured>()->indices;
  EXPECT_EQ(list, IndexList(std::vector<Index>(values, values + 3)));
}

TEST(HostileParse, ListsThatAreNone) {
  std::vector<Index> memory = {1, 2, 3};
  const RawBuffer sound = buffer_on(memory);
  RawBuffer raw = sound;
  raw.shape = {3, 1};
  EXPECT_EQ(judge_indices(raw, 3), "!U03");
  raw.shape = {};
  EXPECT_EQ(judge_indices(raw, 1), "!U03");
  raw = sound;
  raw.data = nullptr;
  EXPECT_EQ(judge_indices(raw, 3), "!U02");
  raw = sound;
  raw.shape = {-1};
  EXPECT_EQ(judge_indices(raw, 0), "!U02");
  raw = sound;
  raw.itemsize = 4;
  EXPECT_EQ(judge_indices(raw, 3), "!U02");
  raw = sound;
  raw.space.device_type = 2;
  EXPECT_EQ(judge_indices(raw, 3), "!U02") << "the host cannot read it";
  for (const char* format : {"d", "?", "Zd", "", "10s"}) {
    raw = sound;
    raw.format = format;
    EXPECT_EQ(judge_indices(raw, 3), "!U02") << format;
  }
  raw = sound;
  raw.has_strides = true;
  raw.byte_strides = {INT64_MAX};
  EXPECT_EQ(judge_indices(raw, 3), "!U02");
  raw.byte_strides = {0};
  EXPECT_EQ(judge_indices(raw, 3), "!U04") << "one index three times";
}

TEST(HostileParse, ListsLongerThanMemory) {
  Index one = 1;
  RawBuffer raw;
  raw.format = "i";
  raw.itemsize = 4;
  raw.data = &one;
  raw.shape = {INT64_MAX};
  EXPECT_EQ(judge_indices(raw, 1), "!U02") << "its bytes wrap";
  raw.shape = {Index{1} << 61};
  EXPECT_EQ(judge_indices(raw, 1), "!U02") << "nobody has room for a copy";
}

TEST(HostileParse, TypedLists) {
  const Dictionary sound{{{"dtype", "<i4"}, {"values", list({3, -4})}}};
  EXPECT_EQ(judge_indices(sound, 2), "");
  EXPECT_EQ(judge_indices(with(sound, "dtype", "|u1"), 2), "!U02") << "-4 is none of these";
  EXPECT_EQ(judge_indices(with(sound, "dtype", "<f8"), 2), "!U02");
  EXPECT_EQ(judge_indices(with(sound, "dtype", 4), 2), "!U02");
  EXPECT_EQ(judge_indices(with(sound, "values", 3), 2), "!U02");
  EXPECT_EQ(judge_indices(with(sound, "values", list({Index{1} << 31, 0})), 2), "!U02");
  EXPECT_EQ(judge_indices(without(sound, "values"), 2), "!U02");
}

// --- many keys, and unusual keys

TEST(HostileParse, TheLastOfEqualKeysCounts) {
  Dictionary half = blocked(10, 2, 0, 0, 5);
  half.items.insert(half.items.begin(), {{"stop", "x"}, {"size", true}});
  EXPECT_EQ(judge(description("0.9.0", doubles({5}), {half})), "");
  half.items.emplace_back("stop", 4);
  EXPECT_EQ(judge(description("0.9.0", doubles({5}), {half})), "!P13");
  Dictionary twice = description("0.9.0", doubles({5}), {blocked(10, 2, 0, 0, 5)});
  twice.items.emplace_back("x", 1);
  twice.items.emplace_back("x", 2);
  EXPECT_EQ(judge(twice), "~T04") << "named once";
}

TEST(HostileParse, VeryManyKeysAreAFewFindings) {
  const int keys = thinned() ? 50000 : 1000000;
  Dictionary crowd = blocked(10, 2, 0, 0, 5);
  for (int i = 0; i < keys; ++i) crowd.items.emplace_back("key " + std::to_string(i), i);
  Dictionary top = description("0.9.0", doubles({5}), {crowd});
  const Report report = parse(top).report;
  ASSERT_EQ(report.findings().size(), 9U);
  EXPECT_EQ(report.findings()[0].key, "key 0");
  EXPECT_EQ(report.findings()[8].found, std::to_string(keys - 8) + " more keys");
  EXPECT_TRUE(report);
}

TEST(HostileParse, KeysOfAnyBytesMakeReadableFindings) {
  for (const std::string& key : {std::string(1000000, 'k'), std::string("a\nb\0c", 5),
                                 std::string("\xff\xfe"), std::string()}) {
    const Dictionary odd = with(blocked(10, 2, 0, 0, 5), key, 1);
    const Report report = parse(with(description("0.9.0", doubles({5}), {odd}), key, 1)).report;
    EXPECT_EQ(rules_of(report), "~T04 ~D27");
    for (const Finding& finding : report.findings()) {
      EXPECT_LE(finding.key.size(), 64U);
      EXPECT_EQ(finding.key.find_first_of(std::string("\n\0\xff", 3)), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace daptor
