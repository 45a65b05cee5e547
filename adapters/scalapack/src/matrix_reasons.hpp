// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/form.hpp"
#include "daptor/section.hpp"

namespace daptor::scalapack::detail {

/// What a ScaLAPACK matrix asks of an array, whatever its grid and whoever writes to it.
const adapter::Form& matrix_form();
inline adapter::Reasons matrix_reasons(const Section& array) {
  return adapter::reasons(matrix_form(), array);
}
/// Throws NotRepresentable (`scalapack.matrix.dimensions`) for other than one or two dimensions.
void require_dimensions(const Section& array);

/// The call that copies it to a matrix, as reasons suggest it.
Suggestion to_matrix(const Section& array);
/// The elements are of a type that ScaLAPACK has.
bool has_element_type(const Section& array);

}  // namespace daptor::scalapack::detail
