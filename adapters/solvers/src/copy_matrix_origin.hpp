#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <petscmat.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

namespace daptor::solvers {

/// Rows in compressed form, as PETSc keeps them, in memory of ours.
struct CrsArrays {
  std::unique_ptr<PetscInt[]> starts, columns;
  std::unique_ptr<PetscScalar[]> values;

  /// Room for `rows` rows; the first starts at 0.
  void make_starts(std::size_t rows);
  /// Room for the entries that `starts` counts; never null.
  void make_entries(std::size_t rows);
  /// Puts the entries of a row into increasing order of their columns. Throws InvalidArgument
  /// (`matrix.duplicate`) where a column is there twice.
  void sort_row(std::size_t row) {
    for (PetscInt e = starts[row] + 1; e < starts[row + 1]; ++e)
      if (columns[static_cast<std::size_t>(e)] <= columns[static_cast<std::size_t>(e) - 1])
        return reorder_row(row);
  }

 private:
  void reorder_row(std::size_t row);
};

/// What a Mat of ours was made of, kept as long as PETSc refers to it.
struct MatrixOrigin {
  MatrixOrigin() = default;
  MatrixOrigin(const MatrixOrigin&) = delete;
  MatrixOrigin& operator=(const MatrixOrigin&) = delete;
  ~MatrixOrigin();

  CrsArrays diagonal, off_diagonal;
  /// PETSc's number of each local column of the CrsMatrix.
  std::vector<PetscInt> column_numbers;
  Teuchos::RCP<const Tpetra::Map<>> column_map;
};

/// Ties `origin` to a Mat of type AIJ and to the blocks that it consists of. Process-local. Throws.
void keep_with(Mat mat, const std::shared_ptr<MatrixOrigin>& origin);

/// What was tied to `mat`, or null.
MatrixOrigin* origin_of(Mat mat);

}  // namespace daptor::solvers
