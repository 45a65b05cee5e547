// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank is an error of all ranks, or of none.

#include "exhausted_memory.hpp"

#include "daptor/builders.hpp"
#include "daptor/petsc.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

// Nothing is agreed on after PETSc has made a Vec, so each allocation is tried.
TEST(PetscExhaustion, OfImportVec) {
  const GridPosition line{world_size(), world_rank()};
  const IndexRange own{4 * line.rank, 4 * line.rank + 4};
  const Index ghost = own.stop % (4 * line.size);
  petsc::VecOptions options;
  options.local_to_global = true;
  for (const Dimension& rows :
       {block(4 * line.size, line, own), block_then_ghosts(4 * line.size, line, own, {ghost})}) {
    options.ghosts = rows.as<Unstructured>() != nullptr;
    const Section array = allocate<PetscScalar>({rows});
    EXPECT_GT(expect_exhaustion_agreed(
                  [&](const Comm& comm) { petsc::import_vec(array.on(comm), options); }, 1),
              0);
  }
}

}  // namespace
