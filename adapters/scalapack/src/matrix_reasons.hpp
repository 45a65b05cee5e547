// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/form.hpp"
#include "daptor/section.hpp"
#include "daptor/types.hpp"

namespace daptor::scalapack::detail {

using adapter::BlockCyclicForm;

/// The block-cyclic form of dimension `d`; `nullopt` for lists and uneven blocks. Beyond the last
/// dimension: one column, which the first process has.
std::optional<BlockCyclicForm> as_block_cyclic(const Section& array, int d);

/// Both dimensions of a matrix.
struct MatrixBlocks {
  BlockCyclicForm rows, columns;
};
/// Of an array against which there are no reasons. Blocks are square where the array leaves their
/// size open.
MatrixBlocks blocks_of(const Section& array);

/// This process's part of a matrix, in elements, without communication padding.
struct LocalLayout {
  Index rows = 0;
  Index columns = 0;
  Index leading_dimension = 1;
};
/// Of an array against which there are no reasons.
LocalLayout local_layout(const Section& array);

/// Appends the reason against other than one or two dimensions (`scalapack.matrix.dimensions`).
void dimensions_reason(const Section& array, adapter::Reasons& reasons);

/// What a ScaLAPACK matrix asks of an array, whatever its grid and whoever writes to it.
const adapter::Form& matrix_form();
inline adapter::Reasons matrix_reasons(const Section& array) {
  return adapter::reasons(matrix_form(), array);
}

/// The call that copies it to a matrix, as reasons suggest it.
Suggestion to_matrix(const Section& array);
/// The elements are of a type that ScaLAPACK has.
bool has_element_type(const Section& array);

}  // namespace daptor::scalapack::detail
