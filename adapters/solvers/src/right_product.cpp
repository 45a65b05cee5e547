// SPDX-License-Identifier: BSD-3-Clause
#include "right_product.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "irregular.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using petsc::detail::Guard;

/// Two results that differ by more than this, relative to their sizes, are not the same number.
constexpr PetscReal same_number = 1e6 * PETSC_MACHINE_EPSILON;

std::string name_of_type(Mat matrix) {
  MatType type = nullptr;
  call("MatGetType", MatGetType, matrix, &type);
  return type;
}

[[noreturn]] void refuse_product(Mat matrix, const std::string& why, const Terms& remedy) {
  throw NotRepresentable(adapter::reason("operator.wrong-product",
                                         "a matrix of type " + name_of_type(matrix) + ", " + why,
                                         "a matrix by which PETSc multiplies rightly", remedy));
}

/// A Vec without the help of MatCreateVecs, since the layouts of a converted matrix may lack their
/// ranges.
Guard<Vec> vector_of(PetscInt count, MPI_Comm comm) {
  Guard<Vec> vec;
  call("VecCreateMPI", VecCreateMPI, comm, count, PetscInt{PETSC_DETERMINE}, vec.out());
  return vec;
}

PetscReal length_of(Vec x) {
  PetscReal norm = 0;
  call("VecNorm", VecNorm, x, NORM_2, &norm);
  return norm;
}

/// Vectors of the domain and of the range of a matrix.
struct Probed {
  explicit Probed(Mat matrix) {
    PetscInt rows = 0, columns = 0;
    call("MatGetLocalSize", MatGetLocalSize, matrix, &rows, &columns);
    const MPI_Comm comm = PetscObjectComm(petsc::detail::object(matrix));
    x = vector_of(columns, comm);
    transposed = vector_of(columns, comm);
    y = vector_of(rows, comm);
    product = vector_of(rows, comm);
    fill_irregularly(x.get(), 0);
    fill_irregularly(y.get(), 1);
  }
  Guard<Vec> x, transposed;  ///< of the domain
  Guard<Vec> y, product;     ///< of the range
};

/// Whether a second product does not depend on the first: A(-x) = -(Ax). A matrix with numbers that
/// are not finite is not judged.
bool repeats(Mat matrix) {
  const Probed on(matrix);
  call("MatMult", MatMult, matrix, on.x.get(), on.product.get());
  call("VecScale", VecScale, on.x.get(), PetscScalar(-1));
  call("MatMult", MatMult, matrix, on.x.get(), on.y.get());
  const PetscReal size = length_of(on.product.get());
  call("VecAXPY", VecAXPY, on.product.get(), PetscScalar(1), on.y.get());
  return PetscIsInfOrNanReal(size) != 0 || length_of(on.product.get()) <= same_number * size;
}

/// Whether the two products belong to one matrix: y'(Ax) = (A'y)'x. A matrix with numbers that are
/// not finite is not judged.
bool transposes(Mat matrix) {
  const Probed on(matrix);
  call("MatMult", MatMult, matrix, on.x.get(), on.product.get());
  call("MatMultTranspose", MatMultTranspose, matrix, on.y.get(), on.transposed.get());
  PetscScalar plain = 0, transposed = 0;
  call("VecTDot", VecTDot, on.product.get(), on.y.get(), &plain);
  call("VecTDot", VecTDot, on.transposed.get(), on.x.get(), &transposed);
  const PetscReal size = length_of(on.product.get()) * length_of(on.y.get()) +
                         length_of(on.transposed.get()) * length_of(on.x.get());
  return PetscIsInfOrNanReal(size) != 0 || PetscAbsScalar(plain - transposed) <= same_number * size;
}

std::vector<PetscInt> ghost_columns(Mat matrix) {
  PetscInt count = 0;
  const PetscInt* ghosts = nullptr;
  call("MatGetGhosts", MatGetGhosts, matrix, &count, &ghosts);
  return std::vector<PetscInt>(ghosts, ghosts + count);
}

/// Whether the ghosts of a matrix of type mpiaij survive its conversion to SELL. Two rows on each
/// process, of which the first has one entry, in the second column of the next process.
bool converts_to_sell(MPI_Comm comm, int size, int rank) {
  const PetscInt column = 2 * ((rank + 1) % size) + 1;
  Guard<Mat> aij, sell;
  call("MatCreateAIJ", MatCreateAIJ, comm, PetscInt{2}, PetscInt{2}, PetscInt{PETSC_DETERMINE},
       PetscInt{PETSC_DETERMINE}, PetscInt{1}, static_cast<const PetscInt*>(nullptr), PetscInt{1},
       static_cast<const PetscInt*>(nullptr), aij.out());
  call("MatSetValue", MatSetValue, aij.get(), PetscInt{2} * rank, column, PetscScalar(1),
       INSERT_VALUES);
  call("MatAssemblyBegin", MatAssemblyBegin, aij.get(), MAT_FINAL_ASSEMBLY);
  call("MatAssemblyEnd", MatAssemblyEnd, aij.get(), MAT_FINAL_ASSEMBLY);
  call("MatConvert", MatConvert, aij.get(), MATSELL, MAT_INITIAL_MATRIX, sell.out());
  return ghost_columns(sell.get()) == std::vector<PetscInt>{column};
}

/// Collective. MatConvert of PETSc 3.22 numbers the ghosts of a parallel matrix of type SELL 0, 1,
/// ... on every process, whatever they are; a matrix that is assembled as SELL has the right ones.
/// Example: with ghosts 6 and 8 on rank 0, and 2 and 3 on rank 1, both have 0 and 1 afterwards. The
/// two cannot be told apart where these are the right ones, as of a lower triangular matrix whose
/// rows are all coupled to the first.
void require_rightly_converted(Mat matrix, Call& call) {
  Agreed<bool> none, from_zero, right;
  call.check([&] {
    const std::vector<PetscInt> ghosts = ghost_columns(matrix);
    const auto count = static_cast<PetscInt>(ghosts.size());
    none = call.all(count == 0);
    from_zero = call.all(count == 0 || ghosts.back() == count - 1);
  });
  if (none || !from_zero) return;
  call.library("petsc", "MatConvert", Patience{}, [&] {
    const Comm& comm = call.comm();
    right = call.all(converts_to_sell(comm->mpi(), comm.size(), comm.rank()));
  });
  if (right) return;
  refuse_product(
      matrix,
      "whose ghost columns are the first ones on every process that has any: conversion by this "
      "PETSc numbers them so, whatever they are",
      "Pass the matrix of type AIJ from which it was converted (conversion back keeps the wrong "
      "columns), or assemble it with type AIJ.");
}

bool is_sell(Mat matrix) {
  return is_type(matrix, MATSEQSELL) || is_type(matrix, MATMPISELL) ||
         is_type(matrix, MATSEQAIJSELL) || is_type(matrix, MATMPIAIJSELL);
}

/// Process-local. Whether the matrix can be multiplied. MatConvert of PETSc 3.18 makes parallel
/// matrices of type SELL that say that they are not assembled, and that have no range of rows.
bool has_entries(Mat matrix) {
  PetscBool assembled = PETSC_FALSE;
  PetscInt first = 0, last = 0, rows = 0;
  call("MatAssembled", MatAssembled, matrix, &assembled);
  call("MatGetOwnershipRange", MatGetOwnershipRange, matrix, &first, &last);
  call("MatGetLocalSize", MatGetLocalSize, matrix, &rows, nullptr);
  const bool converted = is_type(matrix, MATMPISELL) && (rows == 0 || last - first != rows);
  return assembled == PETSC_TRUE || converted;
}

/// The matrices of which a MATNEST consists.
std::vector<Mat> parts_of(Mat matrix) {
  std::vector<Mat> parts;
  if (!is_type(matrix, MATNEST)) return parts;
  PetscInt rows = 0, columns = 0;
  Mat** blocks = nullptr;
  call("MatNestGetSubMats", MatNestGetSubMats, matrix, &rows, &columns, &blocks);
  for (PetscInt i = 0; i < rows; ++i)
    for (PetscInt j = 0; j < columns; ++j)
      if (blocks[i][j] != nullptr) parts.push_back(blocks[i][j]);
  return parts;
}

}  // namespace

bool require_right_product(Mat matrix, Call& call) {
  if (is_sell(matrix) || is_type(matrix, MATMPISBAIJ)) {
    const auto everywhere = call.all([&] { return has_entries(matrix); });
    call.check();
    if (!everywhere) return true;
  }
  if (is_type(matrix, MATMPISELL)) require_rightly_converted(matrix, call);
  if (is_type(matrix, MATMPISBAIJ) &&
      !call.library("petsc", "MatMult", Patience{}, [&] { return repeats(matrix); }))
    refuse_product(matrix, "whose product with a vector changes when it is repeated",
                   "Convert the matrix: " + petsc::names::convert_to_aij + ".");
  if (is_sell(matrix))
    return call.library("petsc", "MatMultTranspose", Patience{},
                        [&] { return transposes(matrix); });
  bool transposed = true;
  for (Mat part : parts_of(matrix)) transposed = require_right_product(part, call) && transposed;
  return transposed;
}

}  // namespace daptor::solvers
