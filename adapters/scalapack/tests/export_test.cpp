// SPDX-License-Identifier: BSD-3-Clause
// Somebody's descriptor as an array: every entry judged on all ranks.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "daptor/block_dimensions.hpp"
#include "daptor/validate.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

/// Element (i, j) of the array is that of the matrix's part.
void expect_elements(const DistArray& array, Index first_row = 0, Index first_column = 0) {
  const LocalIndexMap map(array);
  for (Index i = 0; i < array.local_shape()[0]; ++i)
    for (Index j = 0; j < array.local_shape()[1]; ++j) {
      const std::vector<Index> global = map.global_of({i, j});
      const auto* at = static_cast<const char*>(array.data()) + i * array.byte_strides()[0] +
                       j * array.byte_strides()[1];
      ASSERT_EQ(*reinterpret_cast<const double*>(at),
                entry_at(first_row + global[0], first_column + global[1]));
    }
}

TEST(ExportMatrix, IsTheSameMemory) {
  for_each_grid([](const Grid& grid) {
    for (const Shape shape : {Shape{23, 17, 2, 3, 0, 0, 2}, Shape{23, 17, 100, 1, 0, 0, 0},
                              Shape{1, 1, 4, 4, 0, 0, 1}, Shape{0, 5, 2, 2, 0, 0, 0}}) {
      Shape moved = shape;
      moved.row_source = grid.rows() - 1;
      moved.column_source = grid.columns() - 1;
      Part part(moved, grid);
      const Descriptor desc = descriptor_of(moved, grid, part.leading_dimension);
      const DistArray array = export_matrix(desc.data(), part.values.data(), world);
      ASSERT_EQ(array.data(), part.values.data());
      expect_elements(array);
      ASSERT_EQ(export_matrix(desc.data(), part.values, world), array);
      ASSERT_EQ(export_matrix(desc.data(), part.values.data()), array);
      const double* const reading = part.values.data();
      ASSERT_TRUE(export_matrix(desc.data(), reading, world).readonly());
      ASSERT_TRUE(validate(array));
      // The way home.
      const Matrix<double> matrix = import_matrix<double>(array, grid);
      ASSERT_EQ(matrix.data(), part.values.data());
    }
  });
}

TEST(ExportMatrix, OfAContextThatIsNotDaptors) {
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(world, 0, -world_rank(), &reversed);
  for (const char* order : {"Row", "Col"}) {
    int context = Csys2blacs_handle(reversed);
    const int handle = context;
    const std::vector<Index> shape = block_grid(2, world_size());
    Cblacs_gridinit(&context, order, static_cast<int>(shape[0]), static_cast<int>(shape[1]));
    std::vector<double> memory(64 * 64);
    const Descriptor desc{1, context, 9, 7, 2, 2, 0, 0, 64};
    // On any communicator of the same processes.
    for (const MPI_Comm comm : {world, reversed}) {
      const DistArray array = export_matrix(desc.data(), memory, comm);
      EXPECT_TRUE(validate(array));
    }
    EXPECT_TRUE(export_matrix(desc.data(), memory.data()).described());
    Cblacs_gridexit(context);
    Cfree_blacs_system_handle(handle);
  }
  MPI_Comm_free(&reversed);
}

struct Described {
  Grid grid{world};
  Shape shape{9, 7, 2, 2};
  Part part{shape, grid};
  Descriptor right = descriptor_of(shape, grid, part.leading_dimension);

  /// `change` is made on one rank, on each in turn.
  void refuse(const std::string& rule, const std::function<void(Descriptor&)>& change) {
    for (int victim = 0; victim < world_size(); ++victim) {
      Descriptor mine = right;
      if (world_rank() == victim) change(mine);
      SCOPED_TRACE(rule + " on rank " + std::to_string(victim));
      expect_refused_everywhere(rule,
                                [&] { export_matrix(mine.data(), part.values.data(), world); });
    }
  }
  /// The change makes the entry `key` another one than on the other ranks.
  void refuse_different(const std::string& key, const std::function<void(Descriptor&)>& change) {
    for (int victim = 0; victim < world_size(); ++victim) {
      Descriptor mine = right;
      if (world_rank() == victim) change(mine);
      SCOPED_TRACE(key + " on rank " + std::to_string(victim));
      expect_different(key, [&] { export_matrix(mine.data(), part.values.data(), world); });
    }
  }
  void refuse_on_all(const std::string& rule, const std::function<void(Descriptor&)>& change) {
    Descriptor mine = right;
    change(mine);
    expect_refused_everywhere(rule, [&] { export_matrix(mine.data(), part.values.data(), world); });
  }
};

TEST(ExportMatrix, JudgesEveryEntryOnEveryRank) {
  Described it;
  const int rows = it.grid.rows(), columns = it.grid.columns();
  for (const int type : {0, 2, 501, 502, 601})
    it.refuse("scalapack.desc.type", [&](Descriptor& desc) { desc[0] = type; });
  it.refuse("scalapack.desc.m", [](Descriptor& desc) { desc[2] = -1; });
  it.refuse("scalapack.desc.n", [](Descriptor& desc) { desc[3] = -1; });
  it.refuse("scalapack.desc.mb", [](Descriptor& desc) { desc[4] = 0; });
  it.refuse("scalapack.desc.nb", [](Descriptor& desc) { desc[5] = -3; });
  it.refuse("scalapack.desc.rsrc", [&](Descriptor& desc) { desc[6] = rows; });
  it.refuse("scalapack.desc.rsrc", [](Descriptor& desc) { desc[6] = -1; });
  it.refuse("scalapack.desc.csrc", [&](Descriptor& desc) { desc[7] = columns; });
  it.refuse("scalapack.desc.lld", [](Descriptor& desc) { desc[8] = 0; });
  it.refuse("scalapack.desc.context", [](Descriptor& desc) { desc[1] = -1; });
  it.refuse("scalapack.desc.context", [](Descriptor& desc) { desc[1] = 4000; });
  Descriptor many = it.right;
  many[2] = many[3] = -1;
  try {
    export_matrix(many.data(), it.part.values.data(), world);
    ADD_FAILURE() << "two wrong entries were accepted";
  } catch (const Malformed& error) {
    EXPECT_TRUE(error.report().has("scalapack.desc.n")) << "only the first was found";
  }
}

TEST(ExportMatrix, SaysWhatToDo) {
  Described it;
  for (std::size_t i = 0; i < it.right.size(); ++i) {
    Descriptor wrong = it.right;
    wrong[i] = -1;
    try {
      export_matrix(wrong.data(), it.part.values.data(), world);
      ADD_FAILURE() << "entry " << i << " was accepted";
    } catch (const Error& error) {
      for (const Finding& finding : error.report().findings())
        EXPECT_FALSE(finding.remedy.empty()) << to_string(finding);
    }
  }
}

TEST(ExportMatrix, ComparesEntriesBetweenRanks) {
  if (world_size() < 2) return;
  Described it;
  it.right[8] = 64;
  it.part.values.resize(64 * 64);
  const std::pair<const char*, std::size_t> entries[] = {
      {"M_", 2}, {"N_", 3}, {"MB_", 4}, {"NB_", 5}};
  for (const auto& [key, entry] : entries)
    it.refuse_different(key, [at = entry](Descriptor& desc) { desc[at] -= 1; });
  // A grid of one row or of one column has one source only in that dimension.
  for (const bool rows : {true, false}) {
    const Grid grid(world, rows ? world_size() : 1, rows ? 1 : world_size());
    it.right[1] = grid.context();
    it.refuse_different(rows ? "RSRC_" : "CSRC_",
                        [&](Descriptor& desc) { desc[rows ? 6 : 7] = 1; });
  }
}

TEST(ExportMatrix, RefusesAContextOfTheSameProcessesInAnotherShape) {
  if (world_size() < 2) return;
  Described it;
  it.right[8] = 64;
  it.part.values.resize(64 * 64);
  const Grid tall(world, world_size(), 1);
  const Grid wide(world, 1, world_size());
  it.right[1] = tall.context();
  for (int victim = 0; victim < world_size(); ++victim) {
    Descriptor mine = it.right;
    if (world_rank() == victim) mine[1] = wide.context();
    EXPECT_THROW(export_matrix(mine.data(), it.part.values.data(), world), Malformed)
        << "on rank " << victim;
  }
}

TEST(ExportMatrix, RefusesAContextThatWasEnded) {
  int context = Csys2blacs_handle(world);
  const int handle = context;
  Cblacs_gridinit(&context, "Row", 1, world_size());
  Described it;
  it.right[1] = context;
  it.right[8] = 64;
  it.part.values.resize(64 * 64);
  EXPECT_TRUE(export_matrix(it.right.data(), it.part.values.data(), world).described());
  Cblacs_gridexit(context);
  Cfree_blacs_system_handle(handle);
  expect_refused_everywhere("scalapack.desc.context",
                            [&] { export_matrix(it.right.data(), it.part.values.data(), world); });
}

// ScaLAPACK's own descinit asks for a leading dimension of at least one everywhere.
TEST(ExportMatrix, RefusesALeadingDimensionOfZeroWhereThereAreNoElements) {
  Described it;
  it.right[2] = it.right[3] = 0;
  EXPECT_EQ(export_matrix(it.right.data(), it.part.values.data(), world).local_count(), 0);
  it.refuse("scalapack.desc.lld", [](Descriptor& desc) { desc[8] = 0; });
}

TEST(ExportMatrix, RefusesAContextOfOtherProcesses) {
  if (world_size() < 2) return;
  Described it;
  const Grid smaller(world, 1, 1);
  const Grid alone(MPI_COMM_SELF);
  it.refuse("scalapack.desc.context", [&](Descriptor& desc) { desc[1] = alone.context(); });
  it.refuse_on_all("scalapack.desc.context",
                   [&](Descriptor& desc) { desc[1] = smaller.context(); });
}

TEST(ExportMatrix, RefusesMemoryThatIsTooShort) {
  Described it;
  double* const nothing = nullptr;
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool mine = world_rank() == victim;
    if (daptor::test::greatest(mine && it.part.values.size() > 1 ? 1 : 0) == 0) continue;
    std::vector<double> values = it.part.values;
    if (mine) values.pop_back();
    expect_refused_everywhere("scalapack.desc.memory",
                              [&] { export_matrix(it.right.data(), values, world); });
    expect_refused_everywhere("scalapack.desc.memory", [&] {
      export_matrix(it.right.data(), mine ? nothing : values.data(), world);
    });
  }
  Faults().expect_agreed([&] { export_matrix(it.right.data(), it.part.values, world); });
}

TEST(ExportSubmatrix, ThatBeginsWithBlocks) {
  for_each_grid([](const Grid& grid) {
    const Shape shape{23, 17, 2, 3, grid.rows() - 1, 0, 1};
    Part part(shape, grid);
    const Descriptor desc = descriptor_of(shape, grid, part.leading_dimension);
    for (Index row = 0; row <= 22; row += 2)
      for (Index column = 0; column <= 15; column += 3) {
        const Submatrix sub{row + 1, column + 1, std::min<Index>(5, 23 - row), 17 - column};
        const DistArray array = export_submatrix(desc.data(), part.values.data(), sub, world);
        ASSERT_EQ(array.global_shape(), (std::vector<Index>{sub.rows, sub.columns}));
        expect_elements(array, row, column);
        const Matrix<double> matrix = import_matrix<double>(array, grid);
        ASSERT_TRUE(matrix.local_rows() * matrix.local_columns() == 0 ||
                    matrix.data() == array.data());
      }
  });
}

TEST(ExportSubmatrix, WithinABlockAndOnOneProcess) {
  for_each_grid([](const Grid& grid) {
    const Shape shape{23, 17, 4, 3};
    Part part(shape, grid);
    const Descriptor desc = descriptor_of(shape, grid, part.leading_dimension);
    const auto exported = [&](const Submatrix& sub) {
      return export_submatrix(desc.data(), part.values.data(), sub, world);
    };
    expect_elements(exported({6, 4, 3, 14}), 5, 3);
    expect_elements(exported({7, 5, 1, 2}), 6, 4);
    const Submatrix across{2, 1, 5, 17};
    if (grid.rows() == 1)
      expect_elements(exported(across), 1, 0);
    else
      expect_refused_everywhere("scalapack.submatrix.blocks", [&] { exported(across); });
  });
}

TEST(ExportSubmatrix, RefusesWhatIsNoPart) {
  Described it;
  const auto refuse = [&](const Submatrix& sub) {
    for (int victim = 0; victim < world_size(); ++victim) {
      const Submatrix mine = world_rank() == victim ? sub : Submatrix{1, 1, 9, 7};
      expect_refused_everywhere("scalapack.submatrix.range", [&] {
        export_submatrix(it.right.data(), it.part.values.data(), mine, world);
      });
    }
  };
  refuse({0, 1, 2, 2});
  refuse({1, 1, 10, 2});
  refuse({1, 8, 1, 1});
  refuse({9, 1, 2, 1});
  refuse({1, 1, -1, 1});
  Faults().expect_agreed([&] {
    export_submatrix(it.right.data(), it.part.values.data(), {1, 1, 9, 7}, world);
  });
  if (world_size() == 1) return;
  const Index rows = world_rank() == 0 ? 2 : 4;
  expect_different("rows", [&] {
    export_submatrix(it.right.data(), it.part.values.data(), {1, 1, rows, 7}, world);
  });
}

}  // namespace
}  // namespace daptor::scalapack::test
