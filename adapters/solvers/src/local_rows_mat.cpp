// SPDX-License-Identifier: BSD-3-Clause
#include "local_rows_mat.hpp"

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers {

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
