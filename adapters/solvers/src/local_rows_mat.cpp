// SPDX-License-Identifier: BSD-3-Clause
#include "local_rows_mat.hpp"

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers {

RowsWithDiagonal with_diagonal(const LocalRows& rows, PetscInt first) {
  RowsWithDiagonal made;
  const auto add = [&](PetscInt column, PetscScalar value) {
    made.rows.columns.push_back(column);
    made.rows.values.push_back(value);
  };
  for (PetscInt r = 0; r < rows.count(); ++r) {
    const PetscInt own = first + r;
    PetscScalar diagonal = 0;
    bool passed = false;
    for (auto e = static_cast<std::size_t>(rows.starts[static_cast<std::size_t>(r)]);
         e < static_cast<std::size_t>(rows.starts[static_cast<std::size_t>(r) + 1]); ++e) {
      if (rows.columns[e] > own && !passed) add(own, 0);
      passed = rows.columns[e] >= own;
      if (rows.columns[e] == own) diagonal = rows.values[e];
      add(rows.columns[e], rows.values[e]);
    }
    if (!passed) add(own, 0);
    made.zero = made.zero || diagonal == PetscScalar(0);
    made.rows.starts.push_back(
        petsc::detail::petsc_int(static_cast<Index>(made.rows.columns.size())));
  }
  return made;
}

void create_mat(MPI_Comm comm, const LocalRows& rows, PetscInt own_columns, Mat* mat) {
  using petsc::detail::call;
  call("MatCreate", MatCreate, comm, mat);
  call("MatSetSizes", MatSetSizes, *mat, rows.count(), own_columns, PETSC_DETERMINE,
       PETSC_DETERMINE);
  call("MatSetType", MatSetType, *mat, MATAIJ);
  // Each call is for one of the two types, and has no effect on the other.
  call("MatSeqAIJSetPreallocationCSR", MatSeqAIJSetPreallocationCSR, *mat, rows.starts.data(),
       rows.columns.data(), rows.values.data());
  call("MatMPIAIJSetPreallocationCSR", MatMPIAIJSetPreallocationCSR, *mat, rows.starts.data(),
       rows.columns.data(), rows.values.data());
}

}  // namespace daptor::solvers
