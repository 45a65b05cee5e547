// SPDX-License-Identifier: BSD-3-Clause
// What the writers of reports make of findings that are easy and of findings that are not.

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "daptor/config.hpp"
#include "report/ranks.hpp"
#include "report/writers.hpp"
#include "report/xml.hpp"

namespace daptor::report {
namespace {

Finding finding(const std::string& rule, Severity severity, std::vector<int> ranks = {}) {
  Finding result = error_finding(rule, 0, "start", "owned [5, 8)", "a start of 4", "Start at 4.");
  result.severity = severity;
  result.rank_count = static_cast<std::int64_t>(ranks.size());
  result.ranks = std::move(ranks);
  return result;
}

Outcome outcome(std::vector<Finding> findings) {
  Outcome result{"grid.json"};
  result.name = "grid";
  result.ranks = result.judged = 3;
  result.findings = Report(std::move(findings));
  return result;
}

Document document(std::vector<Finding> findings) {
  return {Profile::recommended, Level::full, {outcome(std::move(findings))}};
}

template <class... Arguments>
std::string text_of(void (*write)(std::ostream&, const Document&, Arguments...),
                    const Document& document, Arguments... arguments) {
  std::ostringstream out;
  write(out, document, arguments...);
  return out.str();
}

std::string as_text(const Document& document, bool color = false) {
  return text_of<bool>(write_text, document, color);
}

nlohmann::json as_json(const Document& document) {
  return nlohmann::json::parse(text_of<>(write_json, document));
}

std::string as_junit(const Document& document) {
  return text_of<>(write_junit, document);
}

/// Everything that a terminal, a parser of XML or one of JSON could take amiss.
const std::string hostile = "a\x1b[31m\n\x01<b>&\"']]>\xff\xc2\x9b\xef\xbf\xbf \xc3\xa9";

Document hostile_document() {
  Finding bad = finding("B09", Severity::error, {1});
  bad.key = hostile;
  bad.found = bad.expected = bad.remedy = hostile;
  Document result = document({bad});
  result.outcomes[0].subject = result.outcomes[0].name = hostile;
  return result;
}

TEST(Ranks, AreFoldedAndBounded) {
  EXPECT_EQ(folded({0, 1, 2, 3, 4, 5, 6, 9, 12, 13, 14}, 11), "0-6, 9, 12-14");
  EXPECT_EQ(folded({3, 4}, 2), "3, 4");
  EXPECT_EQ(folded({7}, 1), "7");
  EXPECT_EQ(folded({0, 2, 4, 6}, 4, 2), "0, 2 and 2 more");
  EXPECT_EQ(folded({0, 1, 2}, 1000), "0-2 and 997 more");
  EXPECT_EQ(folded({}, 0), "");
}

TEST(Ranks, OfManyTakeLittleRoom) {
  std::vector<int> odd;
  for (int rank = 1; rank < 100000; rank += 2) odd.push_back(rank);
  EXPECT_LT(folded(odd, 50000).size(), 100U);
  EXPECT_EQ(fold(odd).size(), 50000U);
}

TEST(Status, TheWorstOfAllCounts) {
  EXPECT_EQ(document({}).status(), Status::done);
  EXPECT_EQ(document({finding("A03", Severity::warning)}).status(), Status::done);
  EXPECT_EQ(document({finding("B09", Severity::error)}).status(), Status::malformed);
  EXPECT_EQ(document({finding("T07", Severity::error)}).status(), Status::unsupported);
  EXPECT_EQ(document({finding("producer", Severity::error)}).status(), Status::producer_failed);
  Document two = document({finding("B09", Severity::error)});
  two.outcomes.push_back(outcome({}));
  EXPECT_EQ(two.status(), Status::malformed);
  two.outcomes.back().readable = false;
  EXPECT_EQ(two.status(), Status::unusable);
}

TEST(Text, SaysWhatWhereAndWhatToDo) {
  EXPECT_EQ(as_text(document(
                {finding("B09", Severity::error, {1, 2}), finding("P16", Severity::note, {2})})),
            "grid.json (grid; 3 ranks)\n"
            "  error B09, ranks 1, 2, dimension 0, 'start'\n"
            "    found  on rank 1: owned [5, 8)\n"
            "    asked  a start of 4\n"
            "    do     Start at 4.\n"
            "  note P16, rank 2, dimension 0, 'start'\n"
            "    found  owned [5, 8)\n"
            "    asked  a start of 4\n"
            "    do     Start at 4.\n"
            "  malformed: 1 error, 1 note\n"
            "For the rule with examples: daptor rule B09\n");
}

TEST(Text, TakesTheRemedyOfTheRuleWhereAFindingHasNone) {
  Finding bare = finding("B09", Severity::error);
  bare.remedy.clear();
  EXPECT_NE(as_text(document({bare})).find("    do     Let each block start"), std::string::npos);
  EXPECT_NE(as_json(document({bare}))["arrays"][0]["findings"][0]["remedy"], "");
}

TEST(Text, HasColoursOnlyOnDemand) {
  const Document mixed =
      document({finding("B09", Severity::error), finding("A03", Severity::warning)});
  EXPECT_EQ(as_text(mixed).find('\x1b'), std::string::npos);
  const std::string colored = as_text(mixed, true);
  EXPECT_NE(colored.find("\x1b[1;31merror B09\x1b[0m"), std::string::npos);
  EXPECT_NE(colored.find("\x1b[1;33mwarning A03\x1b[0m"), std::string::npos);
  EXPECT_NE(as_text(document({}), true).find("\x1b[1;32mconforms\x1b[0m"), std::string::npos);
}

TEST(Text, LetsNothingThroughThatATerminalObeys) {
  const std::string text = as_text(hostile_document());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
  EXPECT_NE(text.find("a\\x1b[31m\\x0a\\x01<b>&\"']]>\\xff\\xc2\\x9b"), std::string::npos);
  EXPECT_NE(text.find("\xc3\xa9"), std::string::npos);
}

TEST(Text, SaysThatRanksAreMissing) {
  Document part = document({});
  part.outcomes[0].ranks = 1000000000;
  EXPECT_NE(as_text(part).find("3 of 1000000000 ranks"), std::string::npos);
  EXPECT_NE(as_text(part).find("only rules about one rank"), std::string::npos);
  EXPECT_NE(as_junit(part).find("<skipped message="), std::string::npos);
}

TEST(Json, HasAllFields) {
  const nlohmann::json json = as_json(document({finding("B09", Severity::error, {0, 1, 2, 5})}));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["daptor"], DAPTOR_VERSION_STRING);
  EXPECT_EQ(json["status"], 1);
  const nlohmann::json& array = json["arrays"][0];
  EXPECT_EQ(array["verdict"], "malformed");
  EXPECT_EQ(array["ranks_judged"], 3);
  const nlohmann::json& found = array["findings"][0];
  EXPECT_EQ(found["ranks"], nlohmann::json::parse("[[0, 2], [5, 5]]"));
  EXPECT_EQ(found["rank_count"], 4);
  EXPECT_EQ(found["dimension"], 0);
  EXPECT_EQ(found["severity"], "error");
  EXPECT_NE(found["clause"], "");
}

TEST(Json, SaysNothingOfRanksAndDimensionWhereAFindingIsAboutAll) {
  Finding all = finding("A03", Severity::warning);
  all.dimension = -1;
  const nlohmann::json json = as_json(document({all}));
  const nlohmann::json& found = json["arrays"][0]["findings"][0];
  EXPECT_TRUE(found["ranks"].is_null());
  EXPECT_TRUE(found["dimension"].is_null());
}

TEST(Json, IsJsonWhateverItIsGiven) {
  const nlohmann::json json = as_json(hostile_document());
  EXPECT_NE(json["arrays"][0]["subject"].get<std::string>().find('\x1b'), std::string::npos);
}

TEST(Junit, HasOneCaseForEachBrokenRule) {
  const std::string xml =
      as_junit(document({finding("B09", Severity::error, {1}), finding("B09", Severity::error, {2}),
                         finding("T16", Severity::error), finding("A03", Severity::warning)}));
  EXPECT_NE(xml.find("<testsuite name=\"grid.json\" tests=\"2\" failures=\"2\" errors=\"0\" "
                     "skipped=\"0\">"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("name=\"B09\""), std::string::npos);
  EXPECT_NE(xml.find("name=\"T16\""), std::string::npos);
  EXPECT_EQ(xml.find("name=\"A03\""), std::string::npos);
  EXPECT_NE(xml.find("<system-out>A03 warning"), std::string::npos) << xml;
}

TEST(Junit, TellsBrokenRulesFromProducersThatFailed) {
  EXPECT_NE(as_junit(document({finding("producer", Severity::error)})).find("<error type="),
            std::string::npos);
  EXPECT_NE(as_junit(document({finding("B09", Severity::error)})).find("<failure type="),
            std::string::npos);
  EXPECT_NE(as_junit(document({})).find("name=\"conforms\"/>"), std::string::npos);
}

TEST(Xml, EscapesWhatIsNoneOfItsCharacters) {
  EXPECT_EQ(xml::attribute("a<b>&\"'"), "\"a&lt;b&gt;&amp;&quot;'\"");
  EXPECT_EQ(xml::text("one\ntwo\x01"), "one\ntwo\\x01");
  EXPECT_EQ(xml::attribute("one\ntwo"), "\"one\\x0atwo\"");
  EXPECT_EQ(xml::text("\xff\xed\xa0\x80"), "\\xff\\xed\\xa0\\x80");
  EXPECT_EQ(xml::text("\xef\xbf\xbe\xef\xbf\xbf"), "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  EXPECT_EQ(xml::text("]]>"), "]]&gt;");
  EXPECT_EQ(xml::text("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
}

}  // namespace
}  // namespace daptor::report
