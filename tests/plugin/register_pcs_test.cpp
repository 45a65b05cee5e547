// SPDX-License-Identifier: BSD-3-Clause
// Preconditioners of the plug-in in a program that registers them itself.

#include "daptor/solvers/register_pcs.hpp"
#include "../solvers/support.hpp"
#include "daptor/petsc/plugin.hpp"
#include "everywhere.hpp"

namespace daptor::test {
namespace {

bool is_registered(const char* type) {
  void (*found)() = nullptr;
  DAPTOR_EXPECT_OK(PetscFunctionListFind(PCList, type, &found));
  return found != nullptr;
}

TEST(RegisterPcs, AddsTheTypesOrFailsOnAllRanksAndAddsNone) {
  ASSERT_FALSE(is_registered("muelu"));
  for (int rank = 0; rank < world_size(); ++rank) {
    expect_fault_agreed("petsc::load_plugin#1", rank, solvers::register_pcs);
    EXPECT_FALSE(is_registered("muelu"));
  }
  solvers::register_pcs();
  EXPECT_TRUE(is_registered("muelu"));
  EXPECT_TRUE(is_registered("ifpack2"));
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  DAPTOR_EXPECT_OK(PCSetType(pc, "muelu"));
}

TEST(RegisterPcs, TheSecondCallDoesNothing) {
  solvers::register_pcs();
  Faults().expect_agreed(solvers::register_pcs);
  EXPECT_TRUE(is_registered("muelu"));
}

}  // namespace
}  // namespace daptor::test
