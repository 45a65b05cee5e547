// Very many small arrays, legal ones and such that are changed in one thing: the library and an
// independent judge say the same.
//
//   DAPTOR_SEARCH_CASES=1000000   how many of each test
//   DAPTOR_SEARCH_SEED=4711       where to begin: what a failure prints, with 1 case, replays it

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "compare.hpp"
#include "daptor/agreement.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "daptor/validate.hpp"
#include "describe.hpp"
#include "fibers.hpp"
#include "judge.hpp"
#include "layout.hpp"
#include "meaning.hpp"
#include "mutate.hpp"

namespace daptor::search {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// An array of all ranks, and how it was made.
struct Case {
  Recorded recorded;
  std::string made = "a legal array";
};

/// Makes and looks at so many arrays; stops at the first that fails, and says how to see it again.
template <class Make, class Look>
void for_seeds(std::uint64_t cases, const Make& make, const Look& look) {
  const std::uint64_t first = from_environment("DAPTOR_SEARCH_SEED", 1);
  cases = from_environment("DAPTOR_SEARCH_CASES", cases);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    const Case found = make(random);
    try {
      look(found.recorded);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "an exception: " << error.what();
    }
    if (!::testing::Test::HasFailure()) continue;
    ADD_FAILURE() << "DAPTOR_SEARCH_SEED=" << seed << " DAPTOR_SEARCH_CASES=1\n"
                  << found.made << "\n"
                  << as_json(found.recorded);
    return;
  }
}

Case legal(Random& random) {
  return {describe_layout(random, random_layout(random))};
}

Case changed(Random& random) {
  Case made = legal(random);
  made.made = mutate(random, made.recorded);
  if (random.chance(15)) made.made += "; " + mutate(random, made.recorded);
  return made;
}

Case either(Random& random) {
  return random.chance(40) ? legal(random) : changed(random);
}

std::set<std::string> errors_of(const Report& report) {
  std::set<std::string> rules;
  for (const Finding& finding : report.findings())
    if (finding.severity == Severity::error)
      rules.insert(finding.rule + " " + std::to_string(finding.dimension));
  return rules;
}

std::vector<std::optional<DistArray>> arrays_of(const Recorded& recorded) {
  std::vector<std::optional<DistArray>> arrays;
  for (const RecordedRank& rank : recorded.ranks) {
    const auto* value = std::get_if<Value>(&rank);
    arrays.push_back(value != nullptr ? parse(*value).array : std::nullopt);
  }
  return arrays;
}

/// What imports rest on finds the same errors.
void expect_consistent_says_the_same(const std::vector<std::optional<DistArray>>& arrays,
                                     const Report& metadata) {
  std::vector<std::set<std::string>> errors(arrays.size());
  const auto escaped =
      run_on_fibers(static_cast<int>(arrays.size()), [&](const Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank());
        try {
          require_consistent(*arrays[rank], comm);
        } catch (const Malformed& error) {
          errors[rank] = errors_of(error.report());
        }
      });
  for (const auto& error : escaped) EXPECT_EQ(error, nullptr);
  for (const auto& each : errors) EXPECT_EQ(each, errors_of(metadata));
}

/// What is written of an array reads back as the same.
void expect_round_trip(const DistArray& array) {
  const Parsed back = parse(to_value(array));
  ASSERT_TRUE(back.array.has_value()) << back.report;
  EXPECT_TRUE(same_meaning(*back.array, array)) << array << "\n" << *back.array;
}

/// Everything that holds for any descriptions whatsoever.
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
  for_seeds(10000, legal, [](const Recorded& recorded) {
    look_at(recorded);
    EXPECT_EQ(judge(recorded).verdict(true), Verdict::conforms);
  });
}

TEST(Search, OneChangeIsJudgedAlike) {
  for_seeds(20000, changed, look_at);
}

/// Threads in place of fibers, messages that are handed over only when asked for.
TEST(Search, SimulatedRanksSayTheSame) {
  for_seeds(500, either, [](const Recorded& recorded) {
    const Reports reports = validate_everywhere(recorded);
    run_simulated(static_cast<int>(recorded.ranks.size()), [&](const Communicator& comm) {
      const auto rank = static_cast<std::size_t>(comm.rank());
      const Report report =
          validate(submission(recorded.ranks[rank]), comm, {daptor::Level::full, {}});
      EXPECT_EQ(report.findings(), reports.full[rank].findings());
    });
  });
}

/// What a file says is judged as it stands there: JSON has no word for some of what it was made of.
TEST(Search, WrittenAndReadAgain) {
  for_seeds(4000, either, [](const Recorded& recorded) {
    std::istringstream in(as_json(recorded));
    look_at(read_recorded(in));
  });
}

}  // namespace
}  // namespace daptor::search
