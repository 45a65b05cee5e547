// SPDX-License-Identifier: BSD-3-Clause
#include "copy_matrix_blocks.hpp"

#include <string>

#include "copy_matrix_limits.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using petsc::detail::type_of;

[[noreturn]] void refuse_type(Mat matrix) {
  const Terms convert = "with " + petsc::names::convert_to_aij + ", and pass B.";
  Terms remedy = "Convert it first " + convert;
  if (is_type(matrix, MATSHELL) || is_type(matrix, MATMFFD)) remedy = petsc::names::compute_entries;
  if (is_type(matrix, MATMPISELL))
    remedy =
        "If it was converted from a matrix of type AIJ, pass that one: in some releases of PETSc, "
        "3.22 among them, a conversion numbers the columns of a parallel matrix of type SELL "
        "wrongly, and keeps them when it converts back. Otherwise convert it " +
        convert;
  throw NotRepresentable(adapter::reason("matrix.type", "a matrix of type " + type_of(matrix),
                                         "a matrix of type AIJ, BAIJ or SBAIJ", remedy));
}

}  // namespace

bool is_sbaij(Mat matrix) {
  return is_type(matrix, MATSEQSBAIJ) || is_type(matrix, MATMPISBAIJ);
}

void require_matrix(Mat matrix) {
  if (matrix == nullptr)
    throw InvalidArgument("matrix", "a null Mat", "a PETSc matrix of type AIJ, BAIJ or SBAIJ");
  static_cast<void>(petsc::detail::require_running());
}

void require_assembled(Mat matrix) {
  // One that MatConvert of PETSc 3.18 made says that it is not assembled; assembling it spoils it.
  if (is_type(matrix, MATMPISELL)) refuse_type(matrix);
  PetscBool assembled = PETSC_FALSE;
  if (!type_of(matrix).empty()) call("MatAssembled", MatAssembled, matrix, &assembled);
  if (assembled != PETSC_TRUE)
    adapter::refuse_argument("matrix.unassembled", "a matrix that is not assembled",
                             "an assembled matrix",
                             "First call " + petsc::names::assemble + ", the final assembly.");
  MatFactorType factor = MAT_FACTOR_NONE;
  call("MatGetFactorType", MatGetFactorType, matrix, &factor);
  if (factor != MAT_FACTOR_NONE)
    adapter::refuse_argument("matrix.factored", "a factored matrix",
                             "a matrix that can be multiplied with a vector",
                             "Pass the original matrix.");
}

void require_square(Mat matrix) {
  PetscInt rows = 0, columns = 0, own_rows = 0, own_columns = 0;
  call("MatGetSize", MatGetSize, matrix, &rows, &columns);
  call("MatGetLocalSize", MatGetLocalSize, matrix, &own_rows, &own_columns);
  const std::string square = "a square matrix, whose rows and columns are divided alike";
  if (rows != columns)
    adapter::refuse_argument(
        "matrix.square",
        "a matrix of " + std::to_string(rows) + " rows and " + std::to_string(columns) + " columns",
        square,
        "For a least-squares problem pass a second matrix to " +
            petsc::names::function("KSPSetOperators") +
            ", near the product of the transpose with the matrix.");
  if (own_rows != own_columns)
    adapter::refuse_argument(
        "matrix.square",
        std::to_string(own_rows) + " rows and " + std::to_string(own_columns) +
            " columns on this process",
        square, "Give both the same local sizes in " + petsc::names::function("MatSetSizes") + ".");
}

Blocks blocks_of(Mat matrix) {
  if (!is_type(matrix, MATSEQAIJ) && !is_type(matrix, MATMPIAIJ) && !is_type(matrix, MATSEQBAIJ) &&
      !is_type(matrix, MATMPIBAIJ))
    refuse_type(matrix);
  const Blocks blocks = petsc::detail::blocks_of(matrix);
  require_local_ordinals(blocks.rows, Index{blocks.columns} + Index{blocks.ghosts});
  return blocks;
}

}  // namespace daptor::solvers
