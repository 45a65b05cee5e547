// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

namespace daptor::test {
namespace {

using tpetra::import_multivector;
using tpetra::MapOptions;
using tpetra::Part;

/// Makes a grid with unequal blocks.
DM make_grid(PetscInt dof, PetscInt width, DMBoundaryType y_boundary) {
  int processes[2] = {0, 0};
  MPI_Dims_create(world_size(), 2, processes);
  std::vector<PetscInt> lx, ly;
  PetscInt nx = 0;
  PetscInt ny = 0;
  for (int p = 0; p < processes[0]; ++p) nx += (lx.emplace_back(2 + 3 * p % 4), lx.back());
  for (int p = 0; p < processes[1]; ++p) ny += (ly.emplace_back(4 - p % 2), ly.back());
  DM dm = nullptr;
  DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, y_boundary, DMDA_STENCIL_BOX, nx, ny,
               processes[0], processes[1], dof, width, lx.data(), ly.data(), &dm);
  DMSetUp(dm);
  return dm;
}

/// Sets each component of each point of the owned box to its natural number.
void fill_with_numbers(DM dm, Vec global) {
  PetscInt x = 0, y = 0, width = 0, height = 0, nx = 0, dof = 0;
  DMDAGetCorners(dm, &x, &y, nullptr, &width, &height, nullptr);
  DMDAGetInfo(dm, nullptr, &nx, nullptr, nullptr, nullptr, nullptr, nullptr, &dof, nullptr, nullptr,
              nullptr, nullptr, nullptr);
  PetscScalar*** values = nullptr;
  DMDAVecGetArrayDOF(dm, global, &values);
  for (PetscInt j = y; j < y + height; ++j)
    for (PetscInt i = x; i < x + width; ++i)
      for (PetscInt c = 0; c < dof; ++c) values[j][i][c] = (j * nx + i) * dof + c;
  DMDAVecRestoreArrayDOF(dm, global, &values);
}

struct Case {
  PetscInt dof, width;
  DMBoundaryType y_boundary;
};

class DmdaOverlap : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    dm_ = make_grid(GetParam().dof, GetParam().width, GetParam().y_boundary);
    DMCreateGlobalVector(dm_, &global_);
    DMCreateLocalVector(dm_, &local_);
    fill_with_numbers(dm_, global_);
  }
  void TearDown() override {
    VecDestroy(&local_);
    VecDestroy(&global_);
    DMDestroy(&dm_);
  }
  MapOptions overlap() const {
    MapOptions options;
    options.part = Part::overlap;
    return options;
  }

  DM dm_ = nullptr;
  Vec global_ = nullptr;
  Vec local_ = nullptr;
};

TEST_P(DmdaOverlap, thePaddedVectorIsAVectorOnTheOverlapMap) {
  DMGlobalToLocal(dm_, global_, INSERT_VALUES, local_);
  const DistArray a = petsc::export_dmda(dm_, local_);
  const auto imported = tpetra::import_vector<double>(a, overlap());
  const auto& X = *imported.get();
  EXPECT_EQ(memory_of(X), memory_of(local_));
  PetscInt count = 0;
  VecGetLocalSize(local_, &count);
  ASSERT_EQ(static_cast<PetscInt>(X.getLocalLength()), count);
  // PETSc has written to each place, padding included, the number that Tpetra has for it.
  const auto values = X.getData();
  for (PetscInt i = 0; i < count; ++i)
    EXPECT_EQ(values[i], static_cast<double>(X.getMap()->getGlobalElement(static_cast<int>(i))));
}

/// Grids that are not periodic. On a periodic grid an index of another rank may be in two places of
/// the padding, of which Tpetra's Import fills only one.
class DmdaPadding : public DmdaOverlap {};

/// Tpetra's Import fills PETSc's padding, in place.
TEST_P(DmdaPadding, trilinosFillsThePaddingInPetscsVector) {
  Vec expected = nullptr;
  VecDuplicate(local_, &expected);
  DMGlobalToLocal(dm_, global_, INSERT_VALUES, expected);
  VecSet(local_, -1.0);
  {
    const DistArray owned = petsc::export_dmda(dm_, global_);
    const DistArray padded = petsc::export_dmda(dm_, local_);
    const auto source = tpetra::import_vector<double>(owned);
    const auto target = tpetra::import_vector<double>(padded, overlap());
    EXPECT_EQ(memory_of(*source.get()), memory_of(global_));
    const Tpetra::Import<> import(source.get()->getMap(), target.get()->getMap());
    target.get()->doImport(*source.get(), import, Tpetra::INSERT);
    padded.modified();
    EXPECT_EQ(memory_of(*target.get()), memory_of(local_));
  }
  PetscInt count = 0;
  VecGetLocalSize(local_, &count);
  for (PetscInt i = 0; i < count; ++i) EXPECT_EQ(memory_of(local_)[i], memory_of(expected)[i]);
  VecDestroy(&expected);
}

TEST_P(DmdaOverlap, aWriteOfTrilinosIsSeenByPetsc) {
  const DistArray a = petsc::export_dmda(dm_, local_);
  const auto X = tpetra::import_vector<double>(a, overlap());
  VecSet(local_, 1.0);
  PetscReal norm = 0;
  VecNorm(local_, NORM_INFINITY, &norm);
  X.get()->putScalar(7.5);
  a.modified();
  VecNorm(local_, NORM_INFINITY, &norm);
  EXPECT_EQ(norm, 7.5);
  VecSet(local_, 2.5);
  EXPECT_EQ(X.get()->getData()[0], 2.5);
}

/// Only a leading undistributed dimension gives columns; a trailing one gives components.
TEST_P(DmdaOverlap, aMultiVectorOfItHasOneColumn) {
  const DistArray a = petsc::export_dmda(dm_, local_);
  const auto X = import_multivector<double>(a, overlap());
  EXPECT_EQ(X.get()->getNumVectors(), 1U);
  EXPECT_EQ(memory_of(*X.get()), memory_of(local_));
}

/// A padded array of a user's own code, once as DMDA and once as overlap vector.
TEST_P(DmdaOverlap, bothLibrariesOnAnArrayOfNeither) {
  const DistArray like = petsc::export_dmda(dm_, local_);
  const DistArray a = allocate<double>(like.dimensions()).on(PETSC_COMM_WORLD);
  const auto X = tpetra::import_vector<double>(a, overlap());
  auto grid = petsc::import_dmda(a);
  EXPECT_EQ(memory_of(grid.local()), memory_of(*X.get()));
  const LocalIndexMap indices(a);
  const auto& shape = a.local_shape();
  double* const values = static_cast<double*>(a.mutable_data());
  const std::vector<Index> numbers = indices.local_natural();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Index rest = static_cast<Index>(i);
    bool owned = true;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d])
      owned = owned && indices.dimension(static_cast<int>(d)).is_owned(rest % shape[d]);
    values[i] = owned ? static_cast<double>(numbers[i]) : -1.0;
  }
  a.modified();
  grid.update_padding();
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(values[i], numbers[i]);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(X.get()->getMap()->getGlobalElement(static_cast<int>(i)), numbers[i]);
}

INSTANTIATE_TEST_SUITE_P(DofAndWidth, DmdaPadding,
                         ::testing::Values(Case{1, 1, DM_BOUNDARY_NONE},
                                           Case{3, 1, DM_BOUNDARY_NONE},
                                           Case{2, 2, DM_BOUNDARY_NONE}));
INSTANTIATE_TEST_SUITE_P(DofAndWidth, DmdaOverlap,
                         ::testing::Values(Case{1, 1, DM_BOUNDARY_NONE},
                                           Case{3, 1, DM_BOUNDARY_PERIODIC},
                                           Case{1, 2, DM_BOUNDARY_PERIODIC},
                                           Case{2, 2, DM_BOUNDARY_NONE}));

}  // namespace
}  // namespace daptor::test
