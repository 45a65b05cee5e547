// SPDX-License-Identifier: BSD-3-Clause
// main() of the tests that run under mpirun.
//
// Rank 0 shows the progress, and every rank its own failures, with "[rank r/n]" in front of each
// line. After each test the ranks agree on its outcome, so a failure on one rank is a failure of
// the job. A rank that failed a test waits only a few seconds for the others, which may be stuck in
// a collective call that this rank has left. Then it aborts the job with the name of the test.

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "start.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double grace_seconds() {
  const char* text = std::getenv("DAPTOR_TEST_GRACE");
  return text != nullptr ? std::atof(text) : 10.0;
}

class MpiListener : public ::testing::EmptyTestEventListener {
 public:
  explicit MpiListener(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  int failed_tests() const { return static_cast<int>(failed_names_.size()); }

  void OnTestIterationStart(const ::testing::UnitTest& unit, int /*iteration*/) override {
    progress("[==========] " + std::to_string(unit.test_to_run_count()) + " tests on " +
             std::to_string(size_) + " ranks\n");
  }

  void OnEnvironmentsSetUpEnd(const ::testing::UnitTest& /*unit*/) override {
    agree("the set-up of the environments", environment_failed_);
    environment_failed_ = false;
  }

  void OnTestStart(const ::testing::TestInfo& info) override {
    progress("[ RUN      ] " + name(info) + "\n");
    in_test_ = true;
  }

  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (part.passed()) return;
    if (part.failed() && !in_test_) environment_failed_ = true;
    if (part.skipped() && rank_ != 0) return;
    std::ostringstream text;
    text << (part.file_name() != nullptr ? part.file_name() : "unknown file") << ":"
         << part.line_number() << ": " << (part.skipped() ? "Skipped" : "Failure") << "\n"
         << part.message() << "\n";
    say(text.str());
  }

  void OnTestEnd(const ::testing::TestInfo& info) override {
    in_test_ = false;
    const int failed_ranks = agree(name(info), info.result()->Failed());
    const std::string time = " (" + std::to_string(info.result()->elapsed_time()) + " ms)";
    if (failed_ranks > 0) {
      failed_names_.push_back(name(info));
      progress("[  FAILED  ] " + name(info) + " on " + std::to_string(failed_ranks) + " of " +
               std::to_string(size_) + " ranks\n");
    } else if (info.result()->Skipped()) {
      progress("[  SKIPPED ] " + name(info) + "\n");
    } else {
      ++passed_;
      progress("[       OK ] " + name(info) + time + "\n");
    }
  }

  void OnTestProgramEnd(const ::testing::UnitTest& /*unit*/) override {
    const int late = agree("the end of the program", environment_failed_);
    if (late > 0) failed_names_.push_back("(outside of the tests)");
    std::string text = "[  PASSED  ] " + std::to_string(passed_) + " tests\n";
    for (const std::string& failed : failed_names_) text += "[  FAILED  ] " + failed + "\n";
    progress(text);
  }

 private:
  static std::string name(const ::testing::TestInfo& info) {
    return std::string(info.test_suite_name()) + "." + info.name();
  }

  void progress(const std::string& text) const {
    if (rank_ == 0) write_all(text);
  }

  void say(const std::string& text) const {
    const std::string prefix =
        "[rank " + std::to_string(rank_) + "/" + std::to_string(size_) + "] ";
    std::istringstream lines(text);
    std::string prefixed;
    for (std::string line; std::getline(lines, line);) prefixed += prefix + line + "\n";
    write_all(prefixed);
  }

  // Each message is one write, which keeps the lines of several ranks apart.
  static void write_all(const std::string& text) { std::cout << text << std::flush; }

  // Collective. The number of ranks that failed.
  int agree(const std::string& what, bool failed) const {
    int mine = failed ? 1 : 0;
    int total = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &total, 1, MPI_INT, MPI_SUM, comm_, &request);
    const auto start = Clock::now();
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return total;
      const std::chrono::duration<double> waited = Clock::now() - start;
      if (failed && waited.count() > grace_seconds()) {
        say("failed " + what + ", and another rank has not finished it: aborting the job");
        MPI_Abort(MPI_COMM_WORLD, 70);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(waited.count() < 0.01 ? 0 : 500));
    }
  }

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  int passed_ = 0;
  bool in_test_ = false;
  bool environment_failed_ = false;
  std::vector<std::string> failed_names_;
};

int run_tests(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);

  // The unit test object owns and deletes the listener.
  auto* listener = new MpiListener(comm);
  ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  if (rank != 0) delete listeners.Release(listeners.default_xml_generator());
  listeners.Append(listener);

  int status = RUN_ALL_TESTS();
  if (listener->failed_tests() > 0) status = 1;
  if (::testing::UnitTest::GetInstance()->test_to_run_count() == 0 &&
      !::testing::GTEST_FLAG(list_tests)) {
    if (rank == 0) std::cout << "No test was run.\n";
    status = 1;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  ::testing::InitGoogleTest(&argc, argv);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int status = daptor::test::with_libraries(argc, argv, [comm] { return run_tests(comm); });
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return status;
}
