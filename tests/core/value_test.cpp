// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/value.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <string>
#include <type_traits>

#include "report/text.hpp"

namespace daptor {
namespace {

TEST(Value, TellsIntegersFromBooleans) {
  EXPECT_NE(Value(true).as<bool>(), nullptr);
  EXPECT_EQ(Value(true).as<Integer>(), nullptr);
  EXPECT_EQ(Value(1).as<bool>(), nullptr);
  ASSERT_NE(Value(1).as<Integer>(), nullptr);
  EXPECT_EQ(Value(1).as<Integer>()->value, 1);
  EXPECT_EQ(Value(-5L).as<Integer>()->value, -5);
  EXPECT_EQ(Value(std::int8_t{-1}).as<Integer>()->value, -1);
  EXPECT_EQ(Value(std::size_t{7}).as<Integer>()->value, 7);
}

TEST(Value, KeepsIntegersBeyondSixtyFourBitsAsTheyAre) {
  const Value fits(static_cast<std::uint64_t>(INT64_MAX));
  EXPECT_TRUE(fits.as<Integer>()->fits);
  EXPECT_EQ(fits.as<Integer>()->value, INT64_MAX);
  const Value beyond(static_cast<std::uint64_t>(INT64_MAX) + 1);
  EXPECT_FALSE(beyond.as<Integer>()->fits);
  EXPECT_EQ(beyond.text(), "9223372036854775808");
  EXPECT_FALSE(Value(UINT64_MAX).as<Integer>()->fits);
}

TEST(Value, IsMadeOfNoPointerAndNoFraction) {
  EXPECT_FALSE((std::is_convertible_v<void*, Value>));
  EXPECT_FALSE((std::is_convertible_v<const int*, Value>));
  EXPECT_FALSE((std::is_convertible_v<double, Value>));
  EXPECT_TRUE((std::is_convertible_v<const char*, Value>));
}

TEST(Value, HoldsWhatItWasGiven) {
  EXPECT_EQ(*Value("text").as<std::string>(), "text");
  EXPECT_EQ(Value(Sequence{{Value(1), Value(2)}, true}).as<Sequence>()->items.size(), 2U);
  EXPECT_EQ(Value(Foreign{"float"}).as<Foreign>()->type_name, "float");
  RawBuffer raw;
  raw.format = "d";
  const Value buffer(raw);
  ASSERT_NE(buffer.buffer(), nullptr);
  EXPECT_EQ(buffer.buffer()->format, "d");
  EXPECT_EQ(Value(1).buffer(), nullptr);
  const Value copy = buffer;
  EXPECT_EQ(copy.buffer(), buffer.buffer()) << "copies share the buffer's description";
}

TEST(Dictionary, TheLastOfEqualKeysCounts) {
  Dictionary map;
  map.items = {{"a", Value(1)}, {"b", Value(2)}, {"a", Value(3)}};
  ASSERT_NE(map.find("a"), nullptr);
  EXPECT_EQ(map.find("a")->as<Integer>()->value, 3);
  map.set("a", Value(4));
  EXPECT_EQ(map.find("a")->as<Integer>()->value, 4);
  EXPECT_EQ(map.items.size(), 3U);
  map.set("c", Value(5));
  EXPECT_EQ(map.items.size(), 4U);
  EXPECT_EQ(map.find("c")->as<Integer>()->value, 5);
  EXPECT_EQ(map.find("d"), nullptr);
  EXPECT_EQ(map.find(""), nullptr);
}

TEST(Value, TextsAreShortAndForPeople) {
  EXPECT_EQ(Value().text(), "a value of type nothing");
  EXPECT_EQ(Value(Foreign{"float"}).text(), "a value of type float");
  EXPECT_EQ(Value(true).text(), "true");
  EXPECT_EQ(Value(-3).text(), "-3");
  EXPECT_EQ(Value("b").text(), "\"b\"");
  EXPECT_EQ(Value(RawBuffer()).text(), "a buffer");
  EXPECT_EQ(Value(Dictionary{{{"a", Value(1)}}}).text(), "a dictionary of 1 key");
  EXPECT_EQ(Value(Dictionary()).text(), "a dictionary of 0 keys");
  EXPECT_EQ(Value(Sequence{{Value(1), Value(2)}, true}).text(), "(1, 2)");
  EXPECT_EQ(Value(Sequence{{Value(1), Value("x")}, false}).text(), "[1, \"x\"]");
  EXPECT_EQ(Value(Sequence{{}, true}).text(), "()");
  EXPECT_EQ(Value(Sequence{std::vector<Value>(5, Value(1)), false}).text(), "a list of 5 items");
  EXPECT_EQ(Value(Sequence{std::vector<Value>(5, Value(1)), true}).text(), "a tuple of 5 items");
}

TEST(Value, TextsOfHostileValuesStayShortAndOnOneLine) {
  const std::string long_text(100000, 'x');
  EXPECT_LE(Value(long_text).text().size(), 64U);
  EXPECT_LE(Value(Foreign{long_text}).text().size(), 80U);
  EXPECT_LE(Value(Integer{0, false, std::string(100000, '9')}).text().size(), 60U);
  const Value four(Sequence{std::vector<Value>(4, Value(long_text)), true});
  EXPECT_LE(four.text().size(), 300U);
  EXPECT_EQ(Value(std::string("a\nb\0c\x7f", 6)).text(), "\"a\\x0ab\\x00c\\x7f\"");
  EXPECT_EQ(Value("caf\xc3\xa9").text(), "\"caf\xc3\xa9\"") << "UTF-8 stays";
  EXPECT_EQ(Value("caf\xe9").text(), "\"caf\\xe9\"") << "stray bytes do not";

  Value nested(1);
  for (int depth = 0; depth < 300; ++depth) nested = Value(Sequence{{nested}, false});
  EXPECT_EQ(nested.text(), "[...]");
}

TEST(Value, AMovedFromValueHasAText) {
  Value source(RawBuffer{});
  const Value taken(std::move(source));
  EXPECT_EQ(source.text(), "a buffer");
  EXPECT_NE(taken.buffer(), nullptr);
}

TEST(Text, IsCutBetweenCharacters) {
  using detail::shorten;
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdefg", 6), "abc...");
  EXPECT_EQ(shorten("abcdefg", 2), "..");
  EXPECT_EQ(shorten("", 0), "");
  const std::string accents = "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9";
  EXPECT_EQ(shorten(accents, 7), "\xc3\xa9\xc3\xa9...");
  EXPECT_EQ(shorten(accents, 6), "\xc3\xa9...") << "not in the middle of one";
  EXPECT_EQ(shorten("\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 6), "...");
}

TEST(Text, PrintsOnlyValidUtf8) {
  using detail::printable;
  const std::string valid = "a \xc2\xa0 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf";
  EXPECT_EQ(printable(valid), valid);
  EXPECT_EQ(printable("\t"), "\\x09");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "a control that terminals obey";
  for (const char* stray : {"\x80", "\xc0\x80", "\xc3", "\xe2\x82", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    const std::string text = printable(stray);
    for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
    EXPECT_EQ(text.find_first_of("\x80\xc0\xff"), std::string::npos) << text;
    EXPECT_EQ(text.substr(0, 2), "\\x") << text;
  }
}

}  // namespace
}  // namespace daptor
