// SPDX-License-Identifier: BSD-3-Clause
// A program that tries to load a library that crashes, exits or hangs is not harmed. Without MPI.

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "daptor/conformance/plugin.hpp"

namespace daptor::test {
namespace {

using conformance::probe_producer;
using std::chrono::milliseconds;

std::string library(const std::string& name) {
  return DAPTOR_TEST_PLUGINS "/libdaptor_test_plugin_" + name + ".so:grid";
}

void expect_problem(const std::optional<std::string>& problem, const std::string& words) {
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find(words), std::string::npos) << *problem;
}

TEST(Probe, SaysNothingOfAProducerThatLoads) {
  EXPECT_EQ(probe_producer(library("grid")), std::nullopt);
  EXPECT_EQ(probe_producer(library("prints")), std::nullopt);
}

TEST(Probe, SaysHowALibraryFailsToLoad) {
  expect_problem(probe_producer(library("crashes")), "crashed when it was loaded: Aborted");
  expect_problem(probe_producer(library("exits")),
                 "ended the process when it was loaded, with status 3");
  expect_problem(probe_producer("no_colon"), "a file and a symbol");
  expect_problem(probe_producer("./nothing.so:grid"), "no file './nothing.so'");
  expect_problem(probe_producer("/proc/self/status:grid"), "cannot be loaded");
  const std::string grid = library("grid");
  expect_problem(probe_producer(grid.substr(0, grid.size() - 4) + "other"), "'other'");
}

TEST(Probe, WaitsNoLongerThanItIsTold) {
  const auto start = std::chrono::steady_clock::now();
  expect_problem(probe_producer(library("hangs"), milliseconds(200)), "not loaded in time");
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(5000));
}

}  // namespace
}  // namespace daptor::test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
