// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "daptor/report.hpp"

/// \file
/// For authors of adapters: checks as assertions for GoogleTest. Programs include
/// `daptor/<adapter>/gtest.hpp`, which names the adapter's checks with
/// `namespace daptor::checks { using toy::check; }`; they may include several of these.
///
/// Header only: it is compiled with the project's own GoogleTest.

/// Takes the arguments of the `check` of an adapter: an object, and what belongs to it. Collective
/// over the object's communicator, and fails on all of its ranks or on none. Fails if there is an
/// error among the findings, which are the message; warnings alone are printed. To fail for
/// warnings, too: `EXPECT_TRUE(report.findings().empty()) << report`.
#define DAPTOR_EXPECT_SOUND(...) \
  EXPECT_PRED_FORMAT1(::daptor::adapter::judge_report, ::daptor::checks::check(__VA_ARGS__))
/// The same, and leaves the test's function where it fails.
#define DAPTOR_ASSERT_SOUND(...) \
  ASSERT_PRED_FORMAT1(::daptor::adapter::judge_report, ::daptor::checks::check(__VA_ARGS__))

namespace daptor::adapter {

/// The predicate behind the assertions. Process-local.
/// @param call  the text of the call that returned the report
inline ::testing::AssertionResult judge_report(const char* call, const Report& report) {
  std::ostringstream text;
  text << call << " finds:";
  for (const Finding& finding : report.findings()) text << '\n' << finding;
  if (!report) return ::testing::AssertionFailure() << text.str();
  if (!report.findings().empty()) std::cout << text.str() << std::endl;
  return ::testing::AssertionSuccess();
}

}  // namespace daptor::adapter
