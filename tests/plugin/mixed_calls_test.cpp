// SPDX-License-Identifier: BSD-3-Clause
// Different calls of PETSc at the same time that lead into the plug-in: every rank gets an error,
// which says which rank is in which call.

#include <vector>

#include "support.hpp"

namespace daptor::test {
namespace {

struct PetscCall {
  std::string name;
  std::function<PetscErrorCode()> run;
};

/// Expects the error on every rank. Rank `odd` makes a different call from the others.
void expect_mixed(int odd, const PetscCall& there, const PetscCall& elsewhere) {
  const Reported reported;
  const PetscCall& mine = world_rank() == odd ? there : elsewhere;
  EXPECT_NE(static_cast<int>(mine.run()), 0) << mine.name;
  const std::string one = "rank " + std::to_string(odd);
  EXPECT_TRUE(reported.says("collective.mixed")) << reported.text();
  EXPECT_TRUE(reported.says((one + " is in " + there.name).c_str()) ||
              reported.says((one + " in " + there.name).c_str()))
      << reported.text();
  EXPECT_TRUE(reported.says((" in " + elsewhere.name).c_str())) << reported.text();
}

TEST(MixedCalls, OfThePlugin) {
  const WithOptions with("-pc_muelu_coarse_size 20");
  const OwnMat a = laplacian(12);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  PC ready = nullptr;
  KSPGetPC(ksp, &ready);
  PC fresh = nullptr;
  PCCreate(comm_of(a), &fresh);
  PCSetType(fresh, "muelu");
  PCSetOperators(fresh, a, a);
  PetscInt levels = 0;
  Mat* matrices = nullptr;
  PetscViewer viewer = nullptr;
  PetscViewerASCIIOpen(comm_of(a), "/dev/null", &viewer);
  const std::vector<PetscCall> calls = {
      {"PCSetFromOptions", [&] { return PCSetFromOptions(fresh); }},
      {"PCSetUp", [&] { return PCSetUp(fresh); }},
      {"PCView", [&] { return PCView(ready, viewer); }},
      {"PCGetInterpolations", [&] { return PCGetInterpolations(ready, &levels, &matrices); }},
      {"PCGetCoarseOperators", [&] { return PCGetCoarseOperators(ready, &levels, &matrices); }}};
  for (std::size_t i = 0; world_size() > 1 && i < calls.size(); ++i)
    for (std::size_t j = 0; j < calls.size(); ++j)
      for (int odd = 0; i != j && odd < world_size(); ++odd) expect_mixed(odd, calls[i], calls[j]);
  DAPTOR_EXPECT_OK(PCSetFromOptions(fresh));
  DAPTOR_EXPECT_OK(PCSetUp(fresh));
  DAPTOR_EXPECT_OK(PCView(ready, viewer));
  PetscViewerDestroy(&viewer);
  PCDestroy(&fresh);
}

}  // namespace
}  // namespace daptor::test
