// SPDX-License-Identifier: BSD-3-Clause
// Mats of type scalapack as arrays on their memory, and arrays in blocks as such Mats.

#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <daptor/adapter/block_cyclic.hpp>

#include "allocated_bytes.hpp"
#include "everywhere.hpp"
#include "scalapack_mats.hpp"

namespace daptor_test::blocks {
namespace {

using daptor::petsc::export_dense;
using daptor::petsc::import_scalapack;
using daptor::test::allocated_bytes;

#if DAPTOR_TEST_MATSCALAPACK

void expect_entries(const Section& array, double factor = 1) {
  const Index columns = array.global_shape()[1];
  for (const Element& e : elements(array))
    ASSERT_LT(PetscAbsScalar(at(array, e.offset) -
                             factor * entry(e.natural / columns, e.natural % columns)),
              1e-12);
}

double norm(Mat mat) {
  PetscReal found = 0;
  EXPECT_EQ(static_cast<int>(MatNorm(mat, NORM_FROBENIUS, &found)), 0);
  return static_cast<double>(found);
}

TEST(ExportScalapack, IsTheSameMemory) {
  const auto grid = default_grid();
  const auto last_row = static_cast<PetscInt>(grid[0] - 1);
  const auto last_column = static_cast<PetscInt>(grid[1] - 1);
  for (const Blocks& blocks : {Blocks{23, 16}, Blocks{23, 16, 2, 3, last_row, last_column},
                               Blocks{1, 1}, Blocks{3, 40}, Blocks{5, 5, 64, 64}}) {
    if (!fits(blocks.rows) || !fits(blocks.columns)) continue;
    const OwnedMat mat = native(blocks);
    const DistArray array = export_dense(mat.get());
    ASSERT_TRUE(daptor::validate(array));
    ASSERT_EQ(array.global_shape(), (std::vector<Index>{blocks.rows, blocks.columns}));
    ASSERT_EQ(array.dimension(0).grid().size, grid[0]);
    ASSERT_EQ(array.dimension(1).grid().size, grid[1]);
    expect_entries(array);
    // Written through the array, read by PETSc.
    const double before = norm(mat.get());
    {
      daptor::WriteLease lease(array);
      for (const Element& e : elements(array)) at(array, e.offset) *= 2.0;
      lease.close();
    }
    expect_states_equal(mat.get());
    ASSERT_NEAR(norm(mat.get()), 2 * before, 1e-9 * before);
    // Written by PETSc, read through the array.
    MatScale(mat.get(), 0.5);
    expect_entries(array);
    ASSERT_EQ(export_dense(mat.get()).buffer().state(), array.buffer().state());
    ASSERT_TRUE(daptor::petsc::export_dense_readonly(mat.get()).readonly());
  }
}

TEST(ExportScalapack, KeepsTheMat) {
  OwnedMat mat = native({16, 23});
  Mat const raw = mat.get();
  PetscObjectReference(reinterpret_cast<PetscObject>(raw));
  std::optional<DistArray> array = export_dense(raw);
  EXPECT_EQ(references(raw), 3);
  mat.close();
  expect_entries(*array);
  array.reset();
  EXPECT_EQ(references(raw), 1);
  Mat last = raw;
  MatDestroy(&last);
}

TEST(ExportScalapack, IsMovedToRows) {
  const OwnedMat mat = native({23, 16});
  const DistArray rows = owning({daptor::block(23, line()), daptor::undistributed(16)});
  daptor::redistribute(export_dense(mat.get()), rows);
  expect_entries(rows);
}

TEST(ExportScalapack, RefusesAMatThatIsNotSetUp) {
  Mat mat = nullptr;
  MatCreate(world, &mat);
  MatSetSizes(mat, PETSC_DECIDE, PETSC_DECIDE, 16, 23);
  MatSetType(mat, MATSCALAPACK);
  daptor::test::expect_refused("argument", [&] { export_dense(mat); });
  MatDestroy(&mat);
}

void for_each_height(const std::function<void(Index)>& visit) {
  for (Index rows = 1; rows <= size_of(); ++rows)
    if (size_of() % rows == 0) visit(rows);
}

TEST(ImportScalapack, IsTheSameMemory) {
  for_each_height([](Index rows) {
    const Tiles tiles(23, 16, rows);
    const OwnedMat mat = import_scalapack(tiles.array);
    MatType type = nullptr;
    MatGetType(mat.get(), &type);
    EXPECT_STREQ(type, MATSCALAPACK);
    EXPECT_EQ(export_dense(mat.get()), tiles.array);
    EXPECT_NEAR(norm(mat.get()), std::sqrt(square_sum(tiles.array)), 1e-9);
    MatScale(mat.get(), 3.0);
    expect_entries(tiles.array, 3);
    daptor::WriteLease lease(tiles.array);
    for (const Element& e : elements(tiles.array)) at(tiles.array, e.offset) /= 3.0;
    lease.close();
    expect_states_equal(mat.get());
    // The product, by PETSc's vectors.
    Vec x = nullptr, y = nullptr;
    MatCreateVecs(mat.get(), &x, &y);
    VecSet(x, 1.0);
    EXPECT_EQ(static_cast<int>(MatMult(mat.get(), x, y)), 0);
    PetscInt start = 0, stop = 0;
    VecGetOwnershipRange(y, &start, &stop);
    const PetscScalar* values = nullptr;
    VecGetArrayRead(y, &values);
    for (PetscInt i = start; i < stop; ++i) {
      PetscScalar sum = 0;
      for (Index j = 0; j < 16; ++j) sum += entry(i, j);
      EXPECT_LT(PetscAbsScalar(values[i - start] - sum), 1e-10);
    }
    VecRestoreArrayRead(y, &values);
    VecDestroy(&x);
    VecDestroy(&y);
  });
}

TEST(ImportScalapack, OfOtherDimensions) {
  // One block for each process along the rows, all of the columns on each.
  const Index share = daptor::adapter::one_block_each(23, size_of());
  const Index start = std::min<Index>(23, rank_of() * share);
  const DistArray array =
      owning({daptor::block(23, line(), {start, std::min<Index>(23, start + share)}),
              daptor::undistributed(16)},
             Order::fortran);
  label(array);
  const OwnedMat mat = import_scalapack(array);
  EXPECT_NEAR(norm(mat.get()), std::sqrt(square_sum(array)), 1e-9);
  EXPECT_EQ(export_dense(mat.get()), array);
  const OwnedMat empty = import_scalapack(
      owning({daptor::block(0, line()), daptor::undistributed(16)}, Order::fortran));
  EXPECT_EQ(norm(empty.get()), 0.0);
}

/// PETSc finds the vector of twos by an LU factorisation of a copy.
void expect_solved(Mat mat) {
  Vec x = nullptr, b = nullptr, found = nullptr;
  MatCreateVecs(mat, &x, &b);
  VecDuplicate(x, &found);
  VecSet(x, 2.0);
  MatMult(mat, x, b);
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPCreate(world, &ksp);
  KSPSetOperators(ksp, mat, mat);
  KSPSetType(ksp, KSPPREONLY);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCLU);
  PCFactorSetMatSolverType(pc, MATSOLVERSCALAPACK);
  EXPECT_EQ(static_cast<int>(KSPSolve(ksp, b, found)), 0);
  VecAXPY(found, -1.0, x);
  EXPECT_LT(norm_of(found), 1e-10);
  KSPDestroy(&ksp);
  VecDestroy(&x);
  VecDestroy(&b);
  VecDestroy(&found);
}

TEST(ImportScalapack, IsSolvedByPetsc) {
  for_each_height([](Index rows) {
    const Tiles tiles(23, 23, rows, 3, 3);
    const OwnedMat mat = import_scalapack(tiles.array);
    expect_solved(mat.get());
    expect_entries(tiles.array);  // a copy was factored
    // In place: the factors are in the producer's memory. The first column of L is that of the
    // matrix, divided by the first pivot.
    const double before = square_sum(tiles.array);
    EXPECT_EQ(static_cast<int>(MatLUFactor(mat.get(), nullptr, nullptr, nullptr)), 0);
    EXPECT_GT(std::abs(square_sum(tiles.array) - before), 1.0);
    for (const Element& e : elements(tiles.array))
      if (e.natural > 0 && e.natural % 23 == 0) {
        ASSERT_LT(
            PetscAbsScalar(at(tiles.array, e.offset) - entry(e.natural / 23, 0) / entry(0, 0)),
            1e-12);
      }
  });
}

/// Memory between two guards. On most processes a section has rows and no columns, columns and no
/// rows, or neither.
struct OneTile {
  explicit OneTile(Index grid_rows)
      : tiles(8 * size_of(), 8 * size_of(), grid_rows, 64, 64),
        guard(64 * 8 * size_of()),
        memory(std::make_shared<std::vector<PetscScalar>>(
            static_cast<std::size_t>(2 * guard + tiles.array.local_count()), -7.0)),
        array(daptor::describe(memory->data() + guard, tiles.array.dimensions(), Order::fortran,
                               memory)
                  .on(world)) {
    for (const Element& e : elements(array)) at(array, e.offset) = at(tiles.array, e.offset);
  }
  bool guards_intact() const {
    const auto intact = [&](auto first) {
      return std::all_of(first, first + guard, [](PetscScalar value) { return value == -7.0; });
    };
    return intact(memory->begin()) && intact(memory->rbegin());
  }
  Tiles tiles;
  Index guard;
  std::shared_ptr<std::vector<PetscScalar>> memory;
  DistArray array;
};

TEST(ImportScalapack, StaysInItsMemoryWhereThereAreNoRows) {
  for_each_height([](Index rows) {
    const OneTile tile(rows);
    const OneTile other(rows);
    OwnedMat mat = import_scalapack(tile.array);
    const OwnedMat target = import_scalapack(other.array);
    EXPECT_EQ(export_dense(mat.get()), tile.array);
    MatScale(mat.get(), 3.0);
    expect_entries(tile.array, 3);
    MatCopy(mat.get(), target.get(), SAME_NONZERO_PATTERN);
    expect_entries(other.array, 3);
    MatScale(target.get(), 2.0);
    MatCopy(target.get(), mat.get(), DIFFERENT_NONZERO_PATTERN);
    expect_entries(tile.array, 6);
    Mat copy = nullptr;
    MatDuplicate(mat.get(), MAT_COPY_VALUES, &copy);
    MatZeroEntries(mat.get());
    expect_entries(tile.array, 0);
    MatCopy(copy, mat.get(), SAME_NONZERO_PATTERN);
    expect_entries(tile.array, 6);
    MatDestroy(&copy);
    MatScale(mat.get(), 1.0 / 6);
    expect_solved(mat.get());
    expect_entries(tile.array);
    EXPECT_EQ(static_cast<int>(MatLUFactor(mat.get(), nullptr, nullptr, nullptr)), 0);
    mat.close();
    EXPECT_TRUE(tile.guards_intact());
    EXPECT_TRUE(other.guards_intact());
  });
}

TEST(ImportScalapack, KeepsTheProducer) {
  const auto grid = default_grid();
  const GridPosition row{grid[0], rank_of() / grid[1]}, column{grid[1], rank_of() % grid[1]};
  auto [array, watch] = tracked({cyclic(16, row, 2), cyclic(23, column, 2)}, Order::fortran);
  label(array);
  std::optional<OwnedMat> mat(import_scalapack(array));
  const double expected = std::sqrt(square_sum(array));
  EXPECT_GT(expected, 1.0);
  array = DistArray();
  EXPECT_FALSE(watch.expired());
  Mat copy = nullptr;
  MatDuplicate(mat->get(), MAT_COPY_VALUES, &copy);
  EXPECT_NEAR(norm(mat->get()), expected, 1e-9 * expected);
  mat->close();
  EXPECT_TRUE(watch.expired());
  EXPECT_NEAR(norm(copy), expected, 1e-9 * expected);  // on memory of its own
  MatDestroy(&copy);
}

TEST(ImportScalapack, AllocatesNothingOfTheLengthOfTheMatrix) {
  const Tiles tiles(1000, 1000 * size_of(), 1, 64, 64);
  { const OwnedMat first = import_scalapack(tiles.array); }
  const std::size_t before = allocated_bytes();
  const OwnedMat mat = import_scalapack(tiles.array);
  const DistArray exported = export_dense(mat.get());
  // 8 MB. A sanitizer's allocator tells nothing: both are 0.
  EXPECT_LT(allocated_bytes(), before + 1000000);
  EXPECT_EQ(exported.data(), tiles.array.data());
}

TEST(ImportScalapack, HasOneGridOnACommunicator) {
  if (size_of() == 1) return;
  const Tiles flat(16, 23, 1);
  const Tiles tall(16, 23, size_of());
  OwnedMat mat = import_scalapack(flat.array);
  expect_refused_everywhere("petsc.scalapack.grid", [&] { import_scalapack(tall.array); });
  // The same grid is everybody's.
  EXPECT_TRUE(import_scalapack(flat.array));
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(world, &other);
  EXPECT_TRUE(import_scalapack(tall.array.on(other)));
  MPI_Comm_free(&other);
  mat.close();
  EXPECT_TRUE(import_scalapack(tall.array));
}

TEST(ImportScalapack, LeavesOptionsAlone) {
  PetscOptionsSetValue(nullptr, "-mat_scalapack_grid_height", "1");
  const Tiles tall(16, 23, size_of());
  { const OwnedMat mat = import_scalapack(tall.array); }
  char value[8] = "";
  PetscBool set = PETSC_FALSE;
  PetscOptionsGetString(nullptr, nullptr, "-mat_scalapack_grid_height", &value[0], sizeof value,
                        &set);
  EXPECT_STREQ(&value[0], "1");
  PetscOptionsClearValue(nullptr, "-mat_scalapack_grid_height");
}

#endif

}  // namespace
}  // namespace daptor_test::blocks
