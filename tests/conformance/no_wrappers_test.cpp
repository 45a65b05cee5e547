// SPDX-License-Identifier: BSD-3-Clause
// A program without the wrappers: the report says which checks need them and were not made.

#include <gtest/gtest.h>
#include <mpi.h>

#include "field.hpp"

namespace daptor::test {
namespace {

TEST(NoWrappers, CommunicationIsNotChecked) {
  EXPECT_FALSE(conformance::MpiWatch::available());
  const Report report = conformance::check_communication(
      field_subject(Fault::communicates_in_export), MPI_COMM_WORLD);
  ASSERT_EQ(report.findings().size(), 1U) << report;
  EXPECT_EQ(report.findings()[0].rule, "behaviour.not-checked");
  EXPECT_NE(report.findings()[0].remedy.str().find("daptor::conformance_watch"), std::string::npos);
}

TEST(NoWrappers, EverythingElseIs) {
  const Report correct = conformance::check(field_subject(Fault::none), MPI_COMM_WORLD);
  EXPECT_EQ(correct.findings().size(), 1U) << correct;
  EXPECT_TRUE(conformance::check(field_subject(Fault::copies), MPI_COMM_WORLD).has("T18"));
}

}  // namespace
}  // namespace daptor::test
