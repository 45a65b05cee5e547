// SPDX-License-Identifier: BSD-3-Clause
// Every copy of a matrix from one library to another, compared with a table of its entries: first
// the copy, then the values that are taken again.
#include <functional>
#include <type_traits>
#include <utility>

#include "crs.hpp"
#include "daptor/csr_rows.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#ifdef DAPTOR_TEST_HYPRE
#include <daptor/hypre.hpp>
#endif

namespace daptor::test {
namespace {

using petsc::OwnedMat;

/// What one matrix has in common with its copies.
struct Shape {
  Counts rows, columns;
  bool symmetric = false;

  double at(PetscInt row, PetscInt column) const {
    if (symmetric && row > column) std::swap(row, column);
    return has_entry(row, column) ? scattered(row, column) : 0;
  }
  PetscInt first() const { return start(rows, world_rank()); }
};

/// This process's rows, in full.
using Table = std::vector<std::vector<double>>;

Table table_of(const Shape& shape, double factor = 1) {
  Table table(static_cast<std::size_t>(mine(shape.rows)));
  for (std::size_t r = 0; r < table.size(); ++r)
    for (PetscInt c = 0; c < sum(shape.columns); ++c)
      table[r].push_back(factor * shape.at(shape.first() + static_cast<PetscInt>(r), c));
  return table;
}

Table zeros(const Shape& shape) {
  return Table(static_cast<std::size_t>(mine(shape.rows)),
               std::vector<double>(static_cast<std::size_t>(sum(shape.columns))));
}

Table table_of(const Shape& shape, const OwnedMat& mat) {
  Table table = zeros(shape);
  for (PetscInt r = 0; r < mine(shape.rows); ++r) {
    const PetscInt row = shape.first() + r;
    for (PetscInt c = 0; c < sum(shape.columns); ++c)
      DAPTOR_EXPECT_OK(
          MatGetValues(mat.get(), 1, &row, 1, &c,
                       &table[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]));
  }
  return table;
}

Table table_of(const Shape& shape, const Teuchos::RCP<Crs>& matrix) {
  Table table = zeros(shape);
  const auto local = matrix->getLocalMatrixHost();
  EXPECT_EQ(static_cast<std::size_t>(local.numRows()), table.size());
  for (std::size_t r = 0; r < table.size(); ++r)
    for (auto e = local.graph.row_map(r); e < local.graph.row_map(r + 1); ++e)
      table[r].at(static_cast<std::size_t>(
          matrix->getColMap()->getGlobalElement(local.graph.entries(e)))) += local.values(e);
  return table;
}

Table table_of(const Shape& shape, const CsrArrays& arrays) {
  EXPECT_TRUE(validate(arrays));
  Table table = zeros(shape);
  std::vector<Index> starts(table.size() + 1),
      columns(static_cast<std::size_t>(arrays.columns.owned_count()));
  copy_local_offsets(arrays, starts.data());
  copy_columns(arrays, columns.data());
  for (std::size_t r = 0; r < table.size(); ++r)
    for (auto e = static_cast<std::size_t>(starts[r]); e < static_cast<std::size_t>(starts[r + 1]);
         ++e)
      table[r].at(static_cast<std::size_t>(columns[e])) +=
          static_cast<const double*>(arrays.values.data())[e];
  return table;
}

#ifdef DAPTOR_TEST_HYPRE
Table table_of(const Shape& shape, const hypre::OwnedMatrix& matrix) {
  Table table = zeros(shape);
  for (std::size_t r = 0; r < table.size(); ++r) {
    HYPRE_Int count = 0;
    HYPRE_BigInt* columns = nullptr;
    double* values = nullptr;
    const auto row = static_cast<HYPRE_BigInt>(shape.first()) + static_cast<HYPRE_BigInt>(r);
    EXPECT_EQ(HYPRE_ParCSRMatrixGetRow(matrix.get(), row, &count, &columns, &values), 0);
    for (HYPRE_Int e = 0; e < count; ++e)
      table[r].at(static_cast<std::size_t>(columns[e])) += values[e];
    HYPRE_ParCSRMatrixRestoreRow(matrix.get(), row, &count, &columns, &values);
  }
  return table;
}
#endif

/// Where a library can take values over those of a copy, it does; else there is a new copy.
template <class Source, class Copy, class Make>
void take_again(const Source& source, Copy& copy, const Make& make) {
  if constexpr (std::is_same_v<Source, OwnMat> && std::is_same_v<Copy, Teuchos::RCP<Crs>>)
    solvers::copy_values(source, *copy);
  else if constexpr (std::is_same_v<Source, Teuchos::RCP<Crs>> && std::is_same_v<Copy, OwnedMat>)
    solvers::copy_values(*source, copy.get());
  else
    copy = make();
}

/// @param scale  multiplies the entries of `source`
template <class Source, class Make>
void expect_copy(const std::string& name, const Shape& shape, const Source& source,
                 const Make& make, const std::function<void(double)>& scale) {
  SCOPED_TRACE(name);
  auto copy = make();
  EXPECT_EQ(table_of(shape, copy), table_of(shape));
  scale(4);
  EXPECT_EQ(table_of(shape, copy), table_of(shape)) << "it is a copy";
  take_again(source, copy, make);
  EXPECT_EQ(table_of(shape, copy), table_of(shape, 4));
  scale(0.25);
}

OwnMat mat_of(const Shape& shape, MatType type, PetscInt block_size) {
  OwnMat a;
  MatCreate(PETSC_COMM_WORLD, a.address());
  MatSetSizes(a, mine(shape.rows), mine(shape.columns), PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetType(a, MATAIJ);
  MatSetUp(a);
  MatSetOption(a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
  for (PetscInt r = shape.first(); r < shape.first() + mine(shape.rows); ++r)
    for (PetscInt c = 0; c < sum(shape.columns); ++c)
      if (shape.at(r, c) != 0) MatSetValue(a, r, c, shape.at(r, c), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  DAPTOR_EXPECT_OK(MatSetBlockSize(a, block_size));
  DAPTOR_EXPECT_OK(MatSetOption(a, MAT_SYMMETRIC, shape.symmetric ? PETSC_TRUE : PETSC_FALSE));
  DAPTOR_EXPECT_OK(MatConvert(a, type, MAT_INPLACE_MATRIX, a.address()));
  return a;
}

/// Columns decrease within a row, and the first entry of each row is in two parts.
struct Arrays {
  explicit Arrays(const Shape& shape) {
    for (PetscInt r = shape.first(); r < shape.first() + mine(shape.rows); ++r) {
      const std::size_t before = values.size();
      for (PetscInt c = sum(shape.columns); c-- > 0;)
        if (const double value = shape.at(r, c); value != 0) {
          const bool parts = values.size() == before;
          columns.insert(columns.end(), parts ? 2 : 1, c);
          values.insert(values.end(), parts ? 2 : 1, parts ? value / 2 : value);
        }
      lengths.push_back(static_cast<Index>(values.size() - before));
    }
    arrays = csr_from_rows(values, columns, lengths, sum(shape.columns), PETSC_COMM_WORLD);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  std::vector<double> values;
  std::vector<PetscInt> columns;
  std::vector<Index> lengths;
  CsrArrays arrays;
};

std::vector<Shape> shapes(PetscInt block_size = 1, bool symmetric = false) {
  std::vector<Shape> all;
  for (Counts rows : row_layouts(11)) {
    for (PetscInt& count : rows) count *= block_size;
    all.push_back({rows, rows, symmetric});
  }
  return all;
}

std::vector<Shape> rectangular() {
  std::vector<Shape> all;
  const auto layouts = row_layouts(13);
  for (std::size_t i = 0; i < layouts.size(); ++i)
    all.push_back({layouts[i], layouts[(i + 3) % layouts.size()]});
  return all;
}

TEST(Copies, ofMats) {
  const auto expect = [](const Shape& shape, MatType type, PetscInt block_size) {
    const OwnMat a = mat_of(shape, type, block_size);
    const auto scale = [&](double factor) { MatScale(a, factor); };
    const PetscObjectState before = state_of(a);
    solvers::copy_matrix(a);
    EXPECT_EQ(state_of(a), before);
    if (!shape.symmetric)
      expect_copy(
          std::string(type) + " to Tpetra", shape, a, [&] { return solvers::copy_matrix(a); },
          scale);
    else
      EXPECT_EQ(table_of(shape, solvers::copy_matrix(a)), table_of(shape));
    if (type != std::string(MATAIJ)) return;
    expect_copy(
        "AIJ to arrays", shape, a, [&] { return petsc::copy_csr(a); }, scale);
#ifdef DAPTOR_TEST_HYPRE
    expect_copy(
        "AIJ to hypre", shape, a, [&] { return hypre::copy_csr(petsc::copy_csr(a)); }, scale);
#endif
  };
  for (const Shape& shape : rectangular()) expect(shape, MATAIJ, 1);
  for (const PetscInt size : {1, 2, 3}) {
    for (const Shape& shape : shapes(size)) {
      expect(shape, MATAIJ, size);
      expect(shape, MATBAIJ, size);
    }
    for (const Shape& shape : shapes(size, true)) expect(shape, MATSBAIJ, size);
  }
}

TEST(Copies, ofCrsMatrices) {
  const auto expect = [](const Shape& shape, Ids row_ids, Ids column_ids) {
    const auto matrix = crs_matrix(shape.rows, shape.columns, row_ids, column_ids);
    const auto multiply = [&](double factor) { scale(*matrix, factor); };
    expect_copy(
        "Tpetra to PETSc", shape, matrix, [&] { return solvers::copy_matrix(*matrix); }, multiply);
    if (row_ids != Ids::contiguous || column_ids != Ids::contiguous) return;
    expect_copy(
        "Tpetra to arrays", shape, matrix, [&] { return tpetra::copy_csr(*matrix); }, multiply);
#ifdef DAPTOR_TEST_HYPRE
    expect_copy(
        "Tpetra to hypre", shape, matrix,
        [&] { return hypre::copy_csr(tpetra::copy_csr(*matrix)); }, multiply);
#endif
  };
  constexpr Ids numberings[] = {Ids::contiguous, Ids::from_one, Ids::backwards, Ids::dealt};
  for (const Shape& shape : shapes())
    for (const Ids ids : numberings) expect(shape, ids, ids);
  std::size_t next = 0;
  for (const Shape& shape : rectangular()) {
    expect(shape, numberings[next % 4], numberings[(next + 1) % 4]);
    expect(shape, Ids::contiguous, Ids::contiguous);
    ++next;
  }
}

TEST(Copies, ofArraysAndOfHypre) {
  const auto expect = [](const Shape& shape) {
    Arrays given(shape);
    const auto scale = [&](double factor) {
      for (double& value : given.values) value *= factor;
    };
    const CsrArrays& arrays = given.arrays;
    expect_copy(
        "arrays to PETSc", shape, arrays, [&] { return petsc::copy_csr(arrays); }, scale);
    expect_copy(
        "arrays to Tpetra", shape, arrays, [&] { return tpetra::copy_csr<double>(arrays); }, scale);
#ifdef DAPTOR_TEST_HYPRE
    expect_copy(
        "arrays to hypre", shape, arrays, [&] { return hypre::copy_csr(arrays); }, scale);
    const hypre::OwnedMatrix matrix = hypre::copy_csr(arrays);
    const auto multiply = [&](double factor) {
      hypre_ParCSRMatrixScale(reinterpret_cast<hypre_ParCSRMatrix*>(matrix.get()), factor);
    };
    expect_copy(
        "hypre to PETSc", shape, matrix,
        [&] { return petsc::copy_csr(hypre::describe(matrix.get())); }, multiply);
    expect_copy(
        "hypre to Tpetra", shape, matrix,
        [&] { return tpetra::copy_csr<double>(hypre::describe(matrix.get())); }, multiply);
    expect_copy(
        "hypre to arrays", shape, matrix, [&] { return hypre::copy_csr(matrix.get()); }, multiply);
#endif
  };
  for (const Shape& shape : shapes()) expect(shape);
  for (const Shape& shape : rectangular()) expect(shape);
}

}  // namespace
}  // namespace daptor::test
