// SPDX-License-Identifier: BSD-3-Clause
// A block array as a DMDA, whose padding is filled in the producer's buffer, and the way back.

#include <cmath>
#include <cstring>
#include <random>

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::DMDAOptions;
using daptor::petsc::export_dmda;
using daptor::petsc::import_dmda;
using daptor::petsc::ImportedDMDA;
using daptor::petsc::Stencil;

class ImportDMDA : public ::testing::TestWithParam<GridCase> {};

TEST_P(ImportDMDA, FillsPaddingInPlace) {
  const DistArray a = make_grid(GetParam());
  label(a);
  ImportedDMDA field = import_dmda(a);
  ASSERT_TRUE(field.has_local());
  EXPECT_EQ(memory_of(field.local()), a.data());
  EXPECT_FALSE(field.reordered());
  field.update_padding();
  expect_padding(a, 1, false);
  expect_states_equal(field.local());
  label(a, 5);
  a.modified();
  field.update_padding();
  expect_padding(a, 5, false);
}

// Every element of the section has the same bits as after PETSc's own update.
TEST_P(ImportDMDA, UpdatesAsDMLocalToLocal) {
  for (const Stencil stencil : {Stencil::box, Stencil::star}) {
    const DistArray ours = make_grid(GetParam());
    const DistArray theirs = make_grid(GetParam());
    DMDAOptions options;
    options.stencil = stencil;
    ImportedDMDA field = import_dmda(ours, options);
    ImportedDMDA other = import_dmda(theirs, options);
    std::mt19937_64 random(static_cast<unsigned>(rank_of()));
    for (const Element& e : elements(ours, true)) {
      const auto value = static_cast<PetscReal>(std::ldexp(static_cast<double>(random()), -64));
      at(ours, e.offset) = at(theirs, e.offset) = value;
    }
    field.update_padding();
    DMLocalToLocalBegin(other.dm(), other.local(), INSERT_VALUES, other.local());
    DMLocalToLocalEnd(other.dm(), other.local(), INSERT_VALUES, other.local());
    for (const Element& e : elements(ours, true))
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): not one bit may differ
      ASSERT_EQ(std::memcmp(&at(ours, e.offset), &at(theirs, e.offset), sizeof(PetscScalar)), 0)
          << "element " << e.natural;
  }
}

TEST_P(ImportDMDA, StarLeavesCornersAlone) {
  const DistArray a = make_grid(GetParam());
  label(a);
  DMDAOptions options;
  options.stencil = Stencil::star;
  ImportedDMDA field = import_dmda(a, options);
  field.update_padding();
  expect_padding(a, 1, true);
}

TEST_P(ImportDMDA, DescribesTheGrid) {
  const GridCase& grid = GetParam();
  const DistArray a = make_grid(grid);
  const ImportedDMDA field = import_dmda(a);
  PetscInt ndim, sizes[3], processes[3], dof, width;
  DMBoundaryType boundaries[3];
  DMDAGetInfo(field.dm(), &ndim, &sizes[0], &sizes[1], &sizes[2], &processes[0], &processes[1],
              &processes[2], &dof, &width, &boundaries[0], &boundaries[1], &boundaries[2], nullptr);
  EXPECT_EQ(ndim, grid.ndim);
  EXPECT_EQ(dof, grid.dof);
  EXPECT_EQ(width, grid.width);
  PetscInt start[3], count[3];
  DMDAGetCorners(field.dm(), &start[0], &start[1], &start[2], &count[0], &count[1], &count[2]);
  const daptor::LocalIndexMap map(a);
  for (int k = 0; k < grid.ndim; ++k) {
    const int first = grid.order == Order::fortran && grid.dof > 1 ? 1 : 0;
    const int d = first + (grid.order == Order::c ? grid.ndim - 1 - k : k);
    const auto& dimension = map.dimension(d);
    EXPECT_EQ(sizes[k], dimension.global_size());
    EXPECT_EQ(start[k], dimension.global_of(dimension.owned_offset()));
    EXPECT_EQ(count[k], dimension.owned_count());
    EXPECT_EQ(boundaries[k],
              dimension.dimension().periodic() ? DM_BOUNDARY_PERIODIC : DM_BOUNDARY_NONE);
  }
}

TEST_P(ImportDMDA, ExportsAsItWas) {
  const DistArray a = make_grid(GetParam());
  const ImportedDMDA field = import_dmda(a);
  EXPECT_TRUE(export_dmda(field.dm(), field.local()) == a);
  EXPECT_EQ(export_dmda(field.dm(), field.local()).buffer().state(), a.buffer().state());
}

// On one rank the vector lies on other memory: the ranks still describe one array.
TEST_P(ImportDMDA, ExportsOneArrayOnOtherMemory) {
  const DistArray a = make_grid(GetParam());
  const ImportedDMDA field = import_dmda(a);
  for (int victim = 0; victim < size_of(); ++victim) {
    std::vector<PetscScalar> other(static_cast<std::size_t>(a.local_count()));
    if (rank_of() == victim) VecPlaceArray(field.local(), other.data());
    const DistArray placed = export_dmda(field.dm(), field.local());
    EXPECT_TRUE(daptor::validate(placed));
    EXPECT_EQ(placed.dimensions(), a.dimensions());
    EXPECT_EQ(placed.data() == other.data(), rank_of() == victim);
    if (rank_of() == victim) VecResetArray(field.local());
  }
}

// The vector of one DMDA, exported with another DMDA of the same sizes: it is described as a vector
// of that one.
TEST_P(ImportDMDA, VectorOfAnotherDMDAIsInItsLayout) {
  GridCase grid = GetParam();
  grid.width = 0;
  const DistArray a = make_grid(grid);
  const ImportedDMDA field = import_dmda(a);
  DM other = nullptr;
  DMClone(field.dm(), &other);
  Vec made = nullptr;
  DMCreateGlobalVector(other, &made);
  const DistArray described = export_dmda(other, field.global());
  EXPECT_EQ(described.dimensions(), export_dmda(other, made).dimensions());
  EXPECT_EQ(described.data(), a.data());
  EXPECT_EQ(described.buffer().state(), a.buffer().state());
  VecDestroy(&made);
  DMDestroy(&other);
}

TEST_P(ImportDMDA, GlobalVectorOfUnpaddedArray) {
  GridCase grid = GetParam();
  grid.width = 0;
  const DistArray a = make_grid(grid);
  label(a);
  DMDAOptions options;
  options.stencil_width = 1;
  const ImportedDMDA field = import_dmda(a, options);
  ASSERT_TRUE(field.has_global());
  EXPECT_EQ(memory_of(field.global()), a.data());
  EXPECT_NEAR(norm_of(field.global()), std::sqrt(square_sum(a)), 1e-9 * square_sum(a));
  daptor::WriteLease lease(a);
  if (rank_of() == 0) label(a, 4);
  lease.close();
  expect_states_equal(field.global());
  EXPECT_NEAR(norm_of(field.global()), std::sqrt(square_sum(a)), 1e-9 * square_sum(a));
  EXPECT_TRUE(export_dmda(field.dm(), field.global()) == a);
  const bool has_edges = size_of() > 1 || !grid.periodic.empty();
  EXPECT_EQ(field.has_local(), !has_edges);
  if (has_edges)
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.local-run",
                                                        [&] { field.local(); });
  label(a);
  a.modified();
  // PETSc's own local vector has the same values, the natural numbers of the neighbours.
  Vec local = nullptr;
  DMCreateLocalVector(field.dm(), &local);
  DMGlobalToLocalBegin(field.dm(), field.global(), INSERT_VALUES, local);
  DMGlobalToLocalEnd(field.dm(), field.global(), INSERT_VALUES, local);
  const DistArray described = export_dmda(field.dm(), local);
  for (const Element& e : elements(described, true)) {
    if (grid.order != Order::c) break;  // the export's dimensions are reversed, so numbers differ
    ASSERT_EQ(at(described, e.offset), PetscScalar(static_cast<double>(e.natural + 1)));
  }
  VecDestroy(&local);
}

TEST_P(ImportDMDA, RebindsBothVectors) {
  GridCase grid = GetParam();
  const DistArray a = make_grid(grid);
  const DistArray b = make_grid(grid);
  label(a);
  label(b, 2);
  ImportedDMDA field = import_dmda(a);
  const DistArray same = a.with_memory(b.mutable_data(), std::make_shared<DistArray>(b));
  field.rebind(same);
  EXPECT_EQ(memory_of(field.local()), b.data());
  if (field.has_global()) {
    EXPECT_EQ(memory_of(field.global()), b.owned_data());
  }
  field.update_padding();
  expect_padding(b, 2, false);
  EXPECT_EQ(a.buffer().state()->view_count(), 0u);
  field.close();
  EXPECT_EQ(same.buffer().state()->view_count(), 0u);
  field.close();
}

TEST_P(ImportDMDA, UpdatesTheMemoryOfTheLastRebind) {
  const DistArray a = make_grid(GetParam());
  const DistArray b = make_grid(GetParam());
  ImportedDMDA field = import_dmda(a);
  label(a);
  field.update_padding();
  expect_padding(a, 1, false);
  label(a, 3);
  label(b, 2);
  std::vector<PetscScalar> before;
  for (const Element& e : elements(a, true)) before.push_back(at(a, e.offset));
  field.rebind(b);
  field.update_padding();
  expect_padding(b, 2, false);
  std::size_t position = 0;
  for (const Element& e : elements(a, true)) ASSERT_EQ(at(a, e.offset), before[position++]);
}

INSTANTIATE_TEST_SUITE_P(Grids, ImportDMDA, ::testing::ValuesIn(grid_cases()), NameOf());

// Communication padding in the slowest dimension only: both vectors lie on the same memory.
TEST(ImportDMDASlabs, LocalAndGlobalShareMemory) {
  GridCase grid{"slabs", 2, 1};
  grid.processes = {size_of(), 1};
  const DistArray a = make_grid(grid);
  label(a);
  ImportedDMDA field = import_dmda(a);
  ASSERT_TRUE(field.has_local());
  ASSERT_TRUE(field.has_global());
  EXPECT_EQ(memory_of(field.local()), a.data());
  EXPECT_EQ(memory_of(field.global()), a.owned_data());
  norm_of(field.global());
  norm_of(field.local());
  VecScale(field.global(), 2.0);
  a.modified();
  field.update_padding();
  expect_padding(a, 2, false);
  EXPECT_NEAR(norm_of(field.global()), std::sqrt(square_sum(a)), 1e-9 * square_sum(a));
}

TEST(ImportDMDAPadded, GlobalIsRefusedWithItsReason) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  const ImportedDMDA field = import_dmda(a);
  EXPECT_FALSE(field.has_global());
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.global-run",
                                                      [&] { field.global(); });
}

/// The copies that the refusal names keep the values in their places.
TEST(ImportDMDAPadded, TheWayToAGlobalVectorIsRight) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  label(a);
  const ImportedDMDA field = import_dmda(a);
  Vec b = nullptr;
  DMCreateGlobalVector(field.dm(), &b);
  daptor::redistribute(a, export_dmda(field.dm(), b));
  VecScale(b, 2.0);
  daptor::redistribute(export_dmda(field.dm(), b), a);
  VecDestroy(&b);
  for (const Element& e : elements(a))
    EXPECT_EQ(at(a, e.offset), PetscScalar(2.0 * static_cast<double>(e.natural + 1)));

  const DistArray fortran = make_grid({"fortran", 2, 1, {}, 1, false, Order::fortran, slabs(2)});
  const ImportedDMDA columns = import_dmda(fortran);
  if (columns.has_global()) return;
  try {
    static_cast<void>(columns.global());
    FAIL();
  } catch (const daptor::NotRepresentable& error) {
    // An export is in C order: the copy would transpose, or be refused.
    EXPECT_EQ(std::string(error.what()).find("export_dmda"), std::string::npos) << error.what();
  }
}

// The stencil has the width that was asked for on a single process too, where no edge shows it.
TEST(ImportDMDAWidth, IsWhatWasAskedForOnAnyNumberOfProcesses) {
  daptor::BlockOptions layout;
  layout.communication = {{1, 1}, {1, 1}};
  const DistArray a =
      owning(daptor::block_dimensions({4 * size_of(), 4 * size_of()}, world, layout));
  label(a);
  const DMDAOptions none;
  DMDAOptions other;
  other.stencil_width = 3;
  for (const DMDAOptions& options : {none, other}) {
    ImportedDMDA field = import_dmda(a, options);
    EXPECT_EQ(shape_of(field.dm()).width, 1);
    ASSERT_TRUE(field.has_local());
    EXPECT_EQ(memory_of(field.local()), a.data());
    field.update_padding();
    expect_padding(a, 1, false);
  }
}

}  // namespace
