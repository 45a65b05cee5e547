// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/dense.hpp"
#include "petsc/src/form/access.hpp"
#include "petsc/src/form/dense_layout.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/form/forms.hpp"

namespace daptor::petsc {
namespace {

using detail::Routine;

/// An empty section may have a null pointer, for which PETSc would allocate memory.
PetscScalar* memory_of(const Section& array) {
  static PetscScalar nothing{};
  if (array.owned_count() == 0) return &nothing;
  return static_cast<PetscScalar*>(const_cast<void*>(array.owned_data()));
}

detail::Guard<Mat> create_dense(const DistArray& array, const adapter::Columns& columns, Index rows,
                                Call& call) {
  const Comm& comm = call.comm();
  PetscScalar* const values = memory_of(array);
  Mat mat = nullptr;
  call.library(Routine("MatCreate", MatCreate), comm->original(), &mat);
  detail::Guard<Mat> guard(mat);
  call.library(Routine("MatSetSizes", MatSetSizes), mat, detail::petsc_int(columns.length),
               PetscInt{PETSC_DECIDE}, detail::petsc_int(rows), detail::petsc_int(columns.count));
  call.library(Routine("MatSetType", MatSetType), mat,
               comm.size() == 1 ? MATSEQDENSE : MATMPIDENSE);
  call.library(Routine("MatDenseSetLDA", MatDenseSetLDA), mat,
               detail::petsc_int(columns.leading_dimension()));
  if (comm.size() == 1) {
    call.library(Routine("MatSeqDenseSetPreallocation", MatSeqDenseSetPreallocation), mat, values);
  } else {
    call.library(Routine("MatMPIDenseSetPreallocation", MatMPIDenseSetPreallocation), mat, values);
  }
  call.library(Routine("MatAssemblyBegin", MatAssemblyBegin), mat, MAT_FINAL_ASSEMBLY);
  call.library(Routine("MatAssemblyEnd", MatAssemblyEnd), mat, MAT_FINAL_ASSEMBLY);
  return guard;
}

}  // namespace

ImportedDense import_dense(const DistArray& array) {
  Call call(array, "petsc::import_dense");
  call.attempt([] { detail::require_session(); });
  const Order order = adapter::agree(detail::dense_form(), array, call).order;
  const adapter::Columns columns = detail::dense_columns(array, order);
  const Index rows = detail::count_rows(array, order);
  detail::Guard<Mat> mat = create_dense(array, columns, rows, call);
  std::shared_ptr<detail::Attachment> attachment;
  Agreed<bool> says_the_same;
  call.check([&] {
    attachment = detail::Attachment::attach(detail::object(mat.get()), array, array.owned_data(),
                                            detail::require_session());
    Mat inner = nullptr;
    detail::call("MatDenseGetLocalMatrix", MatDenseGetLocalMatrix, mat.get(), &inner);
    if (inner != mat.get()) attachment->add_inner(detail::object(inner));
    says_the_same = call.all(detail::says_the_same(array, detail::layout_of(mat.get())));
  });
  attachment->set_says_the_same(says_the_same);
  return detail::Access::imported(mat.release(), std::move(attachment), call.comm());
}

}  // namespace daptor::petsc
