// SPDX-License-Identifier: BSD-3-Clause
// Producers in shared libraries are loaded and checked, or refused with a sentence.

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

#include "daptor/conformance.hpp"
#include "daptor/daptor.hpp"

namespace daptor::test {
namespace {

using conformance::load_producer;

std::string library(const std::string& name) {
  return DAPTOR_TEST_PLUGINS "/libdaptor_test_plugin_" + name + ".so";
}

/// Expects a refusal with this rule and these words.
void expect_refusal(const std::string& specification, const std::string& rule,
                    const std::string& words) {
  try {
    static_cast<void>(load_producer(specification));
    ADD_FAILURE() << specification << " was loaded";
  } catch (const ProducerFailed& error) {
    EXPECT_EQ(error.rule(), rule) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Plugin, PassesAllChecks) {
  const Report report =
      conformance::check(load_producer(library("grid") + ":grid"), MPI_COMM_WORLD);
  EXPECT_TRUE(report.findings().empty()) << report;
}

TEST(Plugin, CallsInsideItAreSeen) {
  const auto subject = load_producer(library("grid") + ":asks", MPI_COMM_WORLD);
  const Report report = conformance::check_communication(subject, MPI_COMM_WORLD);
  ASSERT_TRUE(report.has("T17")) << report;
  EXPECT_NE(report.findings()[0].found.str().find("MPI_Bcast on world"), std::string::npos)
      << report;
  EXPECT_TRUE(conformance::check_description(subject, MPI_COMM_WORLD).findings().empty());
  EXPECT_FALSE(conformance::check_shared_memory(subject, MPI_COMM_WORLD).has("T18"));
}

TEST(Plugin, SaysWhyItReturnsNotZero) {
  const Report report =
      conformance::check(load_producer(library("grid") + ":refuses"), MPI_COMM_WORLD);
  ASSERT_TRUE(report.has(rule_producer)) << report;
  EXPECT_EQ(report.verdict(), Verdict::producer_failed);
  EXPECT_EQ(report.first_error()->found, "refuses returned 5: the file of the mesh is gone");
}

TEST(Plugin, AnExportCanBeUsedAsAnyArray) {
  const auto candidate = load_producer(library("grid") + ":grid").make(MPI_COMM_WORLD);
  const auto section = candidate.describe();
  EXPECT_EQ(section.array().ndim(), 2);
  EXPECT_TRUE(validate(section.submission(), MPI_COMM_WORLD));
  candidate.destroy();
  EXPECT_EQ(section.array().owned_count(), 6);
}

TEST(Plugin, RefusesWhatIsNoProducer) {
  expect_refusal("libgrid.so", "plugin.specification", "./libgrid.so:grid");
  expect_refusal(":grid", "plugin.specification", "a file and a symbol");
  expect_refusal("./nothing.so:grid", "plugin.file", "no file './nothing.so'");
  expect_refusal("nothing_of_the_kind.so:grid", "plugin.file", "cannot be loaded");
  expect_refusal("./:grid", "plugin.file", "is a directory");
  expect_refusal("/dev/zero:grid", "plugin.file", "is no regular file");
  expect_refusal("/proc/self/status:grid", "plugin.file", "cannot be loaded");
  expect_refusal(library("grid") + ":no_such_grid", "plugin.symbol", "'no_such_grid'");
}

TEST(Plugin, WhereOneRankCannotLoadItAllSaySo) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string mine = rank == size - 1 ? "./nothing.so:grid" : library("grid") + ":grid";
  try {
    static_cast<void>(load_producer(mine, MPI_COMM_WORLD));
    ADD_FAILURE() << "loaded";
  } catch (const ProducerFailed& error) {
    EXPECT_EQ(error.rule(), "plugin.file");
    EXPECT_EQ(error.rank(), size - 1);
  }
}

TEST(Plugin, ProbingWhileMpiRunsIsRefused) {
  EXPECT_THROW(conformance::probe_producer(library("grid") + ":grid"), InvalidArgument);
}

}  // namespace
}  // namespace daptor::test
