// SPDX-License-Identifier: BSD-3-Clause
// Mats of type scalapack as arrays on their memory, and arrays in blocks as such Mats.

#include <petscksp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <daptor/adapter/block_cyclic.hpp>

#include "allocated_bytes.hpp"
#include "everywhere.hpp"
#include "layouts.hpp"

namespace daptor_test::blocks {
namespace {

using daptor::cyclic;
using daptor::GridPosition;
using daptor::petsc::export_dense;
using daptor::petsc::import_scalapack;
using daptor::petsc::OwnedMat;
using daptor::test::allocated_bytes;

constexpr auto item = static_cast<Index>(sizeof(PetscScalar));

#if defined(PETSC_HAVE_SCALAPACK) && __has_include(<petsc/private/petscscalapack.h>)

/// Largest towards the diagonal, and not symmetric.
PetscScalar entry(Index i, Index j) {
  return static_cast<PetscReal>(i == j ? 50 : 1) + static_cast<PetscReal>(i + 3 * j % 7) / 100;
}

struct Blocks {
  PetscInt rows, columns, row_block = 2, column_block = 3, row_source = 0, column_source = 0;
};

/// PETSc makes a Mat of this size: `ceil(size / processes)` for all processes but the last one.
bool fits(Index size) {
  return (size_of() - 1) * ((size + size_of() - 1) / size_of()) <= size;
}

/// PETSc's own Mat, set by its own functions.
OwnedMat native(const Blocks& blocks) {
  Mat mat = nullptr;
  MatCreateScaLAPACK(world, blocks.row_block, blocks.column_block, blocks.rows, blocks.columns,
                     blocks.row_source, blocks.column_source, &mat);
  for (PetscInt i = 0; i < blocks.rows; ++i)
    for (PetscInt j = 0; j < blocks.columns; ++j)
      if (rank_of() == 0) MatSetValue(mat, i, j, entry(i, j), INSERT_VALUES);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  return OwnedMat(mat);
}

/// The grid of PETSc's choice.
std::array<Index, 2> default_grid() {
  auto rows = static_cast<Index>(std::sqrt(size_of()) + 0.001);
  if (size_of() % rows != 0) rows = 1;
  return {rows, size_of() / rows};
}

void expect_entries(const DistArray& array, double factor = 1) {
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
    ASSERT_TRUE(daptor::validate(array, world));
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
  daptor::redistribute(export_dense(mat.get()), rows, world);
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

/// An array of blocks on a grid with this many rows.
struct Tiles {
  Tiles(Index rows, Index columns, Index grid_rows, Index row_block = 2, Index column_block = 3)
      : shape{rows, columns},
        row{grid_rows, rank_of() / (size_of() / grid_rows)},
        column{size_of() / grid_rows, rank_of() % (size_of() / grid_rows)},
        array(owning({cyclic(rows, row, row_block), cyclic(columns, column, column_block)},
                     Order::fortran)) {
    for (const Element& e : elements(array))
      at(array, e.offset) = entry(e.natural / columns, e.natural % columns);
  }
  std::array<Index, 2> shape;
  GridPosition row, column;
  DistArray array;
};

void for_each_height(const std::function<void(Index)>& visit) {
  for (Index rows = 1; rows <= size_of(); ++rows)
    if (size_of() % rows == 0) visit(rows);
}

TEST(ImportScalapack, IsTheSameMemory) {
  for_each_height([](Index rows) {
    const Tiles tiles(23, 16, rows);
    const OwnedMat mat = import_scalapack(tiles.array, world);
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
  const OwnedMat mat = import_scalapack(array, world);
  EXPECT_NEAR(norm(mat.get()), std::sqrt(square_sum(array)), 1e-9);
  EXPECT_EQ(export_dense(mat.get()), array);
  const OwnedMat empty = import_scalapack(
      owning({daptor::block(0, line()), daptor::undistributed(16)}, Order::fortran), world);
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
    const OwnedMat mat = import_scalapack(tiles.array, world);
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
                               memory)) {
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
    OwnedMat mat = import_scalapack(tile.array, world);
    const OwnedMat target = import_scalapack(other.array, world);
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
  std::optional<OwnedMat> mat(import_scalapack(array, world));
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
  { const OwnedMat first = import_scalapack(tiles.array, world); }
  const std::size_t before = allocated_bytes();
  const OwnedMat mat = import_scalapack(tiles.array, world);
  const DistArray exported = export_dense(mat.get());
  // 8 MB. A sanitizer's allocator tells nothing: both are 0.
  EXPECT_LT(allocated_bytes(), before + 1000000);
  EXPECT_EQ(exported.data(), tiles.array.data());
}

TEST(ImportScalapack, HasOneGridOnACommunicator) {
  if (size_of() == 1) return;
  const Tiles flat(16, 23, 1);
  const Tiles tall(16, 23, size_of());
  OwnedMat mat = import_scalapack(flat.array, world);
  expect_refused_everywhere("petsc.scalapack.grid", [&] { import_scalapack(tall.array, world); });
  // The same grid is everybody's.
  EXPECT_TRUE(import_scalapack(flat.array, world));
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(world, &other);
  EXPECT_TRUE(import_scalapack(tall.array, other));
  MPI_Comm_free(&other);
  mat.close();
  EXPECT_TRUE(import_scalapack(tall.array, world));
}

TEST(ImportScalapack, LeavesOptionsAlone) {
  PetscOptionsSetValue(nullptr, "-mat_scalapack_grid_height", "1");
  const Tiles tall(16, 23, size_of());
  { const OwnedMat mat = import_scalapack(tall.array, world); }
  char value[8] = "";
  PetscBool set = PETSC_FALSE;
  PetscOptionsGetString(nullptr, nullptr, "-mat_scalapack_grid_height", &value[0], sizeof value,
                        &set);
  EXPECT_STREQ(&value[0], "1");
  PetscOptionsClearValue(nullptr, "-mat_scalapack_grid_height");
}

/// One rank's section is another than the others'.
void refuse(const std::string& rule, const DistArray& right,
            const std::function<DistArray()>& wrong) {
  for (int victim = 0; victim < size_of(); ++victim) {
    const DistArray mine = rank_of() == victim ? wrong() : right;
    expect_refused_everywhere(rule, [&] { import_scalapack(mine, world); });
  }
}

TEST(ImportScalapack, RefusesWhatIsWrongOnAnyRank) {
  const GridPosition one{1, 0};
  const DistArray right =
      owning({cyclic(4 * size_of(), line(), 2), cyclic(16, one, 3)}, Order::fortran);
  auto memory = std::make_shared<std::vector<PetscScalar>>(100);
  const auto strided = [&](Index row, Index column, Index offset = 0) {
    return daptor::describe(daptor::DataType::of<PetscScalar>(),
                            reinterpret_cast<char*>(memory->data()) + offset,
                            {cyclic(4 * size_of(), line(), 2), cyclic(16, one, 3)}, {row, column});
  };
  refuse("petsc.scalapack.readonly", right, [&] { return right.as_readonly(); });
  refuse("petsc.scalapack.order", right, [&] { return strided(item, 5 * item); });
  refuse("petsc.scalapack.order", right, [&] { return strided(3 * item, item); });
  refuse("petsc.scalapack.alignment", right, [&] { return strided(item, 4 * item, 4); });
  refuse("petsc.scalapack.device", right, [&] {
    const daptor::Buffer& b = right.buffer();
    return DistArray(right.version(),
                     daptor::Buffer(b.type(), b.local_shape(), b.byte_strides(),
                                    right.mutable_data(), false, b.state(), {2, 0}),
                     right.dimensions());
  });
}

TEST(ImportScalapack, RefusesAnOwnedPartThatIsNotAligned) {
  // One row of padding before the owned row, which half an element more keeps apart.
  auto memory = std::make_shared<std::vector<PetscScalar>>(100);
  const auto padded = [&](Index gap) {
    return daptor::describe(daptor::DataType::of<PetscScalar>(), memory->data(),
                            {padded_block(size_of(), {1, 0}, true), daptor::undistributed(16)},
                            std::vector<Index>{16 * item + gap, item});
  };
  const DistArray right = padded(0);
  EXPECT_TRUE(import_scalapack(right, world));
  refuse("petsc.scalapack.alignment", right, [&] { return padded(4); });
}

TEST(ImportScalapack, RefusesWhatNoMatCanBe) {
  const auto expect = [](const std::string& rule, const DistArray& array) {
    expect_refused_everywhere(rule, [&] { import_scalapack(array, world); });
  };
  const GridPosition one{1, 0};
  expect("petsc.scalapack.dimensions", owning({cyclic(16, line(), 2)}));
  expect("petsc.scalapack.distribution",
         owning({dealt(23), daptor::undistributed(16)}, Order::fortran));
  if (size_of() > 2)
    expect("petsc.scalapack.distribution",
           owning({daptor::block(8 * size_of() + 1, line()), daptor::undistributed(16)},
                  Order::fortran));
  expect("petsc.scalapack.scalar-type",
         daptor::allocate<float>({cyclic(16, line(), 2), cyclic(16, one, 3)}, Order::fortran));
  for (const Index size : {1, 3, 5, 7, 9, 17}) {
    const DistArray array = owning({cyclic(size, line(), 1), cyclic(16, one, 3)}, Order::fortran);
    if (fits(size)) {
      EXPECT_TRUE(import_scalapack(array, world));
    } else {
      expect("petsc.scalapack.sizes", array);
    }
  }
  // Descriptions without memory: a block, a size, and local elements that are too many.
  const Index large = Index{1} << 31;
  const auto expect_too_large = [&](const Dimension& rows, const Dimension& columns) {
    expect("petsc.scalapack.index-range",
           daptor::describe(daptor::DataType::of<PetscScalar>(), nullptr, {rows, columns},
                            Order::fortran));
  };
  expect_too_large(cyclic(0, line(), large), cyclic(16, one, 3));
  expect_too_large(cyclic(16, one, 3), cyclic(large, line(), 64));
  expect_too_large(cyclic(size_of() << 16, line(), 64), cyclic(1 << 16, one, 64));
  if (size_of() == 1) return;
  expect("petsc.scalapack.origin",
         owning({cyclic(16, line(), 2, size_of() - 1), cyclic(16, one, 3)}, Order::fortran));
  const GridPosition turned{size_of(), (rank_of() + 1) % size_of()};
  expect("petsc.scalapack.rank-order",
         owning({cyclic(16, turned, 2), cyclic(16, one, 3)}, Order::fortran));
}

TEST(ImportScalapack, AFaultOnOneRankIsEverybodys) {
  const Tiles tiles(16, 23, size_of());
  const daptor::test::Faults faults({"petsc.import_scalapack."});
  EXPECT_EQ(faults.expect_agreed([&] { import_scalapack(tiles.array, world); }).size(), 3u);
  // No options of an import that failed are left: PETSc chooses the grid.
  const OwnedMat mat = native({16, 23});
  EXPECT_EQ(export_dense(mat.get()).dimension(0).grid().size, default_grid()[0]);
}

TEST(ImportScalapack, IsExplained) {
  const auto verdict = [](const DistArray& array) {
    for (const daptor::Assessment& each : daptor::explain(array, world))
      if (each.target == "petsc.scalapack") return each;
    ADD_FAILURE() << "no target petsc.scalapack";
    return daptor::Assessment{};
  };
  const Tiles tiles(16, 23, 1);
  EXPECT_TRUE(verdict(tiles.array).representable);
  const daptor::Assessment readonly = verdict(tiles.array.as_readonly());
  ASSERT_EQ(readonly.reasons.size(), 1u);
  EXPECT_NE(readonly.reasons[0].remedy.find(readonly.copy_call), std::string::npos);
  const daptor::Assessment rows =
      verdict(owning({daptor::block(23, line()), daptor::undistributed(16)}));
  EXPECT_FALSE(rows.representable);
  EXPECT_NE(rows.copy_call.find("block_cyclic({64, 64})"), std::string::npos);
  EXPECT_TRUE(rows.bytes_to_move.has_value());
  // What the call does.
  const DistArray copy =
      daptor::redistributed(owning({daptor::block(23, line()), daptor::undistributed(16)}),
                            daptor::layout::block_cyclic({64, 64}), world);
  EXPECT_TRUE(import_scalapack(copy, world));
  if (size_of() == 1) return;
  const GridPosition turned{size_of(), (rank_of() + 1) % size_of()};
  EXPECT_EQ(verdict(owning({cyclic(16, turned, 2), daptor::undistributed(16)}, Order::fortran))
                .reasons.front()
                .rule,
            "petsc.scalapack.rank-order");
}

#else

TEST(ImportScalapack, IsMissingInThisPetsc) {
  const DistArray array = owning({cyclic(16, line(), 2), daptor::undistributed(3)}, Order::fortran);
  expect_refused_everywhere("petsc.scalapack.missing", [&] { import_scalapack(array, world); });
}

#endif

}  // namespace
}  // namespace daptor_test::blocks
