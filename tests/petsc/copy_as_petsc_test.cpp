// SPDX-License-Identifier: BSD-3-Clause
// Redistributions between PETSc's own layouts, compared bit by bit with what PETSc itself copies.

#include <algorithm>

#include <petscdmda.h>

#include "copies.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;
using daptor::flatten;
using daptor::redistribute;
using daptor::RedistributionOptions;

// Between a DMDA's vectors and the natural order.

/// A DMDA made by PETSc.
struct GridOfPetsc {
  const char* name;
  PetscInt sizes[3];  // 0: there is no such dimension
  PetscInt dof = 1;
  PetscInt width = 1;
  bool irregular = false;
  DMBoundaryType boundary = DM_BOUNDARY_NONE;
};

std::ostream& operator<<(std::ostream& out, const GridOfPetsc& grid) {
  return out << grid.name;
}

/// Widths of unequal blocks: each is one point less than that of an even block; the last block has
/// the rest.
std::vector<PetscInt> unequal(PetscInt size, PetscInt processes) {
  std::vector<PetscInt> widths(static_cast<std::size_t>(processes),
                               std::max<PetscInt>(size / processes - 1, 1));
  widths.back() = size - (processes - 1) * widths.front();
  return widths;
}

DM made_by_petsc(const GridOfPetsc& grid) {
  DM dm = nullptr;
  const PetscInt* n = grid.sizes;
  const int ndim = n[2] > 0 ? 3 : n[1] > 0 ? 2 : 1;
  const auto b = grid.boundary;
  std::vector<PetscInt> widths[3];
  PetscInt m[3] = {PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE};
  if (grid.irregular) {
    const auto processes = daptor::block_grid(ndim, size_of());
    for (std::size_t k = 0; k < processes.size(); ++k) {
      m[k] = static_cast<PetscInt>(processes[k]);
      widths[k] = unequal(n[k], m[k]);
    }
  }
  const auto l = [&](int k) { return grid.irregular ? widths[k].data() : nullptr; };
  if (ndim == 1)
    DAPTOR_EXPECT_OK(DMDACreate1d(world, b, n[0], grid.dof, grid.width, l(0), &dm));
  else if (ndim == 2)
    DAPTOR_EXPECT_OK(DMDACreate2d(world, b, b, DMDA_STENCIL_BOX, n[0], n[1], m[0], m[1], grid.dof,
                                  grid.width, l(0), l(1), &dm));
  else
    DAPTOR_EXPECT_OK(DMDACreate3d(world, b, b, b, DMDA_STENCIL_BOX, n[0], n[1], n[2], m[0], m[1],
                                  m[2], grid.dof, grid.width, l(0), l(1), l(2), &dm));
  DAPTOR_EXPECT_OK(DMSetUp(dm));
  return dm;
}

class Natural : public ::testing::TestWithParam<GridOfPetsc> {
 protected:
  void SetUp() override {
    dm_ = made_by_petsc(GetParam());
    for (Vec* vec : {&global_, &other_}) DAPTOR_EXPECT_OK(DMCreateGlobalVector(dm_, vec));
    for (Vec* vec : {&natural_, &expected_}) DAPTOR_EXPECT_OK(DMDACreateNaturalVector(dm_, vec));
  }
  void TearDown() override {
    for (Vec* vec : {&global_, &other_, &natural_, &expected_}) VecDestroy(vec);
    DMDestroy(&dm_);
  }

  DM dm_ = nullptr;
  Vec global_ = nullptr, other_ = nullptr, natural_ = nullptr, expected_ = nullptr;
};

TEST_P(Natural, AsDMDAGlobalToNatural) {
  number(global_);
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalBegin(dm_, global_, INSERT_VALUES, expected_));
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalEnd(dm_, global_, INSERT_VALUES, expected_));
  redistribute(export_dmda(dm_, global_), flatten(export_vec(natural_)).on(world));
  expect_equal(natural_, expected_);
}

TEST_P(Natural, AsDMDANaturalToGlobal) {
  number(natural_);
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalBegin(dm_, natural_, INSERT_VALUES, other_));
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalEnd(dm_, natural_, INSERT_VALUES, other_));
  redistribute(flatten(export_vec(natural_)).on(world), export_dmda(dm_, global_));
  expect_equal(global_, other_);
}

TEST_P(Natural, IntoALocalVectorWithItsGhosts) {
  Vec local = nullptr, expected = nullptr;
  for (Vec* vec : {&local, &expected}) DAPTOR_EXPECT_OK(DMCreateLocalVector(dm_, vec));
  number(natural_);
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalBegin(dm_, natural_, INSERT_VALUES, other_));
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalEnd(dm_, natural_, INSERT_VALUES, other_));
  DAPTOR_EXPECT_OK(DMGlobalToLocalBegin(dm_, other_, INSERT_VALUES, expected));
  DAPTOR_EXPECT_OK(DMGlobalToLocalEnd(dm_, other_, INSERT_VALUES, expected));
  RedistributionOptions padding;
  padding.fill_padding = true;
  redistribute(flatten(export_vec(natural_)).on(world), export_dmda(dm_, local), padding);
  expect_equal(local, expected);
  for (Vec* vec : {&local, &expected}) VecDestroy(vec);
}

TEST_P(Natural, ByCopyToVecAndBack) {
  number(global_);
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalBegin(dm_, global_, INSERT_VALUES, expected_));
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalEnd(dm_, global_, INSERT_VALUES, expected_));
  const DistArray array = export_dmda(dm_, global_);
  CopyOptions options;
  DAPTOR_EXPECT_OK(VecGetLocalSize(expected_, &options.local_size));
  const ImportedVec copy = copy_to_vec(array, options);
  expect_equal(copy.get(), expected_);
  PetscInt block = 0;
  DAPTOR_EXPECT_OK(VecGetBlockSize(copy.get(), &block));
  EXPECT_EQ(block, GetParam().dof);

  const std::vector<PetscScalar> before = values(global_);
  DAPTOR_EXPECT_OK(VecZeroEntries(global_));
  redistribute(copy.array(), array);
  EXPECT_TRUE(same_bits(values(global_), before));
}

TEST_P(Natural, NormsAreKnownAnew) {
  number(natural_);
  for (int round = 0; round < 2; ++round) {
    DAPTOR_EXPECT_OK(VecScale(natural_, 2.0));
    const double expected = norm_of(natural_);
    redistribute(flatten(export_vec(natural_)).on(world), export_dmda(dm_, global_));
    EXPECT_NEAR(norm_of(global_), expected, 1e-12 * expected);
    expect_states_equal(global_);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Grids, Natural,
    ::testing::Values(
        GridOfPetsc{"one", {17, 0, 0}}, GridOfPetsc{"one_dof", {19, 0, 0}, 2},
        GridOfPetsc{"one_irregular", {43, 0, 0}, 1, 2, true},
        GridOfPetsc{"one_periodic", {13, 0, 0}, 2, 1, false, DM_BOUNDARY_PERIODIC},
        GridOfPetsc{"two", {11, 7, 0}}, GridOfPetsc{"two_dof", {9, 13, 0}, 2, 2},
        GridOfPetsc{"two_irregular_dof", {14, 11, 0}, 2, 1, true},
        GridOfPetsc{"two_periodic", {10, 9, 0}, 1, 2, false, DM_BOUNDARY_PERIODIC},
        GridOfPetsc{"two_unpadded", {11, 7, 0}, 1, 0}, GridOfPetsc{"three", {5, 7, 9}},
        GridOfPetsc{"three_dof", {7, 4, 5}, 2},
        GridOfPetsc{"three_irregular", {9, 8, 7}, 1, 1, true},
        GridOfPetsc{"three_periodic_irregular_dof", {8, 9, 11}, 2, 1, true, DM_BOUNDARY_PERIODIC}),
    NameOf());

// Between Vecs whose local sizes differ.

PetscInt uneven_size(PetscInt block) {
  return static_cast<PetscInt>(uneven(rank_of()).size()) * block;
}

class Layouts : public ::testing::TestWithParam<PetscInt> {};

TEST_P(Layouts, AsVecScatter) {
  const PetscInt block = GetParam();
  Vec x = make_vec(uneven_size(block), PETSC_DETERMINE, block);
  PetscInt size = 0;
  DAPTOR_EXPECT_OK(VecGetSize(x, &size));
  Vec y = make_vec(PETSC_DECIDE, size, block);
  Vec all_here = make_vec(rank_of() == size_of() - 1 ? size : 0, size, 1);
  for (Vec target : {y, all_here}) {
    Vec expected = nullptr;
    VecScatter scatter = nullptr;
    PetscInt start = 0, stop = 0;
    IS same = nullptr;
    DAPTOR_EXPECT_OK(VecDuplicate(target, &expected));
    DAPTOR_EXPECT_OK(VecGetOwnershipRange(x, &start, &stop));
    DAPTOR_EXPECT_OK(ISCreateStride(world, stop - start, start, 1, &same));
    DAPTOR_EXPECT_OK(VecScatterCreate(x, same, expected, same, &scatter));
    number(x, 5);
    DAPTOR_EXPECT_OK(VecScatterBegin(scatter, x, expected, INSERT_VALUES, SCATTER_FORWARD));
    DAPTOR_EXPECT_OK(VecScatterEnd(scatter, x, expected, INSERT_VALUES, SCATTER_FORWARD));
    redistribute(flatten(export_vec(x)).on(world), flatten(export_vec(target)).on(world));
    expect_equal(target, expected);

    number(target, 99);
    Vec back = nullptr;
    DAPTOR_EXPECT_OK(VecDuplicate(x, &back));
    DAPTOR_EXPECT_OK(VecScatterBegin(scatter, target, back, INSERT_VALUES, SCATTER_REVERSE));
    DAPTOR_EXPECT_OK(VecScatterEnd(scatter, target, back, INSERT_VALUES, SCATTER_REVERSE));
    redistribute(flatten(export_vec(target)).on(world), flatten(export_vec(x)).on(world));
    expect_equal(x, back);
    for (Vec* vec : {&expected, &back}) VecDestroy(vec);
    VecScatterDestroy(&scatter);
    ISDestroy(&same);
  }
  if (block > 1) {  // blocks need not be flattened if both have them
    number(x);
    redistribute(export_vec(x), export_vec(y));
    Vec expected = make_vec(PETSC_DECIDE, size, block);
    number(expected);
    expect_equal(y, expected);
    VecDestroy(&expected);
  }
  for (Vec* vec : {&x, &y, &all_here}) VecDestroy(vec);
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Layouts, ::testing::Values(1, 3));

}  // namespace
