// SPDX-License-Identifier: BSD-3-Clause
// A block array as a DMDA, whose padding is filled in the producer's buffer, and the way back.

#include <cmath>
#include <cstring>
#include <random>

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::DMDABoundary;
using daptor::petsc::DMDAOptions;
using daptor::petsc::export_dmda;
using daptor::petsc::import_dmda;
using daptor::petsc::ImportedDMDA;
using daptor::petsc::Stencil;

void expect_padding(const DistArray& a, double scale, bool star) {
  const std::vector<int> directions = padding_directions(a);
  std::size_t position = 0;
  for (const Element& e : elements(a, true)) {
    const bool corner = directions[position++] > 1;
    const double expected = star && corner ? -1.0 : scale * static_cast<double>(e.natural + 1);
    ASSERT_EQ(at(a, e.offset), PetscScalar(expected)) << "element " << position - 1;
  }
}

class ImportDMDA : public ::testing::TestWithParam<GridCase> {};

TEST_P(ImportDMDA, FillsPaddingInPlace) {
  const DistArray a = make_grid(GetParam());
  label(a);
  ImportedDMDA field = import_dmda(a, world);
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
    ImportedDMDA field = import_dmda(ours, world, options);
    ImportedDMDA other = import_dmda(theirs, world, options);
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
  ImportedDMDA field = import_dmda(a, world, options);
  field.update_padding();
  expect_padding(a, 1, true);
}

TEST_P(ImportDMDA, DescribesTheGrid) {
  const GridCase& grid = GetParam();
  const DistArray a = make_grid(grid);
  const ImportedDMDA field = import_dmda(a, world);
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
  const ImportedDMDA field = import_dmda(a, world);
  EXPECT_TRUE(export_dmda(field.dm(), field.local()) == a);
  EXPECT_EQ(export_dmda(field.dm(), field.local()).buffer().state(), a.buffer().state());
}

// On one rank the vector lies on other memory: the ranks still describe one array.
TEST_P(ImportDMDA, ExportsOneArrayOnOtherMemory) {
  const DistArray a = make_grid(GetParam());
  const ImportedDMDA field = import_dmda(a, world);
  for (int victim = 0; victim < size_of(); ++victim) {
    std::vector<PetscScalar> other(static_cast<std::size_t>(a.local_count()));
    if (rank_of() == victim) VecPlaceArray(field.local(), other.data());
    const DistArray placed = export_dmda(field.dm(), field.local());
    EXPECT_TRUE(daptor::validate(placed, world));
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
  const ImportedDMDA field = import_dmda(a, world);
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
  const ImportedDMDA field = import_dmda(a, world, options);
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
  ImportedDMDA field = import_dmda(a, world);
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

INSTANTIATE_TEST_SUITE_P(Grids, ImportDMDA, ::testing::ValuesIn(grid_cases()), NameOf());

// Communication padding in the slowest dimension only: both vectors lie on the same memory.
TEST(ImportDMDASlabs, LocalAndGlobalShareMemory) {
  GridCase grid{"slabs", 2, 1};
  grid.processes = {size_of(), 1};
  const DistArray a = make_grid(grid);
  label(a);
  ImportedDMDA field = import_dmda(a, world);
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
  const ImportedDMDA field = import_dmda(a, world);
  EXPECT_FALSE(field.has_global());
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.global-run",
                                                      [&] { field.global(); });
}

// The array in Fortran order on a two-dimensional grid, and the array with transposed ranks.

void expect_reordered(const DistArray& a) {
  label(a);
  const std::vector<Index> processes = daptor::block_grid(2, size_of());
  const bool in_order = processes[0] == 1 || processes[1] == 1;
  if (!in_order)
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.rank-order",
                                                        [&] { import_dmda(a, world); });
  DMDAOptions options;
  options.allow_reorder = true;
  ImportedDMDA field = import_dmda(a, world, options);
  EXPECT_EQ(field.reordered(), !in_order);
  EXPECT_EQ(size_of(field.communicator()), size_of());
  field.update_padding();
  expect_padding(a, 1, false);
  field.close();
}

TEST(ImportDMDAReordered, NumbersInItsOwnCommunicator) {
  expect_reordered(make_grid({"fortran", 2, 1, {true, true}, 1, true, Order::fortran}));
}

TEST(ImportDMDAReordered, TransposedRanks) {
  const std::vector<Index> processes = daptor::block_grid(2, size_of());
  // Column-major: the first coordinate varies fastest.
  const std::vector<Index> at{rank_of() % processes[0], rank_of() / processes[0]};
  GridCase grid{"transposed", 2, 1};
  std::vector<Dimension> dimensions;
  for (int d = 0; d < 2; ++d) {
    const auto u = static_cast<std::size_t>(d);
    dimensions.push_back(grid_dimension(grid, d, {processes[u], at[u]}));
  }
  expect_reordered(owning(std::move(dimensions)));
}

TEST(ImportDMDABoundary, PaddingInsideIsOwned) {
  daptor::BlockPadding padding;
  padding.communication = {1, 1};
  padding.boundary = {2, 2};
  const DistArray a = owning({daptor::block(6 * size_of(), line(), padding)});
  label(a);
  ImportedDMDA field = import_dmda(a, world);
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

struct Shape {
  PetscInt sizes[3] = {1, 1, 1};
  PetscInt width = 0;
  DMBoundaryType boundaries[3] = {};
};

Shape shape_of(DM dm) {
  Shape shape;
  DMDAGetInfo(dm, nullptr, &shape.sizes[0], &shape.sizes[1], &shape.sizes[2], nullptr, nullptr,
              nullptr, nullptr, &shape.width, &shape.boundaries[0], &shape.boundaries[1],
              &shape.boundaries[2], nullptr);
  return shape;
}

TEST(ImportDMDAGhosted, InteriorIsTheGrid) {
  for (const Index dof : {1, 2}) {
    const DistArray a = ghosts_all_round({6 * size_of(), 10}, {2}, {size_of(), 1}, dof);
    label(a);
    DMDAOptions options;
    options.boundary = DMDABoundary::ghosted;
    ImportedDMDA field = import_dmda(a, world, options);
    const Shape shape = shape_of(field.dm());
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
    const ImportedDMDA field = import_dmda(a, world, options);
    ASSERT_TRUE(field.has_global());
    EXPECT_EQ(memory_of(field.global()), a.interior_data());
    PetscInt size = 0;
    VecGetSize(field.global(), &size);
    EXPECT_EQ(size, 5 * size_of() * columns);
    const DistArray inside = export_dmda(field.dm(), field.global());
    EXPECT_TRUE(daptor::validate(inside, world));
    EXPECT_EQ(inside.data(), a.interior_data());
    EXPECT_EQ(inside.buffer().state(), a.buffer().state());
    EXPECT_EQ(inside.global_shape()[0], 5 * size_of());
    const DistArray flat = daptor::petsc::export_vec(field.global());
    EXPECT_TRUE(daptor::validate(flat, world));
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
  ImportedDMDA field = import_dmda(a, world, options);
  const Shape shape = shape_of(field.dm());
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
    const ImportedDMDA field = import_dmda(a, world, options);
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
                                                        [&] { import_dmda(wide, world, options); });
  widths.boundary = {1, 2};
  const DistArray uneven_ends = owning({daptor::block(6 * size_of(), line(), widths)});
  expect_refused_everywhere<daptor::NotRepresentable>(
      "petsc.dmda.boundary", [&] { import_dmda(uneven_ends, world, options); });
  const DistArray bare = owning({padded_block(6 * size_of(), {1, 1}, false)});
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.boundary",
                                                      [&] { import_dmda(bare, world, options); });
  for (int victim = 0; victim < size_of(); ++victim) {
    if (size_of() == 1) break;
    DMDAOptions other = options;
    if (rank_of() == victim) other.boundary = DMDABoundary::grid;
    expect_refused_everywhere<daptor::InvalidArgument>("argument",
                                                       [&] { import_dmda(bare, world, other); });
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
                                                      [&] { import_dmda(thin, world, options); });
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
    ImportedDMDA field = import_dmda(a, world, options);
    EXPECT_EQ(shape_of(field.dm()).width, 1);
    ASSERT_TRUE(field.has_local());
    EXPECT_EQ(memory_of(field.local()), a.data());
    field.update_padding();
    expect_padding(a, 1, false);
  }
}

TEST(ImportDMDALifetime, ProducerLivesAsLongAsAVector) {
  auto [array, memory] = tracked({padded_block(6 * size_of(), {1, 1}, true)});
  Vec kept = nullptr;
  {
    label(array);
    const ImportedDMDA field = import_dmda(array, world);
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
    ImportedDMDA field = import_dmda(a, world, options);
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
