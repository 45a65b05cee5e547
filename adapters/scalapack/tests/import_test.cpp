// SPDX-License-Identifier: BSD-3-Clause
// An array as a matrix on its own memory, and what is refused, on all ranks.

#include <algorithm>
#include <complex>
#include <numeric>

#include "allocated_bytes.hpp"
#include "daptor/explain.hpp"
#include "daptor/lease.hpp"
#include "debug_device.hpp"
#include "form_rows.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

using daptor::test::allocated_bytes;

void expect_imported(const Shape& shape, const Grid& grid) {
  Part part(shape, grid);
  const DistArray array = part.array();
  const Matrix<double> matrix = import_matrix<double>(array, grid);
  ASSERT_EQ(matrix.data(), part.values.data());
  ASSERT_EQ(matrix.local_rows(), part.local_rows);
  ASSERT_EQ(matrix.local_columns(), part.local_columns);
  // With fewer than two columns nothing says how far apart they are.
  const Index lld = part.local_columns < 2 || part.local_rows == 0
                        ? std::max<Index>(1, part.local_rows)
                        : part.leading_dimension;
  ASSERT_EQ(matrix.leading_dimension(), lld);
  Shape known = shape;
  // Where nobody has elements, nobody knows where dealing began.
  if (shape.rows == 0) known.row_source = 0;
  if (shape.columns == 0) known.column_source = 0;
  ASSERT_EQ(descriptor_of(matrix), descriptor_of(known, grid, lld));
  // And back: the description that it came from.
  const DistArray again = export_matrix(matrix.desc(), matrix.data(), world);
  if (shape.rows > 0 && shape.columns > 0) {
    ASSERT_EQ(again.dimensions(), array.dimensions());
    ASSERT_EQ(again.local_shape(), array.local_shape());
    ASSERT_EQ(again.data(), array.data());
  }
}

TEST(ImportMatrix, OfEverySizeOffsetAndGrid) {
  for_each_grid([](const Grid& grid) {
    for (const Index rows : {0, 1, 2, 3, 4, 3 * world_size(), 23})
      for (const Index columns : {0, 1, 5, 17})
        for (Index source = 0; source < grid.rows(); ++source)
          for (const Index gap : {0, 3})
            expect_imported({rows, columns, 3, 2, source, (source + 1) % grid.columns(), gap},
                            grid);
  });
}

TEST(ImportMatrix, OfBlocks) {
  for (const Index size : {0, 1, 10, 11, 12, 23}) {
    const Grid grid(world, world_size(), 1);
    const BlockCyclic map = BlockCyclic::blocks(size, world_size());
    const Index start = std::min(size, world_rank() * map.block_size());
    const Index stop = std::min(size, start + map.block_size());
    const DistArray array =
        allocate<double>(
            {block(size, {world_size(), world_rank()}, {start, stop}), undistributed(5)},
            Order::fortran)
            .on(world);
    const Matrix<double> matrix = import_matrix<double>(array, grid);
    // Square blocks: one process has all columns of its rows.
    const Index block = world_size() == 1 ? std::max<Index>(5, size) : map.block_size();
    EXPECT_EQ(matrix.row_block(), block);
    EXPECT_EQ(matrix.column_block(), block);
    EXPECT_EQ(matrix.local_rows(), stop - start);
    EXPECT_EQ(matrix.data(), array.data());
  }
}

TEST(ImportMatrix, OfEvenBlocksWhereTheyAreThose) {
  for (Index size = 0; size < 20; ++size) {
    const DistArray array =
        allocate<double>({block(size, {world_size(), world_rank()}), undistributed(3)},
                         Order::fortran)
            .on(world);
    const Grid grid(world, world_size(), 1);
    const Index rest = size % world_size();
    if (rest == 0 || rest == world_size() - 1 || size < world_size()) {
      EXPECT_EQ(import_matrix<double>(array, grid).data(), array.data()) << size;
    } else {
      expect_refused_everywhere("scalapack.matrix.uneven-blocks",
                                [&] { import_matrix<double>(array, grid); });
    }
  }
}

TEST(ImportMatrix, StepsOverPadding) {
  BlockPadding padding({1, 2});
  const Index size = 4 * world_size();
  const DistArray array =
      allocate<double>({block(size, {world_size(), world_rank()}, padding), undistributed(3)},
                       Order::fortran)
          .on(world);
  const Grid grid(world, world_size(), 1);
  const Matrix<double> matrix = import_matrix<double>(array, grid);
  EXPECT_EQ(matrix.data(), array.owned_data());
  EXPECT_EQ(matrix.local_rows(), 4);
  EXPECT_EQ(matrix.leading_dimension(), array.local_shape()[0]);
  if (world_size() > 1) {
    EXPECT_GT(matrix.leading_dimension(), 4);
  }
}

TEST(ImportMatrix, RefusesMemoryOfADevice) {
  const daptor::test::RegisteredDevice device;
  const std::vector<Dimension> rows{block(4 * world_size(), {world_size(), world_rank()})};
  const DistArray array = describe(device->allocate_as<double>(4), 4, rows, Order::fortran)
                              .in_space({device->type, world_rank()})
                              .on(world);
  const Grid grid(world, world_size(), 1);
  expect_refused_everywhere("scalapack.matrix.device", [&] { import_matrix<double>(array, grid); });
  explain(array);
}

TEST(ImportMatrix, OfAVector) {
  const DistArray array = allocate<double>({cyclic(11, {world_size(), world_rank()}, 2)}).on(world);
  const Matrix<double> matrix = import_matrix<double>(array, Grid(world, world_size(), 1));
  EXPECT_EQ(matrix.global_rows(), 11);
  EXPECT_EQ(matrix.global_columns(), 1);
  EXPECT_EQ(matrix.row_block(), 2);
  EXPECT_EQ(matrix.column_block(), 2);
  EXPECT_EQ(matrix.data(), array.data());
}

TEST(ImportMatrix, OfCOrderAsTheTransposedMatrix) {
  const Grid by_rows(world);
  Part part({7, 5, 2, 2}, by_rows);
  std::vector<double> memory(static_cast<std::size_t>(part.local_rows * part.local_columns));
  const DistArray c_order = describe(memory, part.dimensions).on(world);
  if (world_size() == 1) {
    expect_refused_everywhere("scalapack.matrix.order",
                              [&] { import_matrix<double>(c_order, by_rows); });
  }
  const DistArray turned = transposed(c_order);
  EXPECT_EQ(turned.data(), c_order.data());
  const Grid grid = Grid::of(turned);
  EXPECT_EQ(grid.row(), by_rows.column());
  const Matrix<double> matrix = import_matrix<double>(turned, grid);
  EXPECT_EQ(matrix.data(), memory.data());
  EXPECT_EQ(matrix.global_rows(), 5);
  EXPECT_EQ(matrix.global_columns(), 7);
  EXPECT_EQ(transposed(turned), c_order);
  EXPECT_EQ(transposed(allocate<double>({undistributed(3)})).defect().report().findings()[0].rule,
            "scalapack.matrix.dimensions");
  EXPECT_FALSE(transposed(DistArray()).described());
}

template <class T>
void expect_type() {
  const Grid grid(world, world_size(), 1);
  const DistArray array =
      allocate<T>({cyclic(9, {world_size(), world_rank()}, 2), undistributed(3)}, Order::fortran)
          .on(world);
  EXPECT_EQ(import_matrix<T>(array, grid).data(), array.data());
  const Matrix<const T> reading = import_matrix_readonly<T>(array.as_readonly(), grid);
  EXPECT_EQ(reading.data(), array.data());
  expect_refused_everywhere("scalapack.matrix.readonly",
                            [&] { import_matrix<T>(array.as_readonly(), grid); });
}

TEST(ImportMatrix, OfEveryElementType) {
  expect_type<float>();
  expect_type<double>();
  expect_type<std::complex<float>>();
  expect_type<std::complex<double>>();
  expect_type<int>();
}

// ScaLAPACK moves integers too, and only that.
TEST(ImportMatrix, OfIntegersThatAreMoved) {
  const Grid grid(world);
  const auto made = [&](Index block) {
    return allocate<int>({cyclic(9, {grid.rows(), grid.row()}, block),
                          cyclic(7, {grid.columns(), grid.column()}, block)},
                         Order::fortran)
        .on(world);
  };
  const DistArray from = made(2), to = made(3);
  const auto label_of = [](const DistArray& array, Index i, Index j) {
    const std::vector<Index> global = LocalIndexMap(array).global_of({i, j});
    return static_cast<int>(100 * global[0] + global[1]);
  };
  const Matrix<int> source = import_matrix<int>(from, grid), target = import_matrix<int>(to, grid);
  for (Index j = 0; j < source.local_columns(); ++j)
    for (Index i = 0; i < source.local_rows(); ++i)
      source.data()[i + j * source.leading_dimension()] = label_of(from, i, j);
  const int rows = 9, columns = 7, context = grid.context();
  pigemr2d_(&rows, &columns, source.data(), &one, &one, source.desc(), target.data(), &one, &one,
            target.desc(), &context);
  for (Index j = 0; j < target.local_columns(); ++j)
    for (Index i = 0; i < target.local_rows(); ++i)
      ASSERT_EQ(target.data()[i + j * target.leading_dimension()], label_of(to, i, j));
}

// Neither along rows nor along columns: the grid is mapped as the ranks lie.
TEST(ImportMatrix, OnAMappedGrid) {
  const DistArray array = on_a_mapped_grid();
  const Grid grid = Grid::of(array);
  const Matrix<double> matrix = import_matrix<double>(array, grid);
  EXPECT_EQ(matrix.data(), array.data());
  const DistArray again = export_matrix(matrix.desc(), matrix.data(), world);
  EXPECT_EQ(again.dimensions(), array.dimensions());
}

TEST(ImportMatrix, OutsideOfTheGridThereIsNothing) {
  const Grid grid(world, 1, 1);
  const DistArray array =
      grid.inside() ? allocate<double>({cyclic(3, {1, 0}, 2), undistributed(3)}, Order::fortran)
                          .on(grid.inside_comm())
                    : DistArray();
  const Matrix<double> matrix = import_matrix<double>(array, grid);
  EXPECT_EQ(matrix.inside(), world_rank() == 0);
  if (matrix.inside()) return;
  EXPECT_EQ(matrix.desc()[1], -1);
  EXPECT_EQ(matrix.local_rows(), 0);
  EXPECT_EQ(matrix.data(), nullptr);
  matrix.modified();
}

/// On a grid of one column, of which one rank may have another section.
struct Line {
  Grid grid{world, world_size(), 1};
  GridPosition at{world_size(), world_rank()};
  Dimension rows = cyclic(9, at, 2);

  void refuse(const std::string& rule, const Section& array) const {
    expect_refused_everywhere(rule, [&] { import_matrix<double>(array.on(world), grid); });
  }
  template <class T>
  DistArray of(std::vector<Dimension> dimensions, Order order = Order::fortran) const {
    return allocate<T>(std::move(dimensions), order).on(world);
  }
};

TEST(ImportMatrix, RefusesWhatItsFormDoes) {
  const Line line;
  daptor::test::expect_matrix_form<double>(
      "scalapack.matrix", [&](const DistArray& a) { import_matrix<double>(a, line.grid); }, true);
}

TEST(ImportMatrix, RefusesAnotherTypeThanThatAskedForAndNoMemory) {
  const Line line;
  line.refuse("scalapack.matrix.type", line.of<float>({line.rows, undistributed(3)}));
  const DataType foreign(
      Kind::floating, 8,
      native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little);
  line.refuse("scalapack.matrix.type",
              allocate(foreign, {line.rows, undistributed(3)}, Order::fortran));
  const DistArray nowhere =
      describe(DataType::of<double>(), nullptr, {line.rows, undistributed(3)}, Order::fortran)
          .on(world);
  EXPECT_THROW(import_matrix<double>(nowhere, line.grid), InvalidArgument);
}

TEST(ImportMatrix, CountsTheElementsOfAProcessIn32Bits) {
  const Line line;
  constexpr Index half = Index{1} << 30;
  // A row of two elements, the second of which is nowhere.
  static double memory[1];
  const auto apart = [&](Index leading_dimension) {
    return describe(&memory[0], {cyclic(world_size(), line.at, 1), undistributed(2)},
                    std::vector<Index>{8, 8 * leading_dimension})
        .on(world);
  };
  EXPECT_EQ(import_matrix<double>(apart(half - 1), line.grid).leading_dimension(), half - 1);
  for (int victim = 0; victim < world_size(); ++victim) {
    const DistArray array = apart(world_rank() == victim ? half : half - 1);
    const std::string text = expect_refused_everywhere<NotRepresentable>(
        "scalapack.matrix.index-range", [&] { import_matrix<double>(array, line.grid); }, victim);
    EXPECT_NE(text.find("2 columns, 1073741824 elements apart"), std::string::npos) << text;
  }
}

TEST(ImportMatrix, RefusesAnArrayOnOtherProcesses) {
  if (world_size() == 1) return;
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(world, 0, -world_rank(), &turned);
  const Line line;
  const DistArray array = line.of<double>({line.rows, undistributed(3)});
  expect_refused_everywhere<InvalidArgument>(
      "collective.comm", [&] { import_matrix<double>(array.on(turned), line.grid); });
  MPI_Comm_free(&turned);
}

TEST(ImportMatrix, RefusesAnotherGrid) {
  if (world_size() < 2) return;
  const Line line;
  const DistArray array = line.of<double>({line.rows, undistributed(3)});
  const Grid flat(world, 1, world_size());
  expect_refused_everywhere("scalapack.grid.position", [&] { import_matrix<double>(array, flat); });
  const DistArray turned = line.of<double>(
      {cyclic(9, {world_size(), (world_rank() + 1) % world_size()}, 2), undistributed(3)});
  expect_refused_everywhere("scalapack.grid.position",
                            [&] { import_matrix<double>(turned, line.grid); });
}

TEST(ImportMatrix, ADefectOrAFaultOnOneRankIsEverybodys) {
  const Line line;
  const DistArray right = line.of<double>({line.rows, undistributed(3)});
  for (int victim = 0; victim < world_size(); ++victim)
    line.refuse("C05", world_rank() == victim
                           ? line.of<double>({cyclic(9, line.at, 0), undistributed(3)})
                           : right);
  Faults().expect_agreed([&] { import_matrix<double>(right, line.grid); });
}

TEST(ImportMatrix, TellsOfWhatWasWritten) {
  struct Counted final : NativeView {
    void modified() override { ++count; }
    int count = 0;
  };
  const Line line;
  const DistArray array = line.of<double>({line.rows, undistributed(3)});
  Counted view;
  view.watch(array.buffer().state());
  const Matrix<double> matrix = import_matrix<double>(array, line.grid);
  matrix.modified();
  EXPECT_EQ(view.count, 1);
}

TEST(ImportMatrix, AllocatesNothingOfTheLengthOfTheMatrix) {
  const Index n = 1 << 20;
  const DistArray array =
      allocate<double>({block(n * world_size(), {world_size(), world_rank()}), undistributed(2)},
                       Order::fortran)
          .on(world);
  const Grid grid(world, world_size(), 1);
  const std::size_t before = allocated_bytes();
  const Matrix<double> matrix = import_matrix<double>(array, grid);
  const DistArray exported = export_matrix(matrix.desc(), matrix.data(), world);
  // 16 MB were described twice. A sanitizer's allocator tells nothing: both are 0.
  EXPECT_LT(allocated_bytes(), before + 100000);
  EXPECT_EQ(matrix.data(), array.data());
  EXPECT_EQ(exported.data(), array.data());
}

TEST(ImportMatrix, KeepsMemoryAndGrid) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  std::optional<Matrix<double>> matrix;
  {
    const DistArray array =
        allocate<double>({cyclic(9, {world_size(), world_rank()}, 2), undistributed(3)},
                         Order::fortran)
            .on(world);
    matrix = import_matrix<double>(array, Grid(comm, world_size(), 1));
  }
  MPI_Comm_free(&comm);
  if (matrix->local_rows() > 0) matrix->data()[0] = 3;
  int rows = 0, columns = 0, row = 0, column = 0;
  Cblacs_gridinfo(matrix->desc()[1], &rows, &columns, &row, &column);
  EXPECT_EQ(row, world_rank());
}

}  // namespace
}  // namespace daptor::scalapack::test
