// SPDX-License-Identifier: BSD-3-Clause
// The memory of a copy lives as long as the PETSc object or a description of it.

#include <petscdmda.h>

#include "copies.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;

TEST(CopyOwnership, TheVecKeepsTheMemory) {
  Vec kept = nullptr;
  {
    const DistArray a = numbered(owning({daptor::cyclic(29, line())}));
    const ImportedVec copy = copy_to_vec(a);
    kept = copy.get();
    DAPTOR_EXPECT_OK(PetscObjectReference(reinterpret_cast<PetscObject>(kept)));
  }
  number(kept, 3);
  PetscInt start = 0, stop = 0;
  DAPTOR_EXPECT_OK(VecGetOwnershipRange(kept, &start, &stop));
  const auto found = values(kept);
  for (PetscInt i = start; i < stop; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i - start)], value_of(i + 3));
  VecDestroy(&kept);
}

TEST(CopyOwnership, ADescriptionKeepsTheMemory) {
  const DistArray a = numbered(owning({daptor::cyclic(29, line())}));
  DistArray description = a;
  {
    ImportedVec copy = copy_to_vec(a);
    description = copy.array();
    EXPECT_EQ(description.buffer().state()->view_count(), 1u);
    copy.close();
  }
  EXPECT_EQ(description.buffer().state()->view_count(), 0u);
  for (const Element& e : elements(description))
    EXPECT_EQ(at(description, e.offset), value_of(e.natural));
}

TEST(CopyOwnership, ADMDAsVectorKeepsTheMemory) {
  Vec kept = nullptr;
  {
    DMDAOptions options;
    options.stencil_width = 1;
    const DistArray a =
        numbered(owning({daptor::cyclic(4 * size_of(), line()), daptor::cyclic(6, {1, 0})}));
    const ImportedDMDA copy = copy_to_dmda(a, options);
    kept = copy.local();
    DAPTOR_EXPECT_OK(PetscObjectReference(reinterpret_cast<PetscObject>(kept)));
  }
  EXPECT_GT(norm_of(kept), 0);
  DAPTOR_EXPECT_OK(VecSet(kept, 1.0));
  VecDestroy(&kept);
}

}  // namespace
