// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/row_arrays.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/context.hpp"
#include "daptor/petsc/adapter/divided_rows.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"

namespace daptor::petsc::detail {
namespace {

using Holder = std::shared_ptr<void>;

// PetscContainerSetCtxDestroy took the place of PetscContainerSetUserDestroy in PETSc 3.23.
template <class C, class F>
auto set_destroy(C container, F destroy, int)
    -> decltype(PetscContainerSetCtxDestroy(container, destroy)) {
  return PetscContainerSetCtxDestroy(container, destroy);
}
template <class C, class F>
auto set_destroy(C container, F destroy, long)
    -> decltype(PetscContainerSetUserDestroy(container, destroy)) {
  return PetscContainerSetUserDestroy(container, destroy);
}

PetscErrorCode destroy_holder_with(PetscContainer container) {
  // `auto`, because the type of the argument differs between versions of PETSc.
  const auto destroy = [](auto argument) -> PetscErrorCode {
    delete context_to_destroy<Holder>(argument);
    return PetscErrorCode{};
  };
  return set_destroy(container, destroy, 0);
}

/// Holds a reference to a container until the end of the scope.
class Container {
 public:
  explicit Container(std::shared_ptr<void> kept) {
    auto holder = std::make_unique<Holder>(std::move(kept));
    call("PetscContainerCreate", PetscContainerCreate, PETSC_COMM_SELF, &container_);
    try {
      call("PetscContainerSetCtxDestroy", destroy_holder_with, container_);
      call("PetscContainerSetPointer", PetscContainerSetPointer, container_,
           static_cast<void*>(holder.get()));
    } catch (...) {
      static_cast<void>(PetscContainerDestroy(&container_));
      static_cast<void>(holder.release());  // leaks it, because PETSc may have freed it already
      throw;
    }
    static_cast<void>(holder.release());  // the container owns it now
  }
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
  ~Container() { static_cast<void>(PetscContainerDestroy(&container_)); }

  void compose_with(Mat mat, const char* key) const {
    call("PetscObjectCompose", PetscObjectCompose, object(mat), key, object(container_));
  }

 private:
  PetscContainer container_ = nullptr;
};

}  // namespace

void RowArrays::make_starts(std::size_t rows) {
  starts.reset(new PetscInt[rows + 1]);
  starts[0] = 0;
}

void RowArrays::make(std::size_t rows, std::size_t entries) {
  make_starts(rows);
  // Not initialized, since every element is written before it is read.
  columns.reset(new PetscInt[std::max<std::size_t>(entries, 1)]);
  values.reset(new PetscScalar[std::max<std::size_t>(entries, 1)]);
}

void RowArrays::make_empty(std::size_t rows) {
  make(rows, 0);
  std::fill_n(starts.get(), rows + 1, PetscInt{0});
}

void refuse_duplicate(std::ptrdiff_t row) {
  adapter::refuse_argument("matrix.duplicate",
                           "local row " + std::to_string(row) + " with two entries in one column",
                           "each column at most once in a row",
                           "Let the library that made the matrix add up such entries.");
}

Mat create_aij(const adapter::RowLayout& layout, const RowPointers& own, const RowPointers& other,
               Call& call) {
  const Comm& comm = call.comm();
  const auto rows = static_cast<PetscInt>(layout.rows.size());
  const auto columns = static_cast<PetscInt>(layout.columns.size());
  Guard<Mat> mat;
  if (comm.size() == 1) {
    detail::call("MatCreateSeqAIJWithArrays", MatCreateSeqAIJWithArrays, comm->original(), rows,
                 columns, own.starts, own.columns, own.values, mat.out());
  } else {
    call.library(Routine("MatCreateMPIAIJWithSplitArrays", MatCreateMPIAIJWithSplitArrays),
                 comm->original(), rows, columns, static_cast<PetscInt>(layout.global_rows),
                 static_cast<PetscInt>(layout.global_columns), own.starts, own.columns, own.values,
                 other.starts, other.columns, other.values, mat.out());
  }
  // Without this, MatZeroRows removes entries, and moves columns and values of the caller's memory.
  call.library(Routine("MatSetOption", MatSetOption), mat.get(), MAT_KEEP_NONZERO_PATTERN,
               PETSC_TRUE);
  return mat.release();
}

void keep_with(Mat mat, const char* key, std::shared_ptr<void> kept) {
  const Container container(std::move(kept));
  const MatBlocks blocks = blocks_of(mat);
  container.compose_with(mat, key);
  if (blocks.other == nullptr) return;
  container.compose_with(blocks.own, key);
  container.compose_with(blocks.other, key);
}

void keep_with_one(Mat mat, const char* key, std::shared_ptr<void> kept) {
  Container(std::move(kept)).compose_with(mat, key);
}

void* kept_with(Mat mat, const char* key) {
  PetscObject found = nullptr;
  call("PetscObjectQuery", PetscObjectQuery, object(mat), key, &found);
  if (found == nullptr) return nullptr;
  void* holder = nullptr;
  call("PetscContainerGetPointer", PetscContainerGetPointer,
       reinterpret_cast<PetscContainer>(found), &holder);
  return static_cast<Holder*>(holder)->get();
}

}  // namespace daptor::petsc::detail
