// SPDX-License-Identifier: BSD-3-Clause
// What a program needs that includes this header alone: to catch what its calls throw.
#include <daptor/solvers.hpp>

#include <gtest/gtest.h>

namespace daptor::test {
namespace {

TEST(LoneHeader, declaresWhatTheCallsThrow) {
  std::string rule;
  try {
    solvers::copy_matrix(Mat(nullptr));
  } catch (const daptor::Error& error) {
    rule = error.rule();
  }
  EXPECT_EQ(rule, "argument");
}

}  // namespace
}  // namespace daptor::test
