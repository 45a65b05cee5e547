// SPDX-License-Identifier: BSD-3-Clause
#include <petsclog.h>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

/// Number of times that PETSc has counted an event in its main stage.
int count_of(const char* name) {
  PetscLogEvent id = -1;
  DAPTOR_EXPECT_OK(PetscLogEventGetId(name, &id));
  if (id < 0) return -1;
  PetscEventPerfInfo info{};
  DAPTOR_EXPECT_OK(PetscLogEventGetPerfInfo(0, id, &info));
  return info.count;
}

TEST(Log, countsWhatIsHandedOver) {
  DAPTOR_EXPECT_OK(PetscLogDefaultBegin());
  const OwnMat a = laplacian(8);
  const auto copy = solvers::copy_matrix(a);
  EXPECT_EQ(count_of("DaptorHandOver"), 1);
  solvers::copy_values(a, *copy);
  EXPECT_EQ(count_of("DaptorHandOver"), 2);
  const solvers::OwnedMat back = solvers::copy_matrix(*copy);
  EXPECT_EQ(count_of("DaptorHandOver"), 3);
  solvers::copy_values(*copy, back.get());
  EXPECT_EQ(count_of("DaptorHandOver"), 4);
}

TEST(Log, countsSetUpsApplicationsAndAdaptions) {
  const OwnMat a = laplacian(8);
  const auto m = solvers::muelu_preconditioner(a, Teuchos::ParameterList());
  EXPECT_EQ(count_of("DaptorSetUp"), 1);
  const Vectors vectors = vectors_of(a);
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  PCSetOperators(pc, a, a);
  solvers::operator_as_pc(m, pc);
  for (int i = 0; i < 5; ++i) DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, vectors.left));
  EXPECT_EQ(count_of("DaptorApply"), 5);
  EXPECT_EQ(count_of("DaptorAdapt"), 5);
}

TEST(Log, endsAnEventThatFails) {
  const OwnMat a = laplacian(8);
  for (const Point& point : points_of([&] { solvers::copy_matrix(a); })) {
    const int before = count_of("DaptorHandOver");
    {
      const Fault fault(point.name, point.ranks.front());
      EXPECT_THROW(solvers::copy_matrix(a), LibraryFailed);
    }
    EXPECT_EQ(count_of("DaptorHandOver"), before + 1) << point.name;
    // PETSc counts a nested event once, so an event that had not ended would hide this one.
    EXPECT_NO_THROW(solvers::copy_matrix(a));
    EXPECT_EQ(count_of("DaptorHandOver"), before + 2) << point.name;
  }
}

}  // namespace
}  // namespace daptor::test
