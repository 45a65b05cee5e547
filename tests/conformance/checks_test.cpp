// SPDX-License-Identifier: BSD-3-Clause
// Tests of the kit itself: a producer with one fault fails exactly the check that looks for it.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstring>
#include <functional>
#include <set>
#include <sstream>
#include <string>

#include "field.hpp"
#include "world.hpp"

namespace daptor::test {
namespace {

using conformance::Candidate;
using conformance::Check;
using conformance::MultiIndex;
using conformance::Subject;

std::string text_of(const Report& report) {
  std::ostringstream out;
  out << report;
  return out.str();
}

void expect_same_on_all_ranks(const Report& report) {
  const std::string mine = text_of(report);
  std::string first = mine;
  first.resize(20000, ' ');
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(mine, first.substr(0, mine.size()));
}

const Finding* breach(const Report& report) {
  for (const Finding& finding : report.findings())
    if (finding.severity != Severity::note) return &finding;
  return nullptr;
}

/// Expects that one check fails, by `rule`, and that all others pass.
void expect_only(const Subject& subject, std::string_view failing, const std::string& rule) {
  for (const Check& check : conformance::checks()) {
    const Report report = check.run(subject, MPI_COMM_WORLD, {});
    expect_same_on_all_ranks(report);
    const Finding* found = breach(report);
    if (check.name != failing) {
      EXPECT_EQ(found, nullptr) << check.name << ":\n" << report;
    } else if (found == nullptr) {
      ADD_FAILURE() << check.name << " found nothing:\n" << report;
    } else {
      EXPECT_EQ(found->rule, rule) << report;
      EXPECT_FALSE(found->remedy.empty()) << report;
    }
  }
}

TEST(Checks, ACorrectProducerPassesAllOfThem) {
  const Report report = conformance::check(field_subject(Fault::none), MPI_COMM_WORLD);
  EXPECT_TRUE(report.findings().empty()) << report;
}

struct Case {
  Fault fault;
  const char* check;
  const char* rule;
};

class OneFault : public ::testing::TestWithParam<Case> {};

TEST_P(OneFault, FailsTheCheckThatLooksForIt) {
  const Case& one = GetParam();
  expect_only(field_subject(one.fault), one.check, one.rule);
}

INSTANTIATE_TEST_SUITE_P(
    Checks, OneFault,
    ::testing::Values(Case{Fault::communicates_in_export, "communication", "T17"},
                      Case{Fault::copies, "shared-memory", "T18"},
                      Case{Fault::copies_back, "shared-memory", "T18"},
                      Case{Fault::detached, "shared-memory", "T18"},
                      Case{Fault::ignores_own_writes, "shared-memory", "T18"},
                      Case{Fault::keeps_release, "release", "behaviour.release"},
                      Case{Fault::communicates_in_release, "release", "behaviour.release"},
                      Case{Fault::exports_once, "twice", "behaviour.twice"},
                      Case{Fault::changes_description, "twice", "behaviour.twice"},
                      Case{Fault::breaks_other_exports, "twice", "behaviour.twice"},
                      Case{Fault::dies_with_producer, "producer-first", "behaviour.producer-first"},
                      Case{Fault::dies_with_consumer, "consumer-first", "behaviour.consumer-first"},
                      Case{Fault::wrong_labels, "labels", "behaviour.labels"},
                      Case{Fault::flickers, "read-only", "behaviour.readonly"},
                      Case{Fault::opens_for_writing, "read-only", "behaviour.readonly"},
                      Case{Fault::misses_process, "description", "D14"}));

TEST(Checks, MoreDimensionsThanTheCInterfaceHasFailTheRoundTrip) {
  expect_only(
      [] {
        std::vector<Dimension> dimensions{block(world_size(), {world_size(), world_rank()})};
        dimensions.resize(DAPTOR_MAX_NDIM + 1, undistributed(1));
        auto number = std::make_shared<double>(world_rank());
        const Section array = describe(number.get(), dimensions, Order::c, number);
        Candidate candidate{[array] { return array; }};
        candidate.destroy = [] {};
        return candidate;
      },
      "round-trip", "behaviour.round-trip");
}

TEST(Checks, NamesTheRankAtFault) {
  const int last = world_size() - 1;
  const Report report = conformance::check(
      [last](MPI_Comm comm) {
        const Fault fault = world_rank() == last ? Fault::copies : Fault::none;
        return field_candidate(comm, fault);
      },
      MPI_COMM_WORLD);
  // Three findings: two exports differ, the producer does not see a write, and exports do not see
  // the producer's.
  ASSERT_EQ(report.findings().size(), 3U) << report;
  for (const Finding& finding : report.findings()) {
    EXPECT_EQ(finding.rule, "T18");
    EXPECT_EQ(finding.ranks, std::vector<int>{last});
    EXPECT_EQ(finding.rank_count, 1);
    EXPECT_NE(finding.found.str().find("12 of 12 elements"), std::string::npos) << finding;
  }
}

/// What a producer can do wrong on one rank while the others go on.
struct Failure {
  const char* name;
  void (*fail)(daptor_array*);
  const char* rule;
  bool exports = false;  ///< exports a section, though not one that can be read
};

const Failure failures[] = {
    {"throws", [](daptor_array*) { throw std::runtime_error("broken on purpose"); }, rule_producer},
    {"throws a number", [](daptor_array*) { throw 42; }, rule_producer},
    {"throws an error of Daptor's", [](daptor_array*) { throw Stale("on purpose", "Wait."); },
     "stale"},
    {"fills nothing",
     [](daptor_array* out) {
       out->release(out);
       std::memset(out, 0, sizeof *out);
     },
     rule_unknown_abi, true},
    {"sets an unknown flag", [](daptor_array* out) { out->flags = 64; }, "abi.flags", true},
    {"stops before it starts",
     [](daptor_array* out) { const_cast<daptor_dimension*>(out->dimensions)->stop -= 5; }, "B04",
     true},
};

TEST(Checks, AFaultOnOneRankIsTheSameReportOnAll) {
  for (const Failure& failure : failures) {
    for (int at_fault = 0; at_fault < world_size(); ++at_fault) {
      const Subject subject = [&](MPI_Comm comm) {
        Candidate candidate = field_candidate(comm, Fault::none);
        auto field = std::make_shared<Field>(world_rank(), world_size(), Fault::none);
        candidate.describe = [&, field](daptor_array* out) {
          Field::fill(field, out);
          if (world_rank() != at_fault) return;
          if (!failure.exports) out->release(out);
          failure.fail(out);
        };
        return candidate;
      };
      for (const Check& check : conformance::checks()) {
        const Report report = check.run(subject, MPI_COMM_WORLD, {});
        expect_same_on_all_ranks(report);
        if (check.name == "communication" && failure.exports) continue;
        EXPECT_FALSE(report) << failure.name << ", " << check.name;
        ASSERT_TRUE(report.has(failure.rule)) << failure.name << ", " << check.name << report;
        EXPECT_EQ(report.first_error()->rank(), at_fault) << failure.name << report;
      }
    }
  }
}

TEST(Checks, AProducerThatCannotBeMadeIsAFinding) {
  for (int at_fault = 0; at_fault < world_size(); ++at_fault) {
    const Report report = conformance::check(
        [&](MPI_Comm comm) {
          if (world_rank() == at_fault) throw std::runtime_error("no memory for a field");
          return field_candidate(comm, Fault::none);
        },
        MPI_COMM_WORLD);
    expect_same_on_all_ranks(report);
    ASSERT_EQ(report.findings().size(), 1U) << report;
    EXPECT_EQ(report.findings()[0].rule, rule_producer);
    EXPECT_EQ(report.findings()[0].ranks, std::vector<int>{at_fault});
    EXPECT_NE(report.findings()[0].found.str().find("no memory for a field"), std::string::npos);
  }
}

TEST(Checks, AStatusButZeroIsAFinding) {
  const Report report = conformance::check([](daptor_array*) { return 7; }, MPI_COMM_WORLD);
  ASSERT_TRUE(report.has(rule_producer)) << report;
  EXPECT_NE(report.first_error()->found.str().find("returned 7"), std::string::npos) << report;
}

TEST(Checks, SayWhatTheyCouldNotCheck) {
  const Report report = conformance::check(
      [](MPI_Comm comm) {
        Candidate candidate = field_candidate(comm, Fault::none);
        candidate.destroy = nullptr;
        candidate.labelled = false;
        return candidate;
      },
      MPI_COMM_WORLD);
  EXPECT_TRUE(report);
  ASSERT_EQ(report.findings().size(), 2U) << report;
  for (const Finding& finding : report.findings()) {
    EXPECT_EQ(finding.rule, "behaviour.not-checked");
    EXPECT_EQ(finding.severity, Severity::note);
    EXPECT_FALSE(finding.remedy.empty());
  }
}

TEST(Checks, ANewArrayAtEachCallIsNoExport) {
  const Report report = conformance::check(
      [] {
        return allocate<double>({block(10, {world_size(), world_rank()})});
      },
      MPI_COMM_WORLD);
  EXPECT_TRUE(report.has("T18")) << report;
}

/// In memory that outlives the producers, and which the kit writes through exports only.
TEST(Checks, LeaveTheElementsAsTheyWere) {
  const auto field = std::make_shared<Field>(world_rank(), world_size(), Fault::none);
  const Subject subject = [&field] {
    Candidate candidate;
    candidate.describe = [field](daptor_array* out) { Field::fill(field, out); };
    candidate.destroy = [] {};
    return candidate;
  };
  for (const Check& check : conformance::checks()) {
    const Report report = check.run(subject, MPI_COMM_WORLD, {});
    EXPECT_TRUE(report.findings().empty()) << check.name << ":\n" << report;
    for (Index i = 0; i < Field::rows_here; ++i)
      for (Index j = 0; j < Field::columns; ++j)
        EXPECT_EQ(field->at({i, j}),
                  static_cast<double>((world_rank() * Field::rows_here + i) * Field::columns + j))
            << check.name;
  }
}

TEST(Checks, HooksOfAnotherElementTypeAreRefused) {
  const Subject subject = [](MPI_Comm comm) {
    Candidate candidate = field_candidate(comm, Fault::none);
    candidate.read = [](const MultiIndex&) { return 1.0F; };
    candidate.label = [](const MultiIndex&) { return 1; };
    return candidate;
  };
  EXPECT_TRUE(conformance::check_shared_memory(subject, MPI_COMM_WORLD).has("argument"));
  const Report labels = conformance::check_labels(subject, MPI_COMM_WORLD);
  ASSERT_TRUE(labels.has("behaviour.labels"));
  EXPECT_NE(labels.first_error()->found.str().find("int32"), std::string::npos) << labels;
}

TEST(Checks, WorkOnAnyCommunicator) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &half);
  EXPECT_TRUE(conformance::check(field_subject(Fault::none), half).findings().empty());
  EXPECT_TRUE(conformance::check(field_subject(Fault::copies), half).has("T18"));
  MPI_Comm_free(&half);
}

TEST(Checks, EveryBehaviourRuleAsksForSomething) {
  std::set<std::string_view> ids;
  for (const auto& rule : conformance::behaviour_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.clause.empty()) << rule.id;
    EXPECT_FALSE(rule.remedy.empty()) << rule.id;
  }
  EXPECT_TRUE(ids.count("T17") == 1 && ids.count("T18") == 1);
}

}  // namespace
}  // namespace daptor::test
