// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/section.hpp"

namespace daptor::ga::detail {

/// Why no Global Array has this division, as far as one process knows. Process-local.
adapter::Reasons copy_reasons(const Section& array);

/// Whether this process has the same number in GA's default group as among all: GA 5.8 allocates
/// block-cyclic arrays and ghost cells by the latter. Process-local; true before GA_Initialize.
bool numbered_as_all();

/// Of an array against which there are no reasons. Process-local.
/// \{
/// A dimension is cyclic, so that all of them become so.
bool becomes_cyclic(const Section& array);
adapter::BlockCyclicForm cyclic_form(const Section& array, std::size_t dimension);
/// The width that the ghost cells of this dimension would have on this process: 0 where it has no
/// padding, `nullopt` where padding is no ghost cells of GA.
std::optional<Index> ghost_width(const Section& array, std::size_t dimension);
/// \}

}  // namespace daptor::ga::detail
