// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "daptor/petsc/dense.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/names.hpp"
#include "petsc/src/native/scalapack_mat.hpp"

namespace daptor::petsc {
namespace {

void require_dense(Mat mat) {
  detail::require_session();
  if (mat == nullptr) throw InvalidArgument("mat", "a null Mat", "a dense Mat");
  MatType name = nullptr;
  detail::call("MatGetType", MatGetType, mat, &name);
  const std::string type = name == nullptr ? "" : name;
  if (type.empty())
    throw InvalidArgument("mat", "a Mat without a type",
                          "a Mat that is set up (" + names::function("MatSetUp") + ")");
  if (detail::is_device_type(type))
    throw NotRepresentable(adapter::reason(
        "petsc.dense.device", "a Mat of type '" + type + "', whose values are on a device",
        "values in memory that the host can reach", names::convert_to_dense));
  if (type != MATSEQDENSE && type != MATMPIDENSE && !detail::is_scalapack(mat))
    throw NotRepresentable(adapter::reason(
        "petsc.dense.type", "a Mat of type '" + type + "'",
        detail::knows_scalapack() ? "a Mat of type 'seqdense', 'mpidense' or 'scalapack'"
                                  : "a Mat of type 'seqdense' or 'mpidense'",
        names::convert_to_dense));
}

}  // namespace

detail::NativeLayout detail::layout_of(Mat mat) {
  PetscInt rows = 0;
  PetscInt columns = 0;
  PetscInt start = 0;
  PetscInt stop = 0;
  PetscInt leading_dimension = 0;
  call("MatGetSize", MatGetSize, mat, &rows, &columns);
  call("MatGetOwnershipRange", MatGetOwnershipRange, mat, &start, &stop);
  call("MatDenseGetLDA", MatDenseGetLDA, mat, &leading_dimension);
  constexpr auto itemsize = static_cast<Index>(sizeof(PetscScalar));
  return {rows,
          line_of_ranks(object(mat)),
          {start, stop},
          columns,
          {itemsize, itemsize * leading_dimension}};
}

namespace {

/// The blocks of a Mat of type `scalapack`.
DistArray export_blocks(Mat mat, bool readonly) {
  const detail::ScalapackPart part = detail::scalapack_part(mat);
  const detail::Attachment* const attachment = detail::Attachment::of(detail::object(mat));
  if (attachment != nullptr && attachment->lies_at(part.memory))
    return readonly ? attachment->array().as_readonly() : attachment->array();
  constexpr auto itemsize = static_cast<Index>(sizeof(PetscScalar));
  Buffer buffer(DataType::of<PetscScalar>(), {part.local_rows, part.local_columns},
                {itemsize, itemsize * part.leading_dimension}, part.memory, readonly,
                detail::state_of(mat, part.memory));
  return Section(protocol_0_9, std::move(buffer),
                 {cyclic(part.rows, part.row, part.row_block, part.row_source),
                  cyclic(part.columns, part.column, part.column_block, part.column_source)})
      .on(detail::comm_of(detail::object(mat)));
}

DistArray export_dense(Mat mat, bool readonly) {
  require_dense(mat);
  if (detail::is_scalapack(mat)) return export_blocks(mat, readonly);
  const void* const memory = detail::memory_of(mat);
  const detail::NativeLayout layout = detail::layout_of(mat);
  const auto& strides = layout.byte_strides;
  Buffer buffer(DataType::of<PetscScalar>(), {layout.owned.size(), *layout.whole},
                {strides[0], strides[1]}, const_cast<void*>(memory), readonly,
                detail::state_of(mat, memory));
  const Section exported(protocol_0_9, std::move(buffer), layout.dimensions());
  return detail::as_imported(detail::object(mat), layout, exported);
}

}  // namespace

DistArray export_dense(Mat mat) {
  return export_dense(mat, false);
}

DistArray export_dense_readonly(Mat mat) {
  return export_dense(mat, true);
}

}  // namespace daptor::petsc
