// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "daptor/conformance.hpp"

/// \file
/// The conformance kit as a GoogleTest suite, for a project's own producer:
///
/// \code
/// #include <daptor/conformance/gtest.hpp>
///
/// DAPTOR_CONFORMANCE_SUITE(Grid, [] {
///   auto grid = std::make_shared<Grid>(MPI_COMM_WORLD, 100, 50);
///   return daptor::conformance::Candidate{[grid] { return grid->describe(); }};
/// });
///
/// DAPTOR_CONFORMANCE_MAIN();
/// \endcode
///
/// Link with `daptor::conformance`, `daptor::conformance_watch` and GoogleTest, and run it under
/// mpirun with any number of ranks. Header only: it is compiled with the project's own GoogleTest.

/// Defines one test for each check of `daptor::conformance::checks()`: Grid.Description,
/// Grid.Communication, Grid.SharedMemory, .... After the name, pass anything from which a
/// daptor::conformance::Subject can be made; it is evaluated when the first of the tests runs.
#define DAPTOR_CONFORMANCE_SUITE(suite, ...)                                 \
  [[maybe_unused]] static const bool suite##_daptor_conformance_registered = \
      ::daptor::conformance::register_suite(                                 \
          #suite, __FILE__, __LINE__, [] { return ::daptor::conformance::Subject(__VA_ARGS__); })

/// A main function that runs all tests of the program on all ranks of MPI_COMM_WORLD. Projects that
/// start more than MPI write their own.
#define DAPTOR_CONFORMANCE_MAIN()                            \
  int main(int argc, char** argv) {                          \
    return ::daptor::conformance::run_all_tests(argc, argv); \
  }                                                          \
  static_assert(true, "a semicolon follows")

namespace daptor::conformance {

/// What the tests of one suite share.
class Suite {
 public:
  Suite(std::string name, Subject (*make)()) : name_(std::move(name)), make_(make) {}

  const std::string& name() const { return name_; }
  const Subject& subject() {
    if (made_ == nullptr) made_ = std::make_unique<const Subject>(make_());
    return *made_;
  }

  /// Collective. What is wrong with the description, asked once.
  const Report& description() {
    if (!described_) described_ = check_description(subject(), MPI_COMM_WORLD);
    return *described_;
  }
  /// The test of the description has found this, and shows it.
  void describe(const Report& report) {
    described_ = report;
    told_ = !report;
  }
  /// Whether a test before this call has shown what is wrong with the description.
  bool told() { return std::exchange(told_, true); }

 private:
  std::string name_;
  Subject (*make_)();
  std::unique_ptr<const Subject> made_;
  std::optional<Report> described_;
  bool told_ = false;
};

/// Message of a failure on other ranks than 0, which shows the report: it is the same on all.
inline const char* const as_on_rank_0 = "The report is that of rank 0.";

/// Makes one check of a producer on MPI_COMM_WORLD. A wrong description fails one test, and the
/// tests that need a right one are skipped.
class CheckTest : public ::testing::Test {
 public:
  CheckTest(const Check& check, std::shared_ptr<Suite> suite)
      : check_(check), suite_(std::move(suite)) {}

  void TestBody() override {
    int running = 0;
    MPI_Initialized(&running);
    ASSERT_NE(running, 0) << "MPI is not running: call MPI_Init before RUN_ALL_TESTS, or use "
                             "DAPTOR_CONFORMANCE_MAIN().";
    if (check_.name == "description") {
      const Report report = check_.run(suite_->subject(), MPI_COMM_WORLD, {});
      suite_->describe(report);
      return judge(report);
    }
    if (suite_->description()) return judge(check_.run(suite_->subject(), MPI_COMM_WORLD, {}));
    if (!suite_->told()) return judge(suite_->description());
    GTEST_SKIP() << "Not tried, because the description is wrong: see the first test of "
                 << suite_->name() << " that failed.";
  }

 private:
  // Reports are the same on all ranks, so rank 0 alone shows them.
  static void judge(const Report& report) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool sound = true;
    bool checked = true;
    for (const Finding& finding : report.findings()) {
      if (finding.severity == Severity::error ||
          (finding.severity == Severity::warning && finding.rule == "T17"))
        sound = false;
      if (finding.rule == "behaviour.not-checked") checked = false;
    }
    std::ostringstream whole;
    whole << report;
    if (!sound) {
      ADD_FAILURE() << (rank == 0 ? whole.str() : as_on_rank_0);
    } else if (!checked) {
      GTEST_SKIP() << whole.str();
    } else if (!report.findings().empty() && rank == 0) {
      std::cout << whole.str() << std::endl;
    }
  }

  const Check& check_;
  std::shared_ptr<Suite> suite_;
};

/// `SharedMemory` for `shared-memory`.
inline std::string test_name(std::string_view check) {
  std::string name;
  bool upper = true;
  for (const char c : check) {
    if (c != '-') name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '-';
  }
  return name;
}

/// Registers the tests of DAPTOR_CONFORMANCE_SUITE.
inline bool register_suite(const char* suite, const char* file, int line, Subject (*make)()) {
  const auto shared = std::make_shared<Suite>(suite, make);
  for (const Check& check : checks())
    ::testing::RegisterTest(
        suite, test_name(check.name).c_str(), nullptr, nullptr, file, line,
        [&check, shared]() -> CheckTest* { return new CheckTest(check, shared); });
  return true;
}

/// Shows those failures of a rank other than 0 that rank 0 does not show.
class RankPrinter : public ::testing::EmptyTestEventListener {
 public:
  explicit RankPrinter(int rank) : rank_(rank) {}

  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    const std::string_view message = part.message();
    if (!part.failed() || message.find(as_on_rank_0) != std::string_view::npos) return;
    std::ostringstream text;
    text << "[rank " << rank_ << "] "
         << (part.file_name() != nullptr ? part.file_name() : "unknown file") << ":"
         << part.line_number() << ": " << part.message() << "\n";
    std::cout << text.str() << std::flush;
  }

 private:
  int rank_;
};

/// The work of DAPTOR_CONFORMANCE_MAIN: MPI_Init, all tests, MPI_Finalize. Rank 0 shows the
/// progress.
/// @param argc, argv  those of `main`; MPI and GoogleTest remove their arguments
/// @returns the exit status, which is not zero on every rank if a test failed on any rank
inline int run_all_tests(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    delete listeners.Release(listeners.default_xml_generator());
    listeners.Append(new RankPrinter(rank));  // GoogleTest deletes it
  }
  int status = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}

}  // namespace daptor::conformance
