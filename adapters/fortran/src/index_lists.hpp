// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/fortran.hpp"
#include "daptor/types.hpp"

namespace daptor::fortran {

/// A list of global indices, which count from 0.
using IndicesFromZero = std::shared_ptr<const std::vector<Index>>;

/// Copies of the lists that were given to daptor_unstructured: its argument may be a temporary,
/// which is gone when the layout is created. A list is kept until it has become a part of a layout,
/// and is there for other layouts as long as one has it. These functions are process-local, and
/// several threads may call them.
Handle keep_list(std::vector<Index> from_zero);
/// Null if the list is gone.
IndicesFromZero kept_list(Handle list);
/// To be called when a layout has the list. Has no effect if there is no such list.
void belongs_to_layouts(Handle list) noexcept;

}  // namespace daptor::fortran
