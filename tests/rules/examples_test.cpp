// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "daptor/rules.hpp"
#include "normal_form.hpp"
#include "recorded_judge.hpp"
#include "rules/examples.hpp"

namespace daptor {
namespace {

using test::judge;
using test::read_text;

std::set<std::string> ids_of(const Report& report) {
  std::set<std::string> ids;
  for (const Finding& finding : report.findings()) ids.insert(finding.rule);
  return ids;
}

std::set<std::string> ids_of(const examples::RuleExample& example) {
  return {example.findings.begin(), example.findings.end()};
}

Version::Rules rules_of(const examples::RuleExample& example) {
  return example.description.find("\"0.10.0\"") != std::string::npos ? Version::Rules::v0_10
                                                                     : Version::Rules::v0_9;
}

std::string meaning(const Recorded& recorded) {
  std::string text;
  for (std::size_t rank = 0; rank < recorded.ranks.size(); ++rank) {
    const auto parsed = parse(std::get<Value>(recorded.ranks[rank]));
    if (parsed.array) text += test::normal_form(static_cast<int>(rank), *parsed.array);
  }
  return text;
}

/// The severities of the findings that stand for the rule: its own id, or those it is reported as.
std::set<Severity> severities(const protocol::Rule& rule, const Report& report) {
  std::set<Severity> found;
  for (const Finding& finding : report.findings()) {
    const bool stands_for_it = rule.reported_as.empty()
                                   ? finding.rule == rule.id
                                   : rule.reported_as.find(finding.rule) != std::string_view::npos;
    if (stands_for_it) found.insert(finding.severity);
  }
  return found;
}

class RuleExamples : public testing::TestWithParam<const protocol::Rule*> {};

TEST_P(RuleExamples, AreJudgedAsTheTableSays) {
  const protocol::Rule& rule = *GetParam();
  for (const examples::RuleExample& example : examples::of(rule)) {
    SCOPED_TRACE(example.description);
    const Recorded recorded = read_text(example.description);
    ASSERT_FALSE(recorded.partial());
    const Report report = judge(recorded);
    EXPECT_EQ(ids_of(report), ids_of(example)) << report;
    EXPECT_EQ(report.verdict(), example.verdict) << report;
  }
}

TEST_P(RuleExamples, HaveTheSeveritiesOfTheTable) {
  const protocol::Rule& rule = *GetParam();
  for (const examples::RuleExample& example : examples::of(rule)) {
    SCOPED_TRACE(example.description);
    const Recorded recorded = read_text(example.description);
    for (const Profile profile : {Profile::recommended, Profile::strict}) {
      const std::set<Severity> found = severities(rule, judge(recorded, profile));
      if (example.kind == examples::ExampleKind::breaks && profile == Profile::recommended) {
        EXPECT_FALSE(found.empty());
      }
      if (!found.empty()) {
        EXPECT_EQ(found, std::set{rule.severity_for(rules_of(example), profile)});
      }
    }
  }
}

/// For every finding about any example, the table has the rule and its possible severity.
TEST_P(RuleExamples, GiveNoFindingThatTheTableDoesNotKnow) {
  for (const examples::RuleExample& example : examples::of(*GetParam())) {
    SCOPED_TRACE(example.description);
    const Version::Rules version = rules_of(example);
    const Recorded recorded = read_text(example.description);
    for (const Profile profile : {Profile::recommended, Profile::strict}) {
      const Report report = judge(recorded, profile);
      for (const Finding& finding : report.findings()) {
        if (finding.rule == rule_producer) continue;
        const protocol::Rule* rule = protocol::find_rule(finding.rule);
        ASSERT_NE(rule, nullptr) << finding;
        EXPECT_TRUE(version == Version::Rules::v0_9 ? rule->checked_0_9 : rule->checked_0_10)
            << finding;
        EXPECT_LE(finding.severity, rule->severity_for(version, profile)) << finding;
      }
    }
  }
}

TEST_P(RuleExamples, MeanWhatTheTableSays) {
  for (const examples::RuleExample& example : examples::of(*GetParam())) {
    if (example.normal_form.empty()) continue;
    SCOPED_TRACE(example.description);
    EXPECT_EQ(meaning(read_text(example.description)), example.normal_form);
  }
}

std::vector<const protocol::Rule*> all_rules() {
  std::vector<const protocol::Rule*> all;
  for (const protocol::Rule& rule : protocol::rules()) all.push_back(&rule);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, RuleExamples, testing::ValuesIn(all_rules()),
                         [](const auto& rule) { return std::string(rule.param->id); });

/// What JSON cannot express: a list where the protocol requires a tuple.
TEST(RuleExamplesBeyondJson, ListsInPlaceOfTuplesAreWarnings) {
  const Recorded recorded = read_text(examples::of(*protocol::find_rule("A08"))[0].description);
  for (const RecordedRank& rank : recorded.ranks) {
    Dictionary description = *std::get<Value>(rank).as<Dictionary>();
    Sequence dimensions = *description.find("dim_data")->as<Sequence>();
    Dictionary dimension = *dimensions.items[0].as<Dictionary>();
    Sequence padding = *dimension.find("padding")->as<Sequence>();
    EXPECT_TRUE(ids_of(parse(description).report).empty());

    padding.tuple = false;
    dimension.set("padding", padding);
    dimensions.items[0] = dimension;
    description.set("dim_data", dimensions);
    Report report = parse(description).report;
    EXPECT_EQ(ids_of(report), std::set<std::string>{"A08"});
    EXPECT_EQ(report.findings().at(0).severity, protocol::find_rule("A08")->severity);

    dimensions.tuple = false;
    description.set("dim_data", dimensions);
    report = parse(description).report;
    EXPECT_EQ(ids_of(report), (std::set<std::string>{"A08", "T11"}));
    EXPECT_TRUE(report);
    EXPECT_FALSE(parse(description, Profile::strict).report);
  }
}

}  // namespace
}  // namespace daptor
