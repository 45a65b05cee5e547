// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/version.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <sstream>
#include <string>

namespace daptor {
namespace {

TEST(Version, ReadsThreeNumbers) {
  EXPECT_EQ(Version::parse("0.9.0"), protocol_0_9);
  EXPECT_EQ(Version::parse("0.10.0"), protocol_0_10);
  EXPECT_EQ(Version::parse("12.34.56"), (Version{12, 34, 56}));
  EXPECT_EQ(Version::parse("00.09.01"), (Version{0, 9, 1}));
}

TEST(Version, RefusesOtherTexts) {
  for (const char* text :
       {"",       ".",        "..",        "0",         "0.9",        "0.9.",    ".9.0",
        "0..0",   "0.9.0.1",  "0.9.0.",    "v0.9.0",    " 0.9.0",     "0.9.0 ",  "0.9.0\n",
        "-1.9.0", "0.-9.0",   "+0.9.0",    "0,9,0",     "0.9.x",      "a.b.c",   "0.9.0-",
        "0.9.0+", "0.9.0foo", "0.9.0-foo", "0.9.0rc1!", "0.9.0..rc1", "0x0.9.0", "0.9e1.0"})
    EXPECT_FALSE(Version::parse(text)) << '"' << text << '"';
  EXPECT_FALSE(Version::parse(std::string_view("0.9.0\0", 6)));
  EXPECT_FALSE(Version::parse(std::string_view("0.\0.0", 5)));
}

TEST(Version, ReportsSuffixesOfPep440) {
  for (const char* suffix :
       {"a1", "b2", "rc1", "c3", "alpha", "-beta.2", ".post4", ".dev0", "rc1.post2.dev3", "_rc_1",
        "+debian.1", "rc1+local-2_x", "RC1", ".Dev7", "preview5", ".rev6", "-r7"}) {
    std::string found = "unset";
    const auto version = Version::parse(std::string("0.9.0") + suffix, &found);
    ASSERT_TRUE(version) << suffix;
    EXPECT_EQ(*version, protocol_0_9);
    EXPECT_EQ(found, suffix);
  }
  std::string none = "unset";
  ASSERT_TRUE(Version::parse("0.9.0", &none));
  EXPECT_EQ(none, "");
}

TEST(Version, HasRulesForNineAndTenOnly) {
  EXPECT_EQ(protocol_0_9.rules(), Version::Rules::v0_9);
  EXPECT_EQ((Version{0, 9, 7}).rules(), Version::Rules::v0_9);
  EXPECT_EQ(protocol_0_10.rules(), Version::Rules::v0_10);
  EXPECT_EQ((Version{0, 10, INT_MAX}).rules(), Version::Rules::v0_10);
  for (const Version unknown : {Version{0, 8, 0}, Version{0, 11, 0}, Version{1, 0, 0},
                                Version{1, 9, 0}, Version{0, 100, 0}, Version{-1, 9, 0}})
    EXPECT_FALSE(unknown.rules()) << unknown;
}

TEST(Version, NumbersBeyondIntAreWellFormedAndUnknown) {
  const auto huge = Version::parse("99999999999999999999.0.0");
  ASSERT_TRUE(huge);
  EXPECT_EQ(huge->major, INT_MAX);
  EXPECT_FALSE(huge->rules());
  EXPECT_EQ(Version::parse("0.4294967305.0")->minor, INT_MAX) << "must not wrap to 9";
}

TEST(Version, WritesWhatItReads) {
  for (const char* text : {"0.9.0", "0.10.0", "1.2.3", "0.9.12"})
    EXPECT_EQ(Version::parse(text)->text(), text);
  std::ostringstream out;
  out << protocol_0_10;
  EXPECT_EQ(out.str(), "0.10.0");
}

TEST(Version, ComparesAllParts) {
  EXPECT_EQ((Version{0, 9, 1}), (Version{0, 9, 1}));
  EXPECT_NE((Version{0, 9, 1}), protocol_0_9);
  EXPECT_NE((Version{1, 9, 0}), protocol_0_9);
  EXPECT_NE(protocol_0_9, protocol_0_10);
}

}  // namespace
}  // namespace daptor
