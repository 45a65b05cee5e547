// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "daptor/adapter/rows.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"

/// \file
/// For this adapter and for adapters that join PETSc with another library: rows of any matrix,
/// written as PETSc has them, the entries in owned columns in one block and all others in another.

namespace daptor::petsc::detail {

/// Throws InvalidArgument (`matrix.duplicate`).
[[noreturn]] void refuse_duplicate(std::ptrdiff_t row);

/// The entries in owned columns, whose numbers count from the first of them, and all others, with
/// their global columns.
struct DividedRows {
  RowArrays own, other;
};

/// Process-local. Copies the rows to both blocks. Columns increase within a row.
/// @param rows       see `daptor/adapter/rows.hpp`; its counts fit in a PetscInt
/// @param duplicate  `refuse_duplicate`, or null to add up entries in one column
template <class Rows>
void divide(const Rows& rows, DividedRows& to, void (*duplicate)(std::ptrdiff_t) = nullptr) {
  const std::size_t count = rows.layout().row_count(), own_entries = rows.own_entries();
  to.own.make(count, own_entries);
  to.other.make(count, rows.entries() - own_entries);
  const auto writer = [&](const RowArrays& block) {
    return adapter::RowWriter(block.starts.get(), block.columns.get(), block.values.get(),
                              duplicate);
  };
  auto own = writer(to.own), other = writer(to.other);
  for (std::size_t r = 0; r < count; ++r) {
    rows.row(
        r, [&](auto local, PetscScalar value) { own.add(static_cast<PetscInt>(local), value); },
        [&](auto number, PetscScalar value) {
          other.add(static_cast<PetscInt>(rows.global(number)), value);
        });
    own.end_row();
    other.end_row();
  }
}

}  // namespace daptor::petsc::detail
