// SPDX-License-Identifier: BSD-3-Clause
// A program that never starts Kokkos.

#include "support.hpp"

namespace daptor::test {
namespace {

TEST(WithoutKokkos, CallsSayWhatIsMissing) {
  const DistArray array = labelled({{plain_block(9, world_size())}, {}});
  const auto expect_missing = [](const auto& call) {
    expect_refused_everywhere<InvalidArgument>("tpetra.not-initialized", call);
  };
  expect_missing([&] { tpetra::import_map(array); });
  expect_missing([&] { tpetra::import_vector<double>(array); });
  expect_missing([&] { tpetra::import_multivector_readonly<double>(array); });
  EXPECT_FALSE(Kokkos::is_initialized()) << "started behind the program's back";
}

TEST(WithoutKokkos, ExplainAnswersAllTheSame) {
  const DistArray array = labelled({{plain_block(9, world_size())}, {}});
  const Explanation explanation = explain(array);
  EXPECT_EQ(explanation.size(), registered_targets().size());
  for (const Assessment& assessment : explanation) EXPECT_TRUE(assessment.representable);
}

}  // namespace
}  // namespace daptor::test
