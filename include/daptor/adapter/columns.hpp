// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "daptor/adapter/form.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: matrices whose columns follow each other in memory at one distance, the
/// leading dimension.

namespace daptor::adapter {

/// The columns of a matrix, each of them one run, as one process has them.
///
/// Example: three columns of four doubles, with a gap of one after each. `count` is 3, `length` 4,
/// `distance` 40 and the leading dimension 5.
struct Columns {
  Index count = 0;
  Index length = 0;    ///< elements of a column
  Index distance = 0;  ///< bytes from one column to the next
  Index item = 1;      ///< bytes of an element

  /// Whether the distance can be seen: not where there is one column, or none has an element.
  bool several() const { return count > 1 && length > 0; }
  /// Whether no element is in two columns, which are whole numbers of elements apart.
  bool apart() const { return !several() || (distance % item == 0 && distance / item >= length); }
  /// In elements; of columns that are `apart`. At least 1.
  Index leading_dimension() const {
    return several() ? distance / item : std::max<Index>(1, length);
  }
};

/// Adds the reason (`.leading-dimension`) why columns are not apart. Process-local.
/// @param dimension  that of the columns
void add_distance_reason(const Form& form, const Columns& columns, int dimension, Reasons& reasons);

}  // namespace daptor::adapter
