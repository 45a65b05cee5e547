// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/dense_blocks.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/scalapack_mat.hpp"
#include "scalapack_reasons.hpp"

namespace daptor::petsc {
namespace {

using detail::Routine;

/// Options of PETSc, which are not in use yet.
class Options {
 public:
  Options() { detail::call("PetscOptionsCreate", PetscOptionsCreate, &options_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() {
    const detail::QuietErrors quiet;
    static_cast<void>(PetscOptionsDestroy(&options_));
  }
  PetscOptions get() const { return options_; }

 private:
  PetscOptions options_ = nullptr;
};

/// While it lives, PETSc makes grids of this many rows for Mats of type `scalapack`, whatever the
/// program's options say. Process-local.
class GridHeight {
 public:
  explicit GridHeight(Index rows) {
    detail::call("PetscOptionsSetValue", PetscOptionsSetValue, options_.get(),
                 "-mat_scalapack_grid_height", std::to_string(rows).c_str());
    detail::call("PetscOptionsPush", PetscOptionsPush, options_.get());
  }
  GridHeight(const GridHeight&) = delete;
  GridHeight& operator=(const GridHeight&) = delete;
  ~GridHeight() {
    const detail::QuietErrors quiet;
    static_cast<void>(PetscOptionsPop());
  }

 private:
  Options options_;
};

/// Of an array against which there are no reasons.
detail::ScalapackPart part_of(const Section& array) {
  const adapter::BlockCyclicMatrix matrix = adapter::block_cyclic_matrix(array);
  detail::ScalapackPart part;
  part.rows = matrix.rows.size;
  part.columns = matrix.columns.size;
  part.row_block = matrix.rows.block;
  part.column_block = matrix.columns.block;
  part.row = matrix.rows.grid;
  part.column = matrix.columns.grid;
  part.local_rows = matrix.local_rows;
  part.local_columns = matrix.local_columns;
  part.leading_dimension = matrix.leading_dimension;
  part.memory = static_cast<PetscScalar*>(const_cast<void*>(array.owned_data()));
  return part;
}

/// The size on this process that PETSc's vectors for the Mat have.
PetscInt share_of(Index size, Call& call) {
  PetscInt local = PETSC_DECIDE;
  PetscInt global = detail::petsc_int(size);
  call.library(Routine("PetscSplitOwnershipEqual", PetscSplitOwnershipEqual),
               call.comm()->original(), &local, &global);
  return local;
}

/// A Mat with sizes and a grid, and without memory.
detail::Guard<Mat> create_mat(const detail::ScalapackPart& part, Call& call) {
  const Comm& comm = call.comm();
  const PetscInt rows = share_of(part.rows, call);
  const PetscInt columns = share_of(part.columns, call);
  Mat mat = nullptr;
  call.library(Routine("MatCreate", MatCreate), comm->original(), &mat);
  detail::Guard<Mat> guard(mat);
  call.library(Routine("MatSetSizes", MatSetSizes), mat, rows, columns,
               detail::petsc_int(part.rows), detail::petsc_int(part.columns));
  std::optional<GridHeight> height;
  call.check([&] { height.emplace(part.row.size); });
  call.library(Routine("MatSetType", MatSetType), mat, MATSCALAPACK);
  height.reset();
  PetscLayout of_rows = nullptr;
  PetscLayout of_columns = nullptr;
  call.library(Routine("MatGetLayouts", MatGetLayouts), mat, &of_rows, &of_columns);
  call.library(Routine("PetscLayoutSetUp", PetscLayoutSetUp), of_rows);
  call.library(Routine("PetscLayoutSetUp", PetscLayoutSetUp), of_columns);
  return guard;
}

/// Process-local. PETSc may have a grid of this communicator already.
void require_grid(Mat mat, const detail::ScalapackPart& part) {
  const detail::ScalapackPlace place = detail::scalapack_place(mat);
  if (place.row == part.row && place.column == part.column) return;
  throw NotRepresentable(adapter::reason(
      "petsc.scalapack.grid", "a section at " + adapter::place_text(part.row, part.column),
      "the place of this process on the grid of another Mat of type scalapack of this "
      "communicator, " +
          adapter::place_text(place.row, place.column),
      "Destroy the other Mat before, or import on a duplicate of the communicator."));
}

}  // namespace

OwnedMat import_scalapack(const DistArray& array) {
  Call call(array, "petsc::import_scalapack");
  const Comm& comm = call.comm();
  call.check([&] {
    detail::require_session();
    adapter::require_none(detail::scalapack_reasons(array, comm.size()));
    detail::require_row_major(array);
    adapter::require_memory(array);
  });
  const detail::ScalapackPart part = part_of(array);
  detail::Guard<Mat> mat = create_mat(part, call);
  call.check([&] {
    require_grid(mat.get(), part);
    detail::Attachment::attach(detail::object(mat.get()), array, array.owned_data(),
                               detail::require_session());
    detail::set_up_on_memory(mat.get(), part);
  });
  call.library(Routine("MatAssemblyBegin", MatAssemblyBegin), mat.get(), MAT_FINAL_ASSEMBLY);
  call.library(Routine("MatAssemblyEnd", MatAssemblyEnd), mat.get(), MAT_FINAL_ASSEMBLY);
  return OwnedMat(mat.release());
}

}  // namespace daptor::petsc
