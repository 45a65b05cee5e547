// SPDX-License-Identifier: BSD-3-Clause
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "daptor/rules.hpp"
#include "rules/examples.hpp"

namespace daptor {
namespace {

using examples::ExampleKind;

/// The checklist's ids: for each letter all numbers up to the highest.
std::vector<std::string> checklist() {
  const std::pair<char, int> sections[] = {{'T', 19}, {'D', 27}, {'N', 5}, {'B', 13}, {'P', 21},
                                           {'C', 15}, {'U', 13}, {'E', 7}, {'V', 18}, {'A', 26}};
  std::vector<std::string> ids;
  for (const auto& [letter, count] : sections)
    for (int i = 1; i <= count; ++i)
      ids.push_back(letter + std::string(i < 10 ? "0" : "") + std::to_string(i));
  return ids;
}

TEST(RuleTable, HoldsTheChecklistInItsOrder) {
  std::vector<std::string> ids;
  for (const protocol::Rule& rule : protocol::rules()) ids.emplace_back(rule.id);
  EXPECT_EQ(ids, checklist());
}

TEST(RuleTable, FindsByIdOnly) {
  for (const std::string& id : checklist()) {
    ASSERT_NE(protocol::find_rule(id), nullptr) << id;
    EXPECT_EQ(protocol::find_rule(id)->id, id);
  }
  for (const char* id : {"", "T", "T00", "T20", "t01", "T011", "producer"})
    EXPECT_EQ(protocol::find_rule(id), nullptr) << id;
}

TEST(RuleTable, EveryRuleHasTheExamplesOfItsKind) {
  const std::set<std::string_view> behaviour = {"T17", "T18"};
  for (const protocol::Rule& rule : protocol::rules()) {
    SCOPED_TRACE(rule.id);
    EXPECT_EQ(rule.scope == protocol::Scope::behaviour, behaviour.count(rule.id) == 1);
    if (rule.scope == protocol::Scope::behaviour) {
      EXPECT_TRUE(examples::of(rule).empty());
      continue;
    }
    if (rule.kind == protocol::RuleKind::version) {
      EXPECT_TRUE(examples::first_of(rule, ExampleKind::under_0_9));
      EXPECT_TRUE(examples::first_of(rule, ExampleKind::under_0_10));
      continue;
    }
    ASSERT_TRUE(examples::first_of(rule, ExampleKind::conforms));
    // JSON has no lists besides its arrays, so the example that breaks A08 is in examples_test.cpp.
    if (rule.checked() && rule.id != "A08") {
      EXPECT_TRUE(examples::first_of(rule, ExampleKind::breaks));
    }
    if (rule.kind == protocol::RuleKind::requirement) {
      EXPECT_TRUE(rule.checked());
    }
    const bool has_meaning =
        rule.kind == protocol::RuleKind::permission || rule.kind == protocol::RuleKind::definition;
    if (has_meaning || (rule.kind == protocol::RuleKind::reading && !rule.checked())) {
      for (const examples::RuleExample& example : examples::of(rule))
        EXPECT_FALSE(example.normal_form.empty());
    }
  }
}

/// The text that `read` throws for this input.
std::string error_of(const char* text) {
  try {
    examples::read(text, {});
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(RuleExamples, AreReadAsTheyAreWritten) {
  const auto read = examples::read(
      "a comment\n\n[ten]\n{}\n\n[D20 breaks: conforms, D20, A05]\n= ten\nmeans\nline\n\n"
      "[P01 under 0.10]\n{1}\n",
      {});
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].rule, "D20");
  EXPECT_EQ(read[0].kind, ExampleKind::breaks);
  EXPECT_EQ(read[0].verdict, Verdict::conforms);
  EXPECT_EQ(read[0].findings, (std::vector<std::string_view>{"D20", "A05"}));
  EXPECT_EQ(read[0].description, "{}");
  EXPECT_EQ(read[0].normal_form, "line\n");
  EXPECT_EQ(read[1].kind, ExampleKind::under_0_10);
  EXPECT_EQ(read[1].description, "{1}");
}

TEST(RuleExamples, SayWhatIsWrongWithTheirText) {
  EXPECT_EQ(error_of("\n[P99 conforms]\n{}\n"), "the example [P99 conforms] is of no rule");
  EXPECT_EQ(error_of("\n[P01 shows]\n{}\n"), "the example [P01 shows] does not say what it shows");
  EXPECT_EQ(error_of("\n[P01 breaks: bad]\n{}\n"),
            "the example [P01 breaks: bad] has no verdict after the colon");
  EXPECT_EQ(error_of("\n[P01 breaks: malformed, Q1]\n{}\n"),
            "the example [P01 breaks: malformed, Q1] has no rule 'Q1'");
  EXPECT_EQ(error_of("\n[P01 conforms]\n= ten\n"),
            "the example [P01 conforms] refers to a name that no description has");
  EXPECT_EQ(error_of("\n[P01 conforms\n{}\n"),
            "the example [P01 conforms\n{}\n] has no end of its heading");
}

TEST(RuleTable, EveryRuleIsExplained) {
  for (const protocol::Rule& rule : protocol::rules()) {
    SCOPED_TRACE(rule.id);
    EXPECT_GT(rule.clause.size(), 20U);
    EXPECT_TRUE(rule.clause.back() == '.' || rule.clause.back() == ')');
    EXPECT_FALSE(rule.where.empty());
    EXPECT_EQ(rule.checked(), !rule.remedy.empty() && rule.id != "V18");
    EXPECT_FALSE(to_string(rule.kind).empty());
    EXPECT_FALSE(to_string(rule.force).empty());
    EXPECT_FALSE(to_string(rule.scope).empty());
  }
}

TEST(RuleTable, TheStrictProfileRefusesWarnings) {
  for (const protocol::Rule& rule : protocol::rules()) {
    SCOPED_TRACE(rule.id);
    for (const Version::Rules version : {Version::Rules::v0_9, Version::Rules::v0_10}) {
      const Severity recommended = rule.severity_for(version, Profile::recommended);
      const Severity strict = rule.severity_for(version, Profile::strict);
      EXPECT_GE(strict, recommended);
      EXPECT_NE(strict, Severity::warning);
    }
    if (!rule.checked_0_9) {
      EXPECT_EQ(rule.severity_for(Version::Rules::v0_9, Profile::strict), Severity::note);
    }
    if (!rule.checked_0_10) {
      EXPECT_EQ(rule.severity_for(Version::Rules::v0_10, Profile::strict), Severity::note);
    }
  }
}

}  // namespace
}  // namespace daptor
