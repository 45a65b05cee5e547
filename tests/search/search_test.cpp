// SPDX-License-Identifier: BSD-3-Clause
// Legal arrays, and arrays with one change: the library and an independent judge must agree about
// them.

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "daptor/consistent.hpp"
#include "daptor/error.hpp"
#include "daptor/validate.hpp"
#include "fibers.hpp"
#include "judge.hpp"
#include "meaning.hpp"
#include "seeds.hpp"

namespace daptor::search {
namespace {

std::set<std::string> errors_of(const Report& report) {
  std::set<std::string> rules;
  for (const Finding& finding : report.findings())
    if (finding.severity == Severity::error)
      rules.insert(finding.rule + " " + std::to_string(finding.dimension));
  return rules;
}

/// The proof on which imports rely finds the same errors.
void expect_consistent_says_the_same(const std::vector<std::optional<Section>>& arrays,
                                     const Report& metadata) {
  std::vector<std::set<std::string>> errors(arrays.size());
  const auto escaped = test::run_on_fibers(static_cast<int>(arrays.size()), [&](const Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    try {
      require_consistent(arrays[rank]->on(comm));
    } catch (const Malformed& error) {
      errors[rank] = errors_of(error.report());
    }
  });
  for (const auto& error : escaped) EXPECT_EQ(error, nullptr);
  for (const auto& each : errors) EXPECT_EQ(each, errors_of(metadata));
}

/// An array that is written can be read back as the same array.
void expect_round_trip(const Section& array) {
  const Parsed back = parse(to_value(array));
  ASSERT_TRUE(back.array.has_value()) << back.report;
  EXPECT_TRUE(same_meaning(*back.array, array)) << array << "\n" << *back.array;
}

/// Checks everything that holds for any descriptions.
void look_at(const Recorded& recorded) {
  const Reports reports = validate_everywhere(recorded);
  EXPECT_EQ(disagreement(judge(recorded), reports), "") << reports.full.front();
  const auto arrays = arrays_of(recorded);
  bool all = true;
  for (const auto& array : arrays) {
    all = all && array;
    if (array) expect_round_trip(*array);
  }
  if (all) expect_consistent_says_the_same(arrays, reports.metadata.front());
}

TEST(Search, LegalArraysConform) {
  for_seeds(6000, legal, [](const Recorded& recorded) {
    look_at(recorded);
    EXPECT_EQ(judge(recorded).verdict(true), Verdict::conforms);
  });
}

TEST(Search, OneChangeIsJudgedAlike) {
  for_seeds(15000, changed, look_at);
}

/// A file is judged by what it says, since JSON cannot express everything in the original.
TEST(Search, WrittenAndReadAgain) {
  for_seeds(3000, either, [](const Recorded& recorded) {
    std::istringstream in(as_json(recorded));
    look_at(read_recorded(in));
  });
}

}  // namespace
}  // namespace daptor::search
