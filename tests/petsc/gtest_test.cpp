// SPDX-License-Identifier: BSD-3-Clause
// DAPTOR_EXPECT_SOUND and DAPTOR_ASSERT_SOUND fail for a planted defect, on all ranks and with the
// report, and pass for objects in which nothing is wrong.

#include <gtest/gtest-spi.h>

#include <daptor/petsc/gtest.hpp>

#include "checked.hpp"

namespace {

using namespace daptor_test;

/// Expects that one assertion in `body` fails, with this text in its message.
void expect_failure(const std::string& text, const std::function<void()>& body) {
  using Reporter = ::testing::ScopedFakeTestPartResultReporter;
  ::testing::TestPartResultArray results;
  {
    const Reporter reporter(Reporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    body();
  }
  ASSERT_EQ(results.size(), 1);
  const ::testing::TestPartResult& result = results.GetTestPartResult(0);
  EXPECT_TRUE(result.failed());
  EXPECT_NE(std::string(result.message()).find(text), std::string::npos) << result.message();
}

TEST(Sound, FailsForAnErrorOnOneRank) {
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    write(vec.get(), culprit, 2, HUGE_VAL);
    const std::string text = "check(vec.get()) finds:\ncheck.vec.not-finite error, rank " +
                             std::to_string(culprit) + ",";
    bool went_on = false;
    expect_failure(text, [&] {
      DAPTOR_EXPECT_SOUND(vec.get());
      went_on = true;
    });
    EXPECT_TRUE(went_on);
    expect_failure(text, [&] {
      DAPTOR_ASSERT_SOUND(vec.get());
      went_on = false;
    });
    EXPECT_TRUE(went_on) << "behind a failed assertion";
    // Where values are not read, nothing is wrong.
    DAPTOR_EXPECT_SOUND(vec.get(), daptor::petsc::CheckOptions{false, true});
  });
}

TEST(Sound, FailsForAMapping) {
  on_each_rank([](int culprit) {
    const MatHandle mat = laplacian();
    auto indices = owned_indices();
    const MappingHandle right = mapping_of(indices, 1);
    DAPTOR_ASSERT_SOUND(right.get(), mat.get());
    if (rank_of() == culprit) indices.push_back(5 * size_of());
    const MappingHandle wrong = mapping_of(indices, 1);
    expect_failure("check.mapping.range error",
                   [&] { DAPTOR_EXPECT_SOUND(wrong.get(), mat.get()); });
  });
}

TEST(Sound, PassesForWarnings) {
  const MatHandle mat =
      laplacian([](PetscInt row, PetscInt column) { return row == 2 && row == column; });
  ASSERT_TRUE(daptor::petsc::check(mat.get()).has("check.mat.no-diagonal"));
  ::testing::internal::CaptureStdout();
  DAPTOR_EXPECT_SOUND(mat.get());
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("check.mat.no-diagonal warning"), std::string::npos) << printed;
}

}  // namespace
