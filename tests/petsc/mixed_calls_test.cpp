// SPDX-License-Identifier: BSD-3-Clause
// Different collective calls of the PETSc adapter and the core at the same time.

#include <vector>

#include <petscdmda.h>
#include <petscmat.h>

#include "../support/mixed_calls.hpp"
#include "daptor/daptor.hpp"
#include "daptor/petsc.hpp"

namespace daptor::test {
namespace {

const MPI_Comm everybody = MPI_COMM_WORLD;

/// Two rows of four elements on each process.
struct Field {
  std::vector<PetscScalar> memory = std::vector<PetscScalar>(8, 1.0);
  DistArray array = describe(memory.data(), {block(2 * world_size(), {world_size(), world_rank()}),
                                             undistributed(4)})
                        .on(everybody);
  /// Columns that are whole on each process, for a dense matrix.
  DistArray columns =
      describe(memory.data(),
               {undistributed(4), block(2 * world_size(), {world_size(), world_rank()})})
          .on(everybody);
};

petsc::DMDAOptions grid_of_two() {
  petsc::DMDAOptions options;
  options.no_dof = true;
  return options;
}

TEST(MixedCalls, OfPetsc) {
  const Field field;
  const DistArray& a = field.array;
  petsc::DMDACopyOptions global;
  global.vector = petsc::DMDAVector::global;
  expect_no_mixing(
      {{"validate", [&] { EXPECT_TRUE(validate(a)); }},
       {"explain", [&] { explain(a); }},
       {"petsc::import_vec", [&] { petsc::import_vec(a); }},
       {"petsc::import_padded_vec", [&] { petsc::import_padded_vec(a); }},
       {"petsc::import_dmda", [&] { petsc::import_dmda(a, grid_of_two()); }},
       {"petsc::import_dense", [&] { petsc::import_dense(field.columns); }},
       {"petsc::copy_to_vec", [&] { petsc::copy_to_vec(a); }},
       {"petsc::copy_to_padded_vec", [&] { petsc::copy_to_padded_vec(a); }},
       {"petsc::copy_to_dmda", [&] { petsc::copy_to_dmda(a, grid_of_two(), global); }},
       {"petsc::local_to_global", [&] { petsc::local_to_global(a, Numbering::contiguous); }},
       {"petsc::natural_ordering", [&] { petsc::natural_ordering(a); }}});
}

TEST(MixedCalls, OfWhatWasImported) {
  const Field field;
  for (int rank = 0; world_size() > 1 && rank < world_size(); ++rank) {
    petsc::ImportedVec x = petsc::import_vec(field.array);
    petsc::ImportedDMDA grid = petsc::import_dmda(field.array, grid_of_two());
    const NamedCall close{"close", [&] { x.close(); }};
    const NamedCall close_grid{"ImportedDMDA::close", [&] { grid.close(); }};
    const NamedCall update{"ImportedDMDA::update_padding", [&] { grid.update_padding(); }};
    const auto on = [&](const NamedCall& here, const NamedCall& elsewhere) {
      expect_mixed(world_rank() == rank ? here : elsewhere, rank, here, elsewhere, world_rank());
    };
    on(close, close_grid);
    on(close_grid, close);
    on(update, close);
    on(close, update);
    EXPECT_NE(x.get(), nullptr) << "a failed call changes nothing";
    grid.update_padding();
    x.close();
    grid.close();
  }
}

TEST(MixedCalls, OfSparseMatrices) {
  Mat mat = nullptr;
  MatCreateAIJ(everybody, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr, &mat);
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(mat, &first, &last);
  for (PetscInt i = first; i < last; ++i) MatSetValue(mat, i, i, 1.0, INSERT_VALUES);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  const CsrArrays matrix = petsc::copy_csr(mat);
  const Field field;
  expect_no_mixing({{"petsc::copy_csr", [&] { petsc::copy_csr(matrix); }},
                    {"petsc::import_vec", [&] { petsc::import_vec(field.array); }},
                    {"validate(CsrArrays)", [&] { validate(matrix); }}});
  MatDestroy(&mat);
}

}  // namespace
}  // namespace daptor::test
