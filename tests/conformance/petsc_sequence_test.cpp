// SPDX-License-Identifier: BSD-3-Clause
// Imports of the PETSc adapter make the same collective calls on all ranks, whichever rank fails.

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "daptor/daptor.hpp"
#include "daptor/petsc.hpp"
#include "sequence.hpp"
#include "world.hpp"

namespace daptor::test {
namespace {

BlockPadding periodic(Index width) {
  return BlockPadding({width, width}, {}, true);
}

struct Case {
  std::string name;
  Section array;
};

/// Arrays that can be a Vec or a DMDA, and arrays that cannot on one rank.
std::vector<Case> cases(bool here) {
  const Index size = 5 * world_size();
  const Index mine = 5 * world_rank() + (world_rank() > 0 ? 1 : 0);
  const IndexRange uneven{mine, world_rank() + 1 == world_size() ? size : 5 * world_rank() + 6};
  const Section good = allocate<PetscScalar>({block(size, line()), undistributed(2)});
  std::vector<Index> dealt;
  for (Index i = world_rank(); i < size; i += world_size()) dealt.push_back(i);
  return {
      {"block", good},
      {"uneven", allocate<PetscScalar>({block(size, line(), uneven)})},
      {"padded", allocate<PetscScalar>({block(size, line(), periodic(1)), undistributed(3)})},
      {"cyclic", allocate<PetscScalar>({cyclic(size, line(), 2)})},
      {"unstructured", allocate<PetscScalar>({unstructured(size, line(), IndexList(dealt), true)})},
      {"read-only on one rank", here ? good.as_readonly() : good},
      {"another type on one rank",
       here ? allocate<short>({block(size, line()), undistributed(2)}) : good},
      {"another shape on one rank",
       here ? allocate<PetscScalar>({block(size, line()), undistributed(3)}) : good},
      {"padding on one rank",
       here ? allocate<PetscScalar>({block(size, line(), periodic(2)), undistributed(2)}) : good},
      {"too narrow for its width", allocate<PetscScalar>({block(size, line(), periodic(6))})},
  };
}

template <class Import>
void expect_same(const char* name, const Import& import) {
  // The first call makes Daptor's duplicate and PETSc's own.
  watch([&] { import(cases(false).front().array); });
  for (const Case& one : cases(world_rank() == world_size() / 2))
    expect_same_sequence_with_faults([&] { import(one.array); },
                                     std::string(name) + ", " + one.name);
}

TEST(CollectiveSequence, OfImportVec) {
  expect_same("import_vec",
              [](const Section& array) { petsc::import_vec(array.on(PETSC_COMM_WORLD)).close(); });
}

TEST(CollectiveSequence, OfImportVecWithItsMapping) {
  expect_same("import_vec with mapping", [](const Section& array) {
    petsc::VecOptions options;
    options.local_to_global = true;
    petsc::import_vec(array.on(PETSC_COMM_WORLD), options).close();
  });
}

TEST(CollectiveSequence, OfImportDmda) {
  expect_same("import_dmda", [](const Section& array) {
    petsc::ImportedDMDA grid = petsc::import_dmda(array.on(PETSC_COMM_WORLD));
    if (grid.has_local() && !array.readonly()) grid.update_padding();
    grid.close();
  });
}

TEST(CollectiveSequence, OfImportDense) {
  expect_same("import_dense", [](const Section& array) {
    petsc::import_dense(array.on(PETSC_COMM_WORLD)).close();
  });
}

}  // namespace
}  // namespace daptor::test
