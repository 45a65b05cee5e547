// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack_reasons.hpp"

#include <string>

#include "daptor/adapter/block_cyclic.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/scalapack_mat.hpp"

namespace daptor::petsc::detail {
namespace {

std::string text(Index value) {
  return std::to_string(value);
}

void size_reasons(const Section& array, int process_count, adapter::Reasons& reasons) {
  if (array.ndim() != 2) return;
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
                             size_reasons(section, process_count, found);
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
