// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/report.hpp"

#include <gtest/gtest.h>

#include "text.hpp"

namespace daptor {
namespace {

using test::text;

Finding error(const char* rule) {
  Finding finding;
  finding.rule = rule;
  finding.found = "this";
  return finding;
}

Finding warning(const char* rule) {
  Finding finding = error(rule);
  finding.severity = Severity::warning;
  return finding;
}

TEST(Finding, CannotCommandATerminal) {
  Finding finding = error("producer");
  finding.key = "\x1b[2J";
  finding.found =
      "no \x1b[31mluck\x07 \xc2\x9b"
      "0m\nand a\tline";
  finding.expected = "\x7f";
  finding.remedy = "\rDo.";
  EXPECT_EQ(to_string(finding),
            "producer error, '\\x1b[2J': found no \\x1b[31mluck\\x07 \\xc2\\x9b"
            "0m\nand a\tline; "
            "expected \\x7f. \\x0dDo.");
}

TEST(Finding, IsOneSentenceWithWhatIsKnown) {
  const Finding full{
      "B04",       Severity::error, {1}, 1, 0, "stop", "start 7, stop 3", "stop greater than start",
      "Swap them."};
  EXPECT_EQ(to_string(full),
            "B04 error, rank 1, dimension 0, 'stop': found start 7, stop 3; expected stop greater "
            "than start. Swap them.");
  EXPECT_EQ(to_string(warning("A03")), "A03 warning: found this");
  Finding many = error("D10");
  many.ranks = {2, 5, 7};
  many.rank_count = 3;
  EXPECT_EQ(to_string(many), "D10 error, ranks 2, 5, 7: found this");
  many.rank_count = 1000000000000;
  EXPECT_EQ(to_string(many), "D10 error, ranks 2, 5, 7 and 999999999997 more: found this");
}

TEST(Finding, NamesTheLowestRankAtFault) {
  Finding finding = error("D10");
  EXPECT_EQ(finding.rank(), -1);
  finding.ranks = {3, 6};
  EXPECT_EQ(finding.rank(), 3);
}

TEST(Finding, IsEqualWhereEveryFieldIs) {
  const Finding original{"B04", Severity::error, {1}, 1, 0, "stop", "a", "b", "c"};
  EXPECT_EQ(original, Finding(original));
  for (int field = 0; field < 10; ++field) {
    Finding other = original;
    if (field == 0) other.rule = "B05";
    if (field == 1) other.severity = Severity::note;
    if (field == 2) other.ranks = {2};
    if (field == 3) other.rank_count = 2;
    if (field == 4) other.dimension = 1;
    if (field == 5) other.key = "start";
    if (field == 6) other.found = "x";
    if (field == 7) other.expected = "x";
    if (field == 8) other.remedy = "x";
    if (field == 9) other.copy.function = "f";
    EXPECT_NE(original, other) << "field " << field;
  }
}

TEST(Finding, SuggestsACopyAfterItsRemedy) {
  Finding reason{"a.b", Severity::error, {}, 0, -1, "", "this", "that", ""};
  EXPECT_EQ(advice(reason), "");
  reason.copy = {"f", {}, "f(a)"};
  EXPECT_EQ(advice(reason), "Copy the array: f(a).");
  reason.remedy = "Mend it.";
  EXPECT_EQ(to_string(reason), "a.b error: found this; expected that. Mend it. Or copy: f(a).");
  EXPECT_EQ(reason.copy.condition(), "");
  reason.copy.options = {{"read_from_any", "true"}};
  EXPECT_EQ(advice(reason),
            "Mend it. Or, once all copies of an index are equal (a HaloExchange with "
            "HaloOptions::owned gives them the values of their owners), copy: f(a).");
  EXPECT_NE(reason.copy.condition(), "");
}

TEST(Report, ConformsWithWarningsAndNotes) {
  Report report;
  EXPECT_TRUE(report);
  EXPECT_EQ(report.first_error(), nullptr);
  Finding note = error("T04");
  note.severity = Severity::note;
  report.add(note);
  report.add(warning("A03"));
  EXPECT_TRUE(report);
  EXPECT_EQ(report.verdict(), Verdict::conforms);
  EXPECT_EQ(report.first_error(), nullptr);
  EXPECT_TRUE(report.has("A03"));
  EXPECT_FALSE(report.has("A0"));
}

TEST(Report, AnErrorMakesItMalformed) {
  const Report report({warning("A03"), error("B04"), error("B02")});
  EXPECT_FALSE(report);
  EXPECT_EQ(report.verdict(), Verdict::malformed);
  ASSERT_NE(report.first_error(), nullptr);
  EXPECT_EQ(report.first_error()->rule, "B04");
}

TEST(Report, UnknownVersionsAndTypesAreUnsupported) {
  for (const char* rule : {rule_unknown_version, rule_unknown_distribution, rule_unknown_abi}) {
    const Report report({error("B04"), error(rule), error("B02")});
    EXPECT_EQ(report.verdict(), Verdict::unsupported) << rule;
    EXPECT_EQ(report.first_error()->rule, rule) << "what the verdict rests on";
    EXPECT_EQ(Report({warning(rule), error("B04")}).verdict(), Verdict::malformed);
  }
}

TEST(Report, AProducersFailureDecides) {
  const Report report({error("B04"), error(rule_unknown_version), error(rule_producer)});
  EXPECT_EQ(report.verdict(), Verdict::producer_failed);
  EXPECT_EQ(report.first_error()->rule, rule_producer);
}

TEST(Report, AppendsInOrder) {
  Report report({error("T01")});
  report.append(Report({error("T02"), error("T03")}));
  report.append(Report());
  report.append(report);
  ASSERT_EQ(report.findings().size(), 6U);
  const char* expected[] = {"T01", "T02", "T03", "T01", "T02", "T03"};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(report.findings()[i].rule, expected[i]);
}

TEST(Report, PrintsAFindingALineAndTheVerdict) {
  EXPECT_EQ(text(Report()), "conforms");
  EXPECT_EQ(text(Report({warning("A03"), error("B04")})),
            "A03 warning: found this\nB04 error: found this\nmalformed");
  EXPECT_EQ(text(Verdict::unsupported), "unsupported");
  EXPECT_EQ(text(Verdict::producer_failed), "producer failed");
  EXPECT_EQ(text(Severity::note), "note");
}

}  // namespace
}  // namespace daptor
