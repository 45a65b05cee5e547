// SPDX-License-Identifier: BSD-3-Clause
// Looks for leaks before MPI_Finalize, which unloads the parts of Open MPI that read and write
// files: what they have kept could no longer be told from what Daptor leaks.

#include <gtest/gtest.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>

namespace {

class LeaksBeforeFinalize final : public ::testing::Environment {
 public:
  void TearDown() override { __lsan_do_leak_check(); }
};

[[maybe_unused]] const ::testing::Environment* const leaks =
    ::testing::AddGlobalTestEnvironment(new LeaksBeforeFinalize);

}  // namespace
#endif
#endif
