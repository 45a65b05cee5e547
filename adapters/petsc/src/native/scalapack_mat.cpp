// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack_mat.hpp"

#include <cstddef>

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"

#if defined(PETSC_HAVE_SCALAPACK) && __has_include(<petsc/private/petscscalapack.h>)
#define DAPTOR_PETSC_KNOWS_SCALAPACK 1
// The one header that has the structure below. It declares functions of ScaLAPACK too, none of
// which is called here.
#include <petsc/private/petscscalapack.h>
#else
#define DAPTOR_PETSC_KNOWS_SCALAPACK 0
#endif

namespace daptor::petsc::detail {

bool knows_scalapack() {
  return DAPTOR_PETSC_KNOWS_SCALAPACK != 0;
}

bool is_scalapack(Mat mat) {
  if (!knows_scalapack()) return false;
  PetscBool same = PETSC_FALSE;
  const QuietErrors quiet;
  check(PetscObjectTypeCompare(object(mat), MATSCALAPACK, &same), "PetscObjectTypeCompare");
  return same == PETSC_TRUE;
}

#if DAPTOR_PETSC_KNOWS_SCALAPACK

namespace {

Mat_ScaLAPACK& inside(Mat mat) {
  return *static_cast<Mat_ScaLAPACK*>(mat->data);
}

PetscErrorCode (*native_destroy)(Mat) = nullptr;

/// Destroys a Mat on foreign memory.
PetscErrorCode destroy_but_not_memory(Mat mat) {
  inside(mat).loc = nullptr;
  return native_destroy(mat);
}

PetscBLASInt blas_int(Index value) {
  return static_cast<PetscBLASInt>(value);  // proven to fit
}

void use_foreign_memory(Mat mat, PetscScalar* memory) {
  inside(mat).loc = memory;
  native_destroy = mat->ops->destroy;
  mat->ops->destroy = destroy_but_not_memory;
}

/// PETSc's functions (MatScale, MatZeroEntries, MatCopy, MatDuplicate, the copy that is factored)
/// read and write `lld * locc` scalars. ScaLAPACK demands that `lld` is at least 1, so that these
/// are `locc` scalars where there are columns and no rows, and the array has memory for none. Like
/// any memory that PETSc has allocated, these are freed with the Mat.
PetscScalar* allocate_unused(const Mat_ScaLAPACK& a) {
  PetscScalar* memory = nullptr;
  const auto count = static_cast<std::size_t>(a.lld) * static_cast<std::size_t>(a.locc);
  const QuietErrors quiet;
  // PetscCalloc1, without the C casts of that macro.
  check(PetscMallocA(1, PETSC_TRUE, __LINE__, "allocate_unused", "scalapack_mat.cpp",
                     count * sizeof(PetscScalar), &memory),
        "PetscMallocA");
  return memory;
}

}  // namespace

ScalapackPlace scalapack_place(Mat mat) {
  const Mat_ScaLAPACK_Grid& grid = *inside(mat).grid;
  return {{grid.nprow, grid.myrow}, {grid.npcol, grid.mycol}};
}

ScalapackPart scalapack_part(Mat mat) {
  if (mat->preallocated == PETSC_FALSE)
    throw InvalidArgument("mat", "a Mat that is not set up",
                          "one that is (" + names::function("MatSetUp") + ")");
  const Mat_ScaLAPACK& a = inside(mat);
  const ScalapackPlace place = scalapack_place(mat);
  ScalapackPart part;
  part.rows = a.M;
  part.columns = a.N;
  part.row_block = a.mb;
  part.column_block = a.nb;
  part.row_source = a.rsrc;
  part.column_source = a.csrc;
  part.row = place.row;
  part.column = place.column;
  part.local_rows = a.locr;
  part.local_columns = a.locc;
  part.leading_dimension = a.lld;
  part.memory = a.loc;
  return part;
}

void set_up_on_memory(Mat mat, const ScalapackPart& part) {
  Mat_ScaLAPACK& a = inside(mat);
  a.M = blas_int(part.rows);
  a.N = blas_int(part.columns);
  a.mb = blas_int(part.row_block);
  a.nb = blas_int(part.column_block);
  a.rsrc = blas_int(part.row_source);
  a.csrc = blas_int(part.column_source);
  a.locr = blas_int(part.local_rows);
  a.locc = blas_int(part.local_columns);
  a.lld = blas_int(part.leading_dimension);
  const PetscBLASInt desc[] = {1, a.grid->ictxt, a.M, a.N, a.mb, a.nb, a.rsrc, a.csrc, a.lld};
  for (std::size_t i = 0; i < 9; ++i) a.desc[i] = desc[i];
  if (a.locr == 0 && a.locc > 0)
    a.loc = allocate_unused(a);
  else
    use_foreign_memory(mat, part.memory);
  mat->preallocated = PETSC_TRUE;
}

#else

namespace {

[[noreturn]] void refuse_unknown() {
  throw InvalidArgument("mat", "a PETSc without the Mat type 'scalapack'",
                        "one configured with ScaLAPACK");
}

}  // namespace

ScalapackPlace scalapack_place(Mat) {
  refuse_unknown();
}
ScalapackPart scalapack_part(Mat) {
  refuse_unknown();
}
void set_up_on_memory(Mat, const ScalapackPart&) {
  refuse_unknown();
}

#endif

}  // namespace daptor::petsc::detail
