// SPDX-License-Identifier: BSD-3-Clause
// Boundary padding and a DMDA: the ghost cells around the memory of a stencil code are points of
// the grid, or lie outside of it (DM_BOUNDARY_GHOSTED).

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::DMDABoundary;
using daptor::petsc::DMDAOptions;
using daptor::petsc::export_dmda;
using daptor::petsc::import_dmda;
using daptor::petsc::ImportedDMDA;

TEST(ImportDMDABoundary, PaddingInsideIsOwned) {
  daptor::BlockPadding padding;
  padding.communication = {1, 1};
  padding.boundary = {2, 2};
  const DistArray a = owning({daptor::block(6 * size_of(), line(), padding)});
  label(a);
  ImportedDMDA field = import_dmda(a);
  PetscInt size = 0;
  DMDAGetInfo(field.dm(), nullptr, &size, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
              nullptr, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(size, 6 * size_of());
  field.update_padding();
  expect_padding(a, 1, false);
  EXPECT_TRUE(export_dmda(field.dm(), field.local()) == a);
}

/// Ghost cells on all sides of the memory, as stencil codes have them.
DistArray ghosts_all_round(const std::vector<Index>& interior, const std::vector<Index>& widths,
                           std::vector<Index> processes, Index dof = 1) {
  daptor::BlockOptions options;
  options.grid = std::move(processes);
  options.ghosts = widths;
  auto dimensions = daptor::block_dimensions(interior, world, options);
  if (dof > 1) dimensions.push_back(daptor::undistributed(dof));
  return owning(std::move(dimensions));
}

TEST(ImportDMDAGhosted, InteriorIsTheGrid) {
  for (const Index dof : {1, 2}) {
    const DistArray a = ghosts_all_round({6 * size_of(), 10}, {2}, {size_of(), 1}, dof);
    label(a);
    DMDAOptions options;
    options.boundary = DMDABoundary::ghosted;
    ImportedDMDA field = import_dmda(a, options);
    const DMDAShape shape = shape_of(field.dm());
    EXPECT_EQ(shape.sizes[0], 10);
    EXPECT_EQ(shape.sizes[1], 6 * size_of());
    EXPECT_EQ(shape.width, 2);
    EXPECT_EQ(shape.boundaries[0], DM_BOUNDARY_GHOSTED);
    EXPECT_EQ(shape.boundaries[1], DM_BOUNDARY_GHOSTED);
    EXPECT_EQ(memory_of(field.local()), a.data());
    PetscInt local = 0;
    VecGetSize(field.local(), &local);
    EXPECT_EQ(local, a.local_count());
    EXPECT_FALSE(field.has_global());
    EXPECT_TRUE(export_dmda(field.dm(), field.local()) == a);

    field.update_padding();
    expect_padding(a, 1, false);

    // What PETSc reads of the interior, and what it writes there.
    Vec global = nullptr;
    DMCreateGlobalVector(field.dm(), &global);
    DMLocalToGlobalBegin(field.dm(), field.local(), INSERT_VALUES, global);
    DMLocalToGlobalEnd(field.dm(), field.local(), INSERT_VALUES, global);
    const DistArray inside = export_dmda(field.dm(), global);
    EXPECT_EQ(inside.global_shape()[0], 6 * size_of());
    const daptor::LocalIndexMap whole(a);
    const daptor::LocalIndexMap part(inside);
    for (const Element& e : elements(inside)) {
      std::vector<Index> point = part.global_of_natural(e.natural);
      point[0] += 2;
      point[1] += 2;
      ASSERT_EQ(at(inside, e.offset),
                PetscScalar(static_cast<double>(whole.natural_of(point) + 1)));
    }
    VecDestroy(&global);
  }
}

// If each process has whole rows, the owned interior is one run: the global vector lies in place.
TEST(ImportDMDAGhosted, GlobalVectorIsTheInterior) {
  for (const Index columns : {1, 3}) {
    std::vector<Index> interior{5 * size_of()};
    std::vector<Index> widths{1};
    std::vector<Index> processes{size_of()};
    if (columns > 1) {
      interior.push_back(columns);
      widths.push_back(0);
      processes.push_back(1);
    }
    const DistArray a = ghosts_all_round(interior, widths, processes);
    label(a);
    DMDAOptions options;
    options.boundary = DMDABoundary::ghosted;
    options.no_dof = true;
    const ImportedDMDA field = import_dmda(a, options);
    ASSERT_TRUE(field.has_global());
    EXPECT_EQ(memory_of(field.global()), a.interior_data());
    PetscInt size = 0;
    VecGetSize(field.global(), &size);
    EXPECT_EQ(size, 5 * size_of() * columns);
    const DistArray inside = export_dmda(field.dm(), field.global());
    EXPECT_TRUE(daptor::validate(inside));
    EXPECT_EQ(inside.data(), a.interior_data());
    EXPECT_EQ(inside.buffer().state(), a.buffer().state());
    EXPECT_EQ(inside.global_shape()[0], 5 * size_of());
    const DistArray flat = daptor::petsc::export_vec(field.global());
    EXPECT_TRUE(daptor::validate(flat));
    EXPECT_EQ(flat.global_shape()[0], 5 * size_of() * columns);
  }
}

TEST(ImportDMDAGhosted, PeriodicDimensionsStayPeriodic) {
  daptor::BlockOptions layout;
  layout.grid = {size_of(), 1};
  layout.ghosts = {1};
  layout.periodic = {false, true};
  const DistArray a = owning(daptor::block_dimensions({4 * size_of(), 5}, world, layout));
  label(a);
  DMDAOptions options;
  options.boundary = DMDABoundary::ghosted;
  ImportedDMDA field = import_dmda(a, options);
  const DMDAShape shape = shape_of(field.dm());
  EXPECT_EQ(shape.boundaries[0], DM_BOUNDARY_PERIODIC);
  EXPECT_EQ(shape.boundaries[1], DM_BOUNDARY_GHOSTED);
  EXPECT_EQ(shape.sizes[0], 5);
  EXPECT_EQ(shape.sizes[1], 4 * size_of());
  field.update_padding();
  expect_padding(a, 1, false);
}

TEST(ImportDMDAGhosted, AreGridPointsUnlessAsked) {
  const DistArray a = ghosts_all_round({6 * size_of(), 10}, {2}, {size_of(), 1});
  for (const DMDABoundary boundary : {DMDABoundary::as_exported, DMDABoundary::grid}) {
    DMDAOptions options;
    options.boundary = boundary;
    const ImportedDMDA field = import_dmda(a, options);
    EXPECT_EQ(shape_of(field.dm()).sizes[1], 6 * size_of() + 4);
    EXPECT_EQ(shape_of(field.dm()).boundaries[1], DM_BOUNDARY_NONE);
    EXPECT_EQ(shape_of(field.dm()).width, 2);
  }
}

TEST(ImportDMDAGhosted, RefusesOtherWidthsAndNone) {
  DMDAOptions options;
  options.boundary = DMDABoundary::ghosted;
  daptor::BlockPadding widths({1, 1}, {2, 2});
  const DistArray wide = owning({daptor::block(6 * size_of(), line(), widths)});
  if (size_of() > 1)
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.boundary",
                                                        [&] { import_dmda(wide, options); });
  widths.boundary = {1, 2};
  const DistArray uneven_ends = owning({daptor::block(6 * size_of(), line(), widths)});
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.boundary",
                                                      [&] { import_dmda(uneven_ends, options); });
  const DistArray bare = owning({padded_block(6 * size_of(), {1, 1}, false)});
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.boundary",
                                                      [&] { import_dmda(bare, options); });
  for (int victim = 0; victim < size_of(); ++victim) {
    if (size_of() == 1) break;
    DMDAOptions other = options;
    if (rank_of() == victim) other.boundary = DMDABoundary::grid;
    expect_different("boundary", [&] { import_dmda(bare, other); });
  }
  // All of a process's points lie outside of the grid.
  const Index last = size_of() - 1;
  const Index start = rank_of() == last ? 4 * last : 4 * rank_of();
  const Index stop = rank_of() == last ? 4 * last + 1 : 4 * rank_of() + 4;
  daptor::Block form{line(), {start, stop}, {}, {}, true};
  if (line().first()) form.boundary.lower = 1;
  if (line().last()) form.boundary.upper = 1;
  if (!line().first()) form.communication.lower = 1;
  if (!line().last()) form.communication.upper = 1;
  if (size_of() == 1) return;
  const DistArray thin = owning({Dimension(4 * last + 1, form)});
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.empty-rank",
                                                      [&] { import_dmda(thin, options); });
}

}  // namespace
