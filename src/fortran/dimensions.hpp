// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "arguments.hpp"
#include "objects.hpp"

namespace daptor::fortran {

/// First and last Fortran index; empty if `upper` is less than `lower`.
struct Bounds {
  Index lower;
  Index upper;
};

/// Conversion of Fortran's arguments to dimensions
/// Process-local; the caller sets the communicator of the layout. They throw for faults on this
/// process, so call them inside `agreed`.
/// \{
Layout block_layout(const daptor_fortran_block& arguments, const Communicator& comm);
Layout layout_of(const daptor_fortran_dimension* dimensions, std::int64_t count);
/// \}

/// The indices that this process owns along dimension `d`, without ghost cells. For cyclic and
/// unstructured dimensions these are positions in the section.
Bounds owned_bounds(const Layout& layout, std::size_t d);
/// The same, including everything in this process's memory.
Bounds local_bounds(const Layout& layout, std::size_t d);

}  // namespace daptor::fortran
