// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of a DMDA's vectors, with every kind of boundary.

#include <algorithm>

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::export_dmda;
using daptor::petsc::import_dmda;

struct DMDACase {
  std::string name;
  PetscInt ndim;
  DMBoundaryType boundaries[3];
  PetscInt dof;
  PetscInt width;
  DMDAStencilType stencil = DMDA_STENCIL_BOX;
};

std::ostream& operator<<(std::ostream& out, const DMDACase& one) {
  return out << one.name;
}

std::vector<DMDACase> cases() {
  constexpr DMBoundaryType none = DM_BOUNDARY_NONE;
  constexpr DMBoundaryType ghosted = DM_BOUNDARY_GHOSTED;
  constexpr DMBoundaryType mirror = DM_BOUNDARY_MIRROR;
  constexpr DMBoundaryType periodic = DM_BOUNDARY_PERIODIC;
  return {
      {"line", 1, {none, none, none}, 1, 1},
      {"line_dof", 1, {periodic, none, none}, 3, 2},
      {"line_ghosted", 1, {ghosted, none, none}, 2, 2},
      {"line_mirror", 1, {mirror, none, none}, 1, 1, DMDA_STENCIL_STAR},
      {"line_without_width", 1, {none, none, none}, 2, 0},
      {"plane", 2, {none, none, none}, 1, 1},
      {"plane_periodic", 2, {periodic, periodic, none}, 2, 1},
      {"plane_mixed", 2, {ghosted, periodic, none}, 1, 2},
      {"plane_mirror", 2, {mirror, none, none}, 1, 1, DMDA_STENCIL_STAR},
      {"box", 3, {none, none, none}, 1, 1},
      {"box_mixed", 3, {periodic, ghosted, none}, 2, 1},
  };
}

struct OwnDM {
  DM dm = nullptr;
  ~OwnDM() { DMDestroy(&dm); }
};

OwnDM make_dm(const DMDACase& one) {
  OwnDM own;
  DMDACreate(world, &own.dm);
  DMSetDimension(own.dm, one.ndim);
  DMDASetSizes(own.dm, 4 * size_of() + 3, one.ndim > 1 ? 4 * size_of() + 1 : 1,
               one.ndim > 2 ? 4 * size_of() : 1);
  DMDASetBoundaryType(own.dm, one.boundaries[0], one.boundaries[1], one.boundaries[2]);
  DMDASetDof(own.dm, one.dof);
  DMDASetStencilType(own.dm, one.stencil);
  DMDASetStencilWidth(own.dm, one.width);
  DMSetUp(own.dm);
  return own;
}

/// The sizes, boundaries and stencil width, and this process's corners.
std::vector<PetscInt> grid_of(DM dm) {
  std::vector<PetscInt> all(15);
  DMBoundaryType boundaries[3];
  DMDAGetInfo(dm, &all[0], &all[1], &all[2], &all[3], &all[4], &all[5], &all[6], &all[7], &all[8],
              &boundaries[0], &boundaries[1], &boundaries[2], nullptr);
  DMDAGetCorners(dm, &all[9], &all[10], &all[11], &all[12], &all[13], &all[14]);
  for (PetscInt k = 0; k < all[0]; ++k) all.push_back(boundaries[k]);
  return all;
}

/// The directions in which an element of the section is boundary padding, of its owner or of this
/// process.
std::vector<int> boundary_directions(const Section& array) {
  std::vector<int> counts;
  const daptor::LocalIndexMap map(array);
  for (const Element& e : elements(array, true)) {
    const std::vector<Index> point = map.global_of_natural(e.natural);
    int count = 0;
    for (int d = 0; d < array.ndim(); ++d) {
      const auto* block = array.dimension(d).as<daptor::Block>();
      if (block == nullptr || !block->grid.first() || !block->grid.last()) {
        const Index width = std::max(array.dimension(d).communication_padding().lower,
                                     array.dimension(d).communication_padding().upper);
        if (array.dimension(d).periodic() || block == nullptr) continue;
        const Index i = point[static_cast<std::size_t>(d)];
        count += i < width || i >= array.dimension(d).global_size() - width ? 1 : 0;
        continue;
      }
      const Index i = point[static_cast<std::size_t>(d)];
      count +=
          i < block->boundary.lower || i >= array.dimension(d).global_size() - block->boundary.upper
              ? 1
              : 0;
    }
    counts.push_back(count);
  }
  return counts;
}

bool moved(DMBoundaryType boundary) {
  return boundary == DM_BOUNDARY_GHOSTED || boundary == DM_BOUNDARY_MIRROR;
}

class ExportDMDA : public ::testing::TestWithParam<DMDACase> {};

TEST_P(ExportDMDA, GlobalVector) {
  const OwnDM own = make_dm(GetParam());
  Vec x = nullptr;
  DMCreateGlobalVector(own.dm, &x);
  const DistArray a = export_dmda(own.dm, x);
  VecDestroy(&x);
  daptor::GlobalIndexMap map(a);
  EXPECT_TRUE(map.row_major());
  EXPECT_EQ(a.owned_count(), a.local_count());
  EXPECT_EQ(a.ndim(), GetParam().ndim + (GetParam().dof > 1 ? 1 : 0));
  const auto y = daptor::petsc::import_vec(a);
  EXPECT_EQ(references(y.get()), 1);
}

TEST_P(ExportDMDA, LocalVectorsPaddingIsWhereItsOwnersSay) {
  const DMDACase& one = GetParam();
  const OwnDM own = make_dm(one);
  Vec global = nullptr;
  Vec local = nullptr;
  DMCreateGlobalVector(own.dm, &global);
  DMCreateLocalVector(own.dm, &local);
  label(export_dmda(own.dm, global));
  VecSet(local, -5.0);
  DMGlobalToLocalBegin(own.dm, global, INSERT_VALUES, local);
  DMGlobalToLocalEnd(own.dm, global, INSERT_VALUES, local);
  const DistArray whole = export_dmda(own.dm, global);
  const DistArray a = export_dmda(own.dm, local);
  daptor::GlobalIndexMap map(a);
  EXPECT_TRUE(map.row_major());

  const daptor::LocalIndexMap sections(a);
  const daptor::LocalIndexMap wholes(whole);
  const std::vector<Index> sizes = whole.global_shape();
  const std::vector<int> directions = padding_directions(a);
  std::size_t position = 0;
  for (const Element& e : elements(a, true)) {
    std::vector<Index> point = sections.global_of_natural(e.natural);
    const bool corner = directions[position++] > 1;
    bool beyond = one.stencil == DMDA_STENCIL_STAR && corner;
    for (PetscInt k = 0; k < one.ndim; ++k) {
      const auto d = static_cast<std::size_t>(one.ndim - 1 - k);
      if (moved(one.boundaries[k])) point[d] -= one.width;
      beyond = beyond || point[d] < 0 || point[d] >= sizes[d];
      if (moved(one.boundaries[k])) {
        EXPECT_EQ(a.global_shape()[d], sizes[d] + 2 * one.width);
      } else {
        EXPECT_EQ(a.global_shape()[d], sizes[d]);
      }
    }
    if (beyond) continue;  // PETSc does not fill it
    ASSERT_EQ(at(a, e.offset), PetscScalar(static_cast<double>(wholes.natural_of(point) + 1)));
  }
  VecDestroy(&global);
  VecDestroy(&local);
}

// Back again: the same description on the same memory, filled by the same exchange.
TEST_P(ExportDMDA, LocalVectorImportsAndExportsAgain) {
  const DMDACase& one = GetParam();
  const OwnDM own = make_dm(one);
  Vec local = nullptr;
  DMCreateLocalVector(own.dm, &local);
  const DistArray a = export_dmda(own.dm, local);
  label(a);
  a.modified();
  {
    daptor::petsc::DMDAOptions options;
    options.boundary = daptor::petsc::DMDABoundary::grid;
    daptor::petsc::ImportedDMDA field = import_dmda(a, options);
    EXPECT_EQ(memory_of(field.local()), memory_of(local));
    EXPECT_TRUE(export_dmda(field.dm(), field.local()) == a);
    field.update_padding();
    for (const Element& e : elements(a, true))
      ASSERT_EQ(at(a, e.offset), PetscScalar(static_cast<double>(e.natural + 1)));
  }
  VecDestroy(&local);
}

// The DMDA made from an export is like the original: sizes, boundaries, width, and the place of the
// owned points.
TEST_P(ExportDMDA, ComesBackWithItsBoundaries) {
  const DMDACase& one = GetParam();
  const OwnDM own = make_dm(one);
  Vec local = nullptr;
  DMCreateLocalVector(own.dm, &local);
  const DistArray a = export_dmda(own.dm, local);
  {
    daptor::petsc::DMDAOptions options;
    options.stencil =
        one.stencil == DMDA_STENCIL_STAR ? daptor::Stencil::star : daptor::Stencil::box;
    options.stencil_width = static_cast<int>(one.width);
    const daptor::petsc::ImportedDMDA field = import_dmda(a, options);
    EXPECT_EQ(grid_of(field.dm()), grid_of(own.dm));
    EXPECT_EQ(memory_of(field.local()), memory_of(local));
    EXPECT_TRUE(export_dmda(field.dm(), field.local()) == a);
  }
  VecDestroy(&local);
}

// In two dimensions PETSc can mirror for a star stencil only.
TEST(ExportDMDAMirror, IsRefusedWithABoxStencilInThePlane) {
  const OwnDM own = make_dm({"plane_mirror",
                             2,
                             {DM_BOUNDARY_MIRROR, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE},
                             1,
                             1,
                             DMDA_STENCIL_STAR});
  Vec local = nullptr;
  DMCreateLocalVector(own.dm, &local);
  {
    const DistArray a = export_dmda(own.dm, local);
    daptor::petsc::DMDAOptions options;
    options.stencil = daptor::Stencil::box;
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.boundary",
                                                        [&] { import_dmda(a, options); });
    EXPECT_EQ(a.buffer().state()->view_count(), 0u);
    // The remedy that the refusal names.
    options.boundary = daptor::petsc::DMDABoundary::ghosted;
    EXPECT_TRUE(import_dmda(a, options));
    options = {};
    options.stencil = daptor::Stencil::star;
    EXPECT_TRUE(import_dmda(a, options));
  }
  VecDestroy(&local);
}

// A vector made by PETSc and a vector on its memory get the same values from PETSc's update and
// from the import's.
TEST_P(ExportDMDA, UpdatesGhostPointsAsPETScDoes) {
  const DMDACase& one = GetParam();
  const OwnDM own = make_dm(one);
  Vec local = nullptr;
  Vec expected = nullptr;
  DMCreateLocalVector(own.dm, &local);
  VecDuplicate(local, &expected);
  const DistArray a = export_dmda(own.dm, local);
  label(a);
  a.modified();
  VecCopy(local, expected);
  DMLocalToLocalBegin(own.dm, expected, INSERT_VALUES, expected);
  DMLocalToLocalEnd(own.dm, expected, INSERT_VALUES, expected);
  {
    daptor::petsc::DMDAOptions options;
    options.stencil =
        one.stencil == DMDA_STENCIL_STAR ? daptor::Stencil::star : daptor::Stencil::box;
    daptor::petsc::ImportedDMDA field = import_dmda(a, options);
    field.update_padding();
    const std::vector<int> outside = boundary_directions(a);
    const auto* theirs = static_cast<const PetscScalar*>(memory_of(expected));
    for (Index i = 0; i < a.local_count(); ++i) {
      const bool beside =
          outside[static_cast<std::size_t>(i)] > 0 && theirs[i] == PetscScalar(-1.0);
      // Copies of a neighbour's ghost points, which PETSc does not fill.
      if (!beside) {
        ASSERT_EQ(values_of(a)[i], theirs[i]) << "element " << i;
      }
    }
  }
  VecDestroy(&expected);
  VecDestroy(&local);
}

// A Vec on the memory of a one-dimensional array, exported as the vector of a DMDA with as many
// points: its numbers lie on the grid in the DMDA's order.
TEST_P(ExportDMDA, VectorThatImportVecMadeIsOnTheGrid) {
  const OwnDM own = make_dm(GetParam());
  Vec made = nullptr;
  Vec natural = nullptr;
  Vec ours = nullptr;
  DMCreateGlobalVector(own.dm, &made);
  const DistArray grid = export_dmda(own.dm, made);
  const DistArray line = daptor::flatten(daptor::petsc::export_vec(made)).on(world);
  const auto start = line.dimension(0).as<daptor::Block>()->owned.start;
  const auto x = daptor::petsc::import_vec(line);
  for (Index i = 0; i < line.local_count(); ++i)
    values_of(line)[i] = static_cast<double>(start + i);
  line.modified();
  const DistArray described = export_dmda(own.dm, x.get());
  EXPECT_EQ(described.dimensions(), grid.dimensions());
  EXPECT_EQ(described.data(), made == nullptr ? nullptr : memory_of(made));

  DMDACreateNaturalVector(own.dm, &natural);
  VecDuplicate(natural, &ours);
  DMDAGlobalToNaturalBegin(own.dm, x.get(), INSERT_VALUES, natural);
  DMDAGlobalToNaturalEnd(own.dm, x.get(), INSERT_VALUES, natural);
  daptor::redistribute(described, daptor::flatten(daptor::petsc::export_vec(ours)).on(world));
  PetscBool equal = PETSC_FALSE;
  VecEqual(natural, ours, &equal);
  EXPECT_EQ(equal, PETSC_TRUE);
  VecDestroy(&natural);
  VecDestroy(&ours);
  VecDestroy(&made);
}

TEST_P(ExportDMDA, ReadOnlyVariantCannotBeWritten) {
  const OwnDM own = make_dm(GetParam());
  Vec x = nullptr;
  DMCreateGlobalVector(own.dm, &x);
  EXPECT_TRUE(daptor::petsc::export_dmda_readonly(own.dm, x).readonly());
  VecDestroy(&x);
}

INSTANTIATE_TEST_SUITE_P(Grids, ExportDMDA, ::testing::ValuesIn(cases()), NameOf());

TEST(ExportDMDARefusal, OtherObjects) {
  const OwnDM own = make_dm({"line", 1, {DM_BOUNDARY_NONE}, 1, 1});
  Vec x = nullptr;
  VecCreateMPI(world, 100, PETSC_DETERMINE, &x);
  EXPECT_THROW(export_dmda(own.dm, x), daptor::InvalidArgument);
  EXPECT_THROW(export_dmda(nullptr, x), daptor::InvalidArgument);
  EXPECT_THROW(export_dmda(own.dm, nullptr), daptor::InvalidArgument);
  DM shell = nullptr;
  DMCreate(world, &shell);
  EXPECT_THROW(export_dmda(shell, x), daptor::InvalidArgument);
  DMDestroy(&shell);
  DM unfinished = nullptr;
  DMDACreate(world, &unfinished);
  DMSetDimension(unfinished, 1);
  EXPECT_THROW(export_dmda(unfinished, x), daptor::InvalidArgument);
  DMDestroy(&unfinished);
  VecDestroy(&x);
}

}  // namespace
