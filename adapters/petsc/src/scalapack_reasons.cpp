// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack_reasons.hpp"

#include <algorithm>
#include <string>

#include "copy_layout.hpp"
#include "daptor/adapter/block_cyclic.hpp"
#include "forms.hpp"
#include "scalapack_mat.hpp"

namespace daptor::petsc::detail {
namespace {

std::string text(Index value) {
  return std::to_string(value);
}

void distribution_reasons(const Section& array, adapter::Reasons& reasons) {
  for (int d = 0; d < array.ndim(); ++d) {
    const auto form = adapter::as_block_cyclic(array.dimension(d));
    if (!form)
      reasons.push_back(adapter::reason(
          "petsc.scalapack.distribution", d, "a list of indices, or blocks of several sizes",
          "indices that are dealt in blocks of one size", "", to_scalapack(array)));
    else if (form->source.value_or(0) != 0)
      reasons.push_back(adapter::reason(
          "petsc.scalapack.origin", d,
          "blocks that are dealt from process " + text(*form->source) + " on",
          "blocks that are dealt from process 0 on, as PETSc's products and solvers suppose", "",
          to_scalapack(array)));
  }
}

void order_reason(const Section& array, adapter::Reasons& reasons) {
  const auto item = static_cast<Index>(array.type().itemsize());
  const Index rows = array.owned_shape()[0];
  const Index columns = array.owned_shape()[1];
  if (rows == 0 || columns == 0) return;
  const Index row_stride = array.byte_strides()[0];
  const Index column_stride = array.byte_strides()[1];
  if ((rows == 1 || row_stride == item) && (columns == 1 || column_stride == item * rows)) return;
  reasons.push_back(adapter::reason(
      "petsc.scalapack.order",
      "rows " + text(row_stride) + " bytes apart, columns " + text(column_stride) + " bytes apart",
      "column-major order without gaps: " + text(item) + " and " + text(item * rows) +
          " bytes apart",
      "", to_scalapack(array)));
}

void range_reasons(const Section& array, adapter::Reasons& reasons) {
  const std::string prefix = "petsc.scalapack";
  for (const Dimension& dimension : array.dimensions()) {
    const adapter::BlockCyclicForm form = *adapter::as_block_cyclic(dimension);
    adapter::range_reason(prefix, "a size", form.size, reasons);
    adapter::range_reason(prefix, "a block size", form.block, reasons);
  }
  const Index rows = std::max<Index>(1, array.owned_shape()[0]);
  const Index columns = array.owned_shape()[1];
  // Both fit in 32 bits, hence their product in 64.
  if (reasons.empty())
    adapter::range_reason(prefix, "a number of local elements", rows * columns, reasons);
}

void size_reasons(const Section& array, int process_count, adapter::Reasons& reasons) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Index size = array.global_shape()[static_cast<std::size_t>(d)];
    if (fits_vectors(size, process_count)) continue;
    reasons.push_back(adapter::reason(
        "petsc.scalapack.sizes", d,
        "a size of " + text(size) + " on " + std::to_string(process_count) + " processes",
        "a size of which ceil(size / processes) = " +
            text(adapter::one_block_each(size, process_count)) +
            " elements for each process leave only the last one with fewer, as PETSc demands",
        "Use fewer processes."));
  }
}

void layout_reasons(const Section& array, int process_count, adapter::Reasons& reasons) {
  if (array.ndim() != 2) {
    reasons.push_back(adapter::reason("petsc.scalapack.dimensions",
                                      text(array.ndim()) + " dimensions", "rows and columns",
                                      "Describe the matrices of the array one by one."));
    return;
  }
  distribution_reasons(array, reasons);
  order_reason(array, reasons);
  size_reasons(array, process_count, reasons);
  if (reasons.empty()) range_reasons(array, reasons);
}

}  // namespace

bool fits_vectors(Index size, int process_count) {
  return size == 0 || size / adapter::one_block_each(size, process_count) >= process_count - 1;
}

adapter::Reasons scalapack_reasons(const Section& array, int process_count) {
  adapter::Reasons reasons;
  if (!knows_scalapack()) {
    reasons.push_back(
        adapter::reason("petsc.scalapack.missing",
                        "a PETSc without the Mat type 'scalapack', or without its header",
                        "a PETSc configured with ScaLAPACK",
                        "Build Daptor with a PETSc that has ScaLAPACK and installs "
                        "petsc/private/petscscalapack.h."));
    return reasons;
  }
  return adapter::reasons(scalapack_form(), array,
                          {true, [=](const Section& section, adapter::Reasons& found) {
                             layout_reasons(section, process_count, found);
                           }});
}

void require_row_major(const DistArray& array) {
  const GridPosition row = array.dimension(0).grid();
  const GridPosition column = array.dimension(1).grid();
  if (row.rank * column.size + column.rank == array.comm().rank()) return;
  throw NotRepresentable(adapter::reason(
      "petsc.scalapack.rank-order", "a section at " + adapter::place_text(row, column),
      "ranks in row-major order on the grid", "", to_scalapack(array)));
}

}  // namespace daptor::petsc::detail
