// SPDX-License-Identifier: BSD-3-Clause
// How long an imported DMDA and its vectors keep the producer's memory, and what they leave behind.

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::DMDAOptions;
using daptor::petsc::import_dmda;
using daptor::petsc::ImportedDMDA;

TEST(ImportDMDALifetime, ProducerLivesAsLongAsAVector) {
  auto [array, memory] = tracked({padded_block(6 * size_of(), {1, 1}, true)});
  Vec kept = nullptr;
  {
    label(array);
    const ImportedDMDA field = import_dmda(array);
    kept = field.local();
    PetscObjectReference(reinterpret_cast<PetscObject>(kept));
  }
  array = owning({daptor::block(3, line())});
  EXPECT_FALSE(memory.expired());
  DM dm = nullptr;
  VecGetDM(kept, &dm);
  EXPECT_NE(dm, nullptr);
  EXPECT_GT(norm_of(kept), 0);
  VecDestroy(&kept);
  EXPECT_TRUE(memory.expired());
}

TEST(ImportDMDALifetime, RoundsLeaveNothing) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  DMDAOptions options;
  options.allow_reorder = true;
  MPI_Comm first = MPI_COMM_NULL;
  for (int i = 0; i < 100; ++i) {
    ImportedDMDA field = import_dmda(a, options);
    field.update_padding();
    if (i == 10) MPI_Comm_dup(world, &first);
  }
  MPI_Comm last = MPI_COMM_NULL;
  MPI_Comm_dup(world, &last);
  EXPECT_LT(MPI_Comm_c2f(last), MPI_Comm_c2f(first) + 10);
  EXPECT_EQ(a.buffer().state()->view_count(), 0u);
  MPI_Comm_free(&first);
  MPI_Comm_free(&last);
}

}  // namespace
